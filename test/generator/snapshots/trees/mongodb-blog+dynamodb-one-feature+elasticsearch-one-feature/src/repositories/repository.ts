/** One page of a list. */
export interface Page {
  /** Number of the page, from 1. */
  page: number
  pageSize: number
  /** Order of the list. Newest first if absent. */
  sort?: Sort | undefined
  /** Starts the page after this position of `sort`. `page` is 1 then. */
  after?: Position | undefined
}

/** Fields in descending priority, at least one. Ids break ties, in the direction of the first field. */
export type Sort = readonly [SortField, ...SortField[]]

/** `field` is a property of the record. */
export interface SortField {
  field: string
  descending: boolean
}

/** The place of a record in a sorted list: its values of the fields of the sort, in their order. */
export interface Position {
  values: readonly SortValue[]
  id: number
}

export type SortValue = string | number | boolean | Date | null

/** `total` counts the records on all pages. `hasMore` is true if records follow the page. */
export interface Listing<Row> {
  rows: Row[]
  total: number
  hasMore: boolean
}

/** The number of parts that `find` returns with a record. The list of the parts has all of them. */
export const maxParts = 50

export interface Stored {
  id: number
  createdAt: Date
  updatedAt: Date
}

/** Times of creation and of the last update. */
export type Stamps = Omit<Stored, 'id'>

/** Gets the stored version of a record before a write, and throws to prevent the write. */
export type Check<Row> = (row: Row) => void

/**
 * The port between use-cases and a store. `Draft` holds the fields of a new record, `Filter` the conditions of a
 * list, `Details` what `find` returns. Every adapter passes test/support/repository-contract.ts.
 */
export interface Repository<
  Row extends Stored,
  Draft = Omit<Row, keyof Stored>,
  Filter = unknown,
  Details extends Row = Row,
> {
  /** NULL comes before every value, and text sorts by code point. Without `sort`, newest first, then by id. */
  list(query: Page & Filter): Promise<Listing<Row>>
  find(id: number): Promise<Details | undefined>
  /**
   * Throws AppError `conflict` if a unique value is taken, `not-found` if a foreign key is dangling, `invalid` if
   * a many-to-many list names an absent record.
   */
  create(draft: Draft & Stamps): Promise<Row>
  /**
   * Returns undefined if the record does not exist. Throws like `create`, and the error of `check`. No other write of
   * the record comes between the check and the write.
   */
  update(
    id: number,
    changes: Partial<Draft> & Pick<Stamps, 'updatedAt'>,
    check?: Check<Row>,
  ): Promise<Row | undefined>
  /** Returns whether the record existed. Throws AppError `conflict` if others refer to it, and the error of `check`. */
  remove(id: number, check?: Check<Row>): Promise<boolean>
}
