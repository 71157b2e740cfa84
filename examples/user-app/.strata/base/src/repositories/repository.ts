/** One page of a list. */
export interface Page {
  /** Number of the page, from 1. */
  page: number
  pageSize: number
}

export interface Listing<Row> {
  rows: Row[]
  /** Number of records on all pages. */
  total: number
}

export interface Stored {
  id: number
  createdAt: Date
  updatedAt: Date
}

/** Times of creation and of the last update. */
export type Stamps = Omit<Stored, 'id'>

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
  /** Sorts by creation time, then by id, newest first. */
  list(query: Page & Filter): Promise<Listing<Row>>
  find(id: number): Promise<Details | undefined>
  /**
   * Throws AppError `conflict` if a unique value is taken, `not-found` if a foreign key is dangling, `invalid` if
   * a many-to-many list names an absent record.
   */
  create(draft: Draft & Stamps): Promise<Row>
  /** Returns undefined if the record does not exist. Throws AppError like `create`. */
  update(id: number, changes: Partial<Draft> & Pick<Stamps, 'updatedAt'>): Promise<Row | undefined>
  /** Returns whether the record existed. Throws AppError `conflict` if other records refer to it. */
  remove(id: number): Promise<boolean>
}
