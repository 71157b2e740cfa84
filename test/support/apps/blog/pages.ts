import { pageOf, readOrder } from '../reference-lists.ts'
import { type Caller, type Exchange, Refusal, sendJson } from './exchange.ts'
import type { Row } from './tables.ts'
import { type QueryRules, readQuery } from './validation.ts'

/** Compares rows: newest first, then by descending id. */
export function newestFirst(one: Row, two: Row): number {
  return Date.parse(two.created_at) - Date.parse(one.created_at) || two.id - one.id
}

export interface Listing<R extends Row> {
  readonly plural: string
  readonly rules: QueryRules
  /** Fields that sort the list, besides the managed ones. */
  readonly sortable?: readonly string[]
  readonly rows: () => readonly R[]
  readonly present: (row: R) => unknown
  readonly presentPaging?: (paging: { page: number; page_size: number }) => object
  readonly total?: (kept: readonly R[]) => number
}

/** Responds with one page of the rows. */
export function sendPage<R extends Row>(exchange: Exchange, listing: Listing<R>): void {
  const { plural, rules, rows, present, presentPaging, total, sortable = [] } = listing
  const { query, is } = exchange
  const order = readOrder(plural, query, sortable, () => false)
  const paging = readQuery(exchange, rules, order.faults)
  const all = [...rows()].sort(newestFirst)
  const skipped = (paging.page - 1) * paging.size
  const { shown, next_cursor } = pageOf(plural, all, order, {
    skipped,
    size: paging.size,
    is: (name) => name === 'sort-ignored' && is('title-not-sorted') && /title/.test(order.sort),
  })
  const said = { page: paging.page, page_size: paging.size }
  sendJson(exchange, 200, {
    [plural]: shown.map(present),
    total: total?.(all) ?? all.length,
    ...(presentPaging?.(said) ?? said),
    next_cursor,
  })
}

/** Returns the row. Throws if it is absent. */
export function found<R extends Row>(row: R | undefined, name: string): R {
  if (row === undefined) throw new Refusal(404, `${name} not found`)
  return row
}

/** Throws unless the caller owns the row. */
export function assertOwn(row: { readonly author_id: number }, caller: Caller): void {
  if (row.author_id !== caller.id) throw new Refusal(403, 'not yours')
}
