import type { Memo, MemoDraft, MemoFilter } from '../../../src/domain/memo.js'
import type { TableOf } from '../memory-tables.js'

/** Describes memos for the in-memory store. */
export const memoTable: TableOf<Memo, MemoDraft & Pick<Memo, 'authorId'>, MemoFilter> = {
  name: 'memos',
  owner: ['authorId'],
  viewers: [['orderId', 'customerId']],
  references: [
    { key: 'orderId', as: 'order', label: 'note', table: 'orders', words: 'order', cascade: true },
    { key: 'authorId', as: 'author', label: 'name', table: 'users', words: 'user', cascade: false },
  ],
  filters: ['orderId', 'authorId'],
  sorts: ['orderId', 'authorId'],
}
