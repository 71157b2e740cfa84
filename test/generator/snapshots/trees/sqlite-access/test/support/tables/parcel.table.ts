import type { Parcel, ParcelDraft, ParcelFilter } from '../../../src/domain/parcel.js'
import type { TableOf } from '../memory-tables.js'

/** Describes parcels for the in-memory store. */
export const parcelTable: TableOf<Parcel, ParcelDraft, ParcelFilter> = {
  name: 'parcels',
  unique: ['code'],
  owner: ['orderLineId', 'orderId', 'customerId'],
  viewers: [['orderLineId', 'orderId', 'customerId']],
  references: [
    {
      key: 'orderLineId',
      as: 'orderLine',
      table: 'order_lines',
      words: 'order line',
      cascade: true,
    },
  ],
  filters: ['orderLineId'],
  sorts: ['orderLineId', 'code'],
}
