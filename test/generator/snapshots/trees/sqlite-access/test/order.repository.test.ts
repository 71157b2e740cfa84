import { orderDraft, seedOrderRefs } from './samples/order.sample.js'
import { describeRepository } from './support/repository-contract.js'
import { orderTable } from './support/tables/order.table.js'

describeRepository({
  title: 'orders',
  table: orderTable,
  of: (repositories) => repositories.orders,
  seed: seedOrderRefs,
  draft: orderDraft,
})
