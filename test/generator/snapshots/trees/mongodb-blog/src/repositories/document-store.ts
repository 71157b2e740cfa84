import type { Page } from './repository.js'

/** A record as it is kept: by the names of its fields in the store. */
export interface Document {
  id: number
  [name: string]: unknown
}

/** All that is left out counts for all. */
export interface Condition {
  equal: Readonly<Record<string, unknown>>
  /** Names of lists, and what they hold. */
  includes: Readonly<Record<string, number>>
  /** One of the fields contains the text. */
  contains?: { names: readonly string[]; text: string }
}

export interface ReadOptions {
  /** The fields to read besides the id. */
  names?: readonly string[]
  limit?: number
  /** Sees what others write just now, too: a store may show that a moment later else. */
  fresh?: true
}

/** A document as a write has found it, and as it has left it. */
export interface Update {
  before: Document
  after: Document
}

/**
 * What the repositories ask of the store's client. Each call is atomic for every single document, and for no two.
 * All throw AppError `unavailable` where no server answers.
 */
export interface DocumentStore {
  /** A number that no document of the collection has had. */
  takeId(collection: string): Promise<number>
  /** Throws AppError `conflict` where a unique field's value is taken. */
  insert(collection: string, document: Document): Promise<void>
  /**
   * Undefined where there is no such document, or none that is still as `seen`. Throws AppError `conflict` where a
   * unique field's value is taken.
   */
  update(
    collection: string,
    id: number,
    changes: Readonly<Record<string, unknown>>,
    seen?: Readonly<Record<string, unknown>>,
  ): Promise<Update | undefined>
  /** Whether there was such a document. */
  remove(collection: string, id: number): Promise<boolean>

  /** Those of the ids that there are, the lowest first. */
  read(collection: string, ids: readonly number[], options?: ReadOptions): Promise<Document[]>
  /** Those whose field has one of the values, the lowest id first. */
  readBy(
    collection: string,
    name: string,
    values: readonly unknown[],
    options?: ReadOptions,
  ): Promise<Document[]>
  /** Newest first, then by id. */
  page(
    collection: string,
    condition: Condition,
    page: Page,
  ): Promise<{ documents: Document[]; total: number }>

  /** Marks of those of the ids that there are, by id: undefined where a document has none. */
  marks(collection: string, ids: readonly number[]): Promise<Map<number, string | undefined>>
  /** Sets a mark on those of the ids that have none. */
  mark(collection: string, ids: readonly number[], mark: string): Promise<void>
  /** Takes these marks off again. */
  unmark(collection: string, ids: readonly number[], marks: readonly string[]): Promise<void>
  /** Removes those that still have one of the marks, and says how many that were. */
  removeMarked(
    collection: string,
    ids: readonly number[],
    marks: readonly string[],
  ): Promise<number>
  /** Takes ids out of a list of all documents. */
  unlink(collection: string, name: string, ids: readonly number[]): Promise<void>
}
