import type { Order, OrderDetails, OrderDraft, OrderFilter } from '../../../src/domain/order.js'
import type { TableOf } from '../memory-tables.js'

/** Describes orders for the in-memory store. */
export const orderTable: TableOf<
  Order,
  OrderDraft & Pick<Order, 'customerId'>,
  OrderFilter,
  OrderDetails
> = {
  name: 'orders',
  owner: ['customerId'],
  viewers: [['customerId']],
  references: [
    {
      key: 'customerId',
      as: 'customer',
      label: 'name',
      table: 'users',
      words: 'user',
      cascade: false,
    },
    {
      key: 'countryId',
      as: 'country',
      label: 'name',
      table: 'countries',
      words: 'country',
      cascade: false,
    },
  ],
  children: [
    { field: 'orderLines', table: 'order_lines', key: 'orderId', whole: 'order' },
    { field: 'memos', table: 'memos', key: 'orderId', whole: 'order' },
  ],
  filters: ['customerId', 'countryId'],
  sorts: ['customerId', 'countryId'],
}
