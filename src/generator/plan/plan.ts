import type { Model } from '../model/model.ts'

/** The changes of a run to the disk. The writer, the dry run, `--json` and the summary read the same plan. */
export interface Plan {
  /** Absolute path of the project's root. */
  readonly root: string
  /** Actions sorted by path, at most one for each path. */
  readonly actions: readonly Action[]
  /** Places that a person has to look at: `src/report.ts:12: …`. */
  readonly notes?: readonly string[]
  /** Sentences about settings that the run could not follow. */
  readonly warnings?: readonly string[]
  /** A sentence for each loss of stored data, and for each rule that stored values may break. */
  readonly losses?: readonly string[]
  /** Reasons why the versions before and after can't use the store at once. Absent if the store does not change. */
  readonly overlapFaults?: readonly string[]
  /** The models of the database before and after the change. Absent for a change of names alone. */
  readonly stored?: { readonly from: Model; readonly database: Model }
  /** Changes that wait for `strata sync --second-step`: `posts.secret is dropped`. */
  readonly secondSteps?: readonly string[]
}

/** Paths are relative to the root, with `/`. Texts are whole files, UTF-8. */
export type Action =
  | {
      readonly kind: 'create'
      readonly path: string
      readonly after: string
      readonly reason: string
      readonly risk?: Risk
      /** Marks a file whose text must not be shown, logged or hashed. The file gets mode 0600. */
      readonly secret?: boolean
    }
  | {
      readonly kind: 'edit'
      readonly path: string
      readonly before: string
      readonly after: string
      readonly reason: string
      readonly risk?: Risk
      /** Marks a file whose text must not be shown, logged or hashed. The file keeps its mode. */
      readonly secret?: boolean
    }
  | {
      readonly kind: 'delete'
      readonly path: string
      readonly before: string
      readonly reason: string
    }
  | {
      readonly kind: 'skip'
      readonly path: string
      readonly reason: string
      readonly risk?: Risk
    }

/**
 * Kind of a warning. `review`: a text merged with a person's edits. `data-loss`: a migration that loses stored data.
 */
export type Risk = 'review' | 'data-loss'
