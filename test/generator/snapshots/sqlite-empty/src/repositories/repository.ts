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

/**
 * What a use-case asks of a store. Every adapter passes the same contract suite
 * (test/support/repository-contract.ts).
 */
export interface Repository<Row extends Stored> {
  /** Newest first by creation time, then by id. */
  list(page: Page): Promise<Listing<Row>>
  find(id: number): Promise<Row | undefined>
  /** Throws AppError `conflict` where a unique field's value is taken. */
  create(row: Omit<Row, 'id'>): Promise<Row>
  /** Undefined where there is no such record. Throws AppError `conflict` like `create`. */
  update(id: number, changes: Partial<Omit<Row, 'id' | 'createdAt'>>): Promise<Row | undefined>
  /** Whether there was such a record. */
  remove(id: number): Promise<boolean>
}
