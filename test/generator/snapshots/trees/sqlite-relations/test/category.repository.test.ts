import { categoryDraft } from './samples/category.sample.js'
import { describeRepository } from './support/repository-contract.js'
import { categoryTable } from './support/tables/category.table.js'

describeRepository({
  title: 'categories',
  table: categoryTable,
  of: (repositories) => repositories.categories,
  draft: categoryDraft,
})
