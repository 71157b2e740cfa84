import type { CodeStyle } from '../render/format.ts'

/** A warning about a merged text: a person should read the result. */
export type MergeRisk = 'review'

/** Three versions of an emitted file; `undefined` for a missing version. */
export interface Versions {
  /** The text that strata emitted last. */
  readonly base: string | undefined
  /** The current text in the project. */
  readonly disk: string | undefined
  /** The text for the new model. */
  readonly next: string
  /** The style of the project's formatter, if its settings differ from the emitted ones. */
  readonly style?: CodeStyle | undefined
}

/** Three versions of a text that all exist. */
export interface Texts {
  readonly base: string
  readonly disk: string
  readonly next: string
  readonly style?: CodeStyle | undefined
}

export type Merge =
  | {
      readonly kind: 'write'
      readonly text: string
      readonly reason: string
      readonly risk?: MergeRisk
    }
  /** `risk` marks a file that lacks a change. */
  | { readonly kind: 'keep'; readonly reason: string; readonly risk?: MergeRisk }
  | { readonly kind: 'remove'; readonly reason: string }
  /** Both sides changed the same places (shown by `hunks`), or strata did not write the file. */
  | Conflict

export interface Conflict {
  readonly kind: 'conflict'
  readonly reason: string
  readonly hunks: readonly string[]
  /** The merged texts in which every conflict takes one side. Absent if nothing could be merged. */
  readonly mine?: string
  readonly theirs?: string
}

/** A text with all changes that do not conflict. */
export interface Merged {
  /** The conflicting places, each with both sides. Empty if the merge is complete. */
  readonly hunks: readonly string[]
  /** The text if conflicts take the person's side, and the generated side. */
  readonly mine: string
  readonly theirs: string
}

/** Shows both sides of a conflict. */
export function showHunk(yours: string, ours: string): string {
  return ['<<<<<<< yours', yours, '=======', ours, '>>>>>>> generated'].join('\n')
}
