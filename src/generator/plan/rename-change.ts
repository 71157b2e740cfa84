import type { Change } from './plan-change.ts'

/** A change of names alone: the features and fields of both models match by position. */
export interface RenameChange extends Omit<Change, 'requested'> {
  /** Lists the paths of the project's own texts: no packages, builds, data or files in `.strata`. */
  readonly listTexts: () => readonly string[]
}

/** An emitted file before and after a rename. */
export interface EmittedFile {
  readonly from: string
  readonly path: string
  /** The text for the previous model, of this version of strata. */
  readonly rendered: string
  /** The text that strata emitted last. */
  readonly base: string
  /** The text for the new model. */
  readonly next: string
}
