import type { Field } from '../infra/collection.js'

/** A stored record, with the field names of the store. */
export interface Document {
  id: number
  [name: string]: unknown
}

/** The condition of a list. Omitted conditions match everything. */
export interface Condition {
  equal: Readonly<Record<string, unknown>>
  ranges: readonly Bound[]
}

/** A bound of a field. NULL equals no value, and is in no range. */
export interface Bound {
  field: Field
  is: 'equals' | 'gte' | 'gt' | 'lte' | 'lt'
  value: unknown
}

/** A field that sorts a list. NULL comes before every value, and texts are sorted by code point. */
export interface Order {
  field: Field
  descending: boolean
}

/** A part of a list. */
export interface Section {
  /** The last field is the id, so that no two documents are equal. */
  order: readonly Order[]
  /** The values of the `order` fields in the document before the section. */
  after?: readonly unknown[] | undefined
  /** The number of documents to skip. */
  offset: number
  limit: number
}

/** A document before and after a write. */
interface Update {
  before: Document
  after: Document
}

/**
 * The operations that repositories need of a store. Each call is atomic for a single document, and not across
 * documents. All calls throw AppError `unavailable` if no server answers.
 */
export interface DocumentStore {
  /** Returns an id that the collection has never used. */
  takeId(collection: string): Promise<number>
  /** Throws AppError `conflict` if the value of a unique field is taken. */
  insert(collection: string, document: Document): Promise<void>
  /**
   * Changes a document that still has the values of `expected`. Returns undefined if the document
   * is missing or has other values. Throws AppError `conflict` if the value of a unique field is
   * taken.
   */
  update(
    collection: string,
    id: number,
    changes: Readonly<Record<string, unknown>>,
    expected?: Readonly<Record<string, unknown>>,
  ): Promise<Update | undefined>
  /** Returns the documents with these ids, sorted by id. Missing ids are left out. */
  read(collection: string, ids: readonly number[]): Promise<Document[]>
  /** Returns a section of a list, and the number of all matches. */
  page(
    collection: string,
    condition: Condition,
    section: Section,
  ): Promise<{ documents: Document[]; total: number }>
  /**
   * Removes a document that still has the values of `expected`. Returns false if the document is missing or has other
   * values.
   */
  remove(
    collection: string,
    id: number,
    expected?: Readonly<Record<string, unknown>>,
  ): Promise<boolean>
}
