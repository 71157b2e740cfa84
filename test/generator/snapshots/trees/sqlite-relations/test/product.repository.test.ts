import { productDraft, seedProductRefs } from './samples/product.sample.js'
import { describeRepository } from './support/repository-contract.js'
import { productTable } from './support/tables/product.table.js'

describeRepository({
  title: 'products',
  table: productTable,
  of: (repositories) => repositories.products,
  seed: seedProductRefs,
  draft: productDraft,
})
