import type {
  OrderLine,
  OrderLineDetails,
  OrderLineDraft,
  OrderLineFilter,
} from '../../../src/domain/order-line.js'
import type { TableOf } from '../memory-tables.js'

/** Describes order lines for the in-memory store. */
export const orderLineTable: TableOf<OrderLine, OrderLineDraft, OrderLineFilter, OrderLineDetails> =
  {
    name: 'order_lines',
    unique: [['orderId', 'count']],
    owner: ['orderId', 'customerId'],
    viewers: [['orderId', 'customerId']],
    references: [
      {
        key: 'orderId',
        as: 'order',
        label: 'note',
        table: 'orders',
        words: 'order',
        cascade: true,
      },
    ],
    children: [{ field: 'parcels', table: 'parcels', key: 'orderLineId', whole: 'orderLine' }],
    filters: ['orderId'],
    ranges: ['count'],
    sorts: ['orderId'],
  }
