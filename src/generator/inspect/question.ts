import type { ValueRule } from './value-rule.ts'

/** A question about the records of one table or collection. Plain data: another process answers it. */
export interface Question {
  /** Name of the table or collection: `blog_posts` */
  readonly table: string
  /** Words for one record and for several: `blog post`, `blog posts` */
  readonly words: readonly [one: string, many: string]
  readonly test: RecordTest
  readonly effect: Effect
}

/** A question without the words for its records. */
export type Asked = Omit<Question, 'words'>

/** The records that a question counts. */
export type RecordTest =
  /** All records. `column` is a required field without a default, which none of them has. */
  | { readonly kind: 'all'; readonly column?: string }
  /** The rows of a table of links, or the entries of a list in a document. */
  | { readonly kind: 'links'; readonly relation: string; readonly column?: string }
  | { readonly kind: 'present' | 'missing'; readonly column: string }
  /** The values that the rule refuses. */
  | { readonly kind: 'unfit'; readonly column: string; readonly rule: ValueRule }
  /** The records whose values another record has, too. Emails are compared without their case. */
  | { readonly kind: 'shared'; readonly columns: readonly string[]; readonly folds: boolean }
  /** The values that are not an id of a record of `target`. */
  | { readonly kind: 'dangling'; readonly column: string; readonly target: string }

/** The consequence for the counted records or for their values. */
export type Effect =
  /** The rows are dropped. */
  | 'dropped'
  /** The rows stay in a store whose app no longer reads them. */
  | 'kept'
  /** The rows keep all values under other names. */
  | 'renamed'
  /** The values are lost. */
  | 'lost'
  /** The values stay, but the app no longer reads them. */
  | 'unread'
  /** Numbers are rounded, and times lose their time of day. */
  | 'cut'
  /** The migration fails, or the app refuses to start, if the count is not 0. */
  | 'refused'
  /** The values stay as they are, and can't be written again. */
  | 'unchanged'

/** The answer to a question. */
export interface Answer {
  /** The number of records that were read. */
  readonly total: number
  readonly count: number
  /** False if the time limit ended the search. */
  readonly isComplete: boolean
}

/** Lists the columns whose values a test reads. */
export function columnsOf(test: RecordTest): readonly string[] {
  switch (test.kind) {
    case 'all':
      return []
    case 'links':
      return test.column === undefined ? [] : [test.column]
    case 'shared':
      return test.columns
    default:
      return [test.column]
  }
}
