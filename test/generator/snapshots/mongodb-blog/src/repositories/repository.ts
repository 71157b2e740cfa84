/** One page of a list. */
export interface Page {
  /** From 1. */
  page: number
  pageSize: number
}

export interface Listing<Row> {
  rows: Row[]
  /** How many there are on all pages together. */
  total: number
}

export interface Stored {
  id: number
  createdAt: Date
  updatedAt: Date
}

/** When a record was made, and changed last. */
export type Stamps = Omit<Stored, 'id'>

/**
 * What a use-case asks of a store. `Draft` is what makes a record, `Filter` what narrows a list, `Details` a
 * record that is read alone. Every adapter passes the same contract suite (test/support/repository-contract.ts).
 */
export interface Repository<
  Row extends Stored,
  Draft = Omit<Row, keyof Stored>,
  Filter = unknown,
  Details extends Row = Row,
> {
  /** Newest first by creation time, then by id. */
  list(query: Page & Filter): Promise<Listing<Row>>
  find(id: number): Promise<Details | undefined>
  /**
   * Throws AppError `conflict` where a unique field's value is taken, `not-found` or `invalid` where what it
   * refers to is not there.
   */
  create(draft: Draft & Stamps): Promise<Row>
  /** Undefined where there is no such record. Throws AppError like `create`. */
  update(id: number, changes: Partial<Draft> & Pick<Stamps, 'updatedAt'>): Promise<Row | undefined>
  /** Whether there was such a record. Throws AppError `conflict` where others refer to it. */
  remove(id: number): Promise<boolean>
}
