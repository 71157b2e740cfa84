import { orderLineDraft, seedOrderLineRefs } from './samples/order-line.sample.js'
import { describeRepository } from './support/repository-contract.js'
import { orderLineTable } from './support/tables/order-line.table.js'

describeRepository({
  title: 'order lines',
  table: orderLineTable,
  of: (repositories) => repositories.orderLines,
  seed: seedOrderLineRefs,
  draft: orderLineDraft,
})
