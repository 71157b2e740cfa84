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
  /** For each field, ids of which the field has one. An empty list matches nothing. */
  among?: Readonly<Record<string, readonly number[]>>
  /** For each list of ids, an id that the list contains. */
  includes: Readonly<Record<string, number>>
  /** At least one of the fields contains the text. */
  contains?: { names: readonly string[]; text: string }
}

/** A bound of a field. NULL equals no value, and is in no range. */
export interface Bound {
  field: Field
  is: 'equals' | 'gte' | 'gt' | 'lte' | 'lt'
  value: unknown
}

/** A bound, or a test for NULL. */
export type Comparison = Bound | { field: Field; is: 'null' | 'present'; value?: undefined }

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

export interface ReadOptions {
  /** The fields to read beside the id; all fields by default. */
  names?: readonly string[]
  limit?: number
  /**
   * Includes the most recent writes. Without this option, a search engine may miss them for a
   * moment.
   */
  fresh?: true
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
  read(collection: string, ids: readonly number[], options?: ReadOptions): Promise<Document[]>
  /** Returns the documents whose field has one of the values, sorted by id. */
  readBy(
    collection: string,
    name: string,
    values: readonly unknown[],
    options?: ReadOptions,
  ): Promise<Document[]>
  /** Returns a section of a list, and the number of all matches. */
  page(
    collection: string,
    condition: Condition,
    section: Section,
  ): Promise<{ documents: Document[]; total: number }>

  /** The field with the mark of a removal in progress. */
  readonly markName: string
  /** Returns the mark of each document by id, undefined for a document without a mark. Missing ids are left out. */
  marks(collection: string, ids: readonly number[]): Promise<Map<number, string | undefined>>
  /** Sets the mark on the documents without a mark. */
  mark(collection: string, ids: readonly number[], mark: string): Promise<void>
  /** Takes the marks off. A document with another mark keeps it. */
  unmark(collection: string, ids: readonly number[], marks: readonly string[]): Promise<void>
  /**
   * Removes the documents that still have one of the marks. Returns the number of removed
   * documents.
   */
  removeMarked(
    collection: string,
    ids: readonly number[],
    marks: readonly string[],
  ): Promise<number>
  /** Removes ids from the list `name` of every document. */
  unlink(collection: string, name: string, ids: readonly number[]): Promise<void>
}
