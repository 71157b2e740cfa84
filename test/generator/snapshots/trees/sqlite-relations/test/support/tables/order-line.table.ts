import type { OrderLine, OrderLineDraft, OrderLineFilter } from '../../../src/domain/order-line.js'
import type { TableOf } from '../memory-tables.js'

/** Describes order lines for the in-memory store. */
export const orderLineTable: TableOf<OrderLine, OrderLineDraft, OrderLineFilter> = {
  name: 'order_lines',
  references: [
    {
      key: 'productId',
      as: 'product',
      label: 'name',
      table: 'products',
      words: 'product',
      cascade: true,
    },
  ],
  filters: ['productId'],
  ranges: ['count', 'day'],
  sorts: ['productId'],
}
