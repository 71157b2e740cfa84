/** What a run does to the disk, as a value: the writer, the dry run, `--json` and the summary all read it. */
export interface Plan {
  /** Absolute path of the project's root. */
  readonly root: string
  /** Sorted by path; one action a path. */
  readonly actions: readonly Action[]
}

/** Paths are relative to the root, with `/`. Texts are whole files, UTF-8. */
export type Action =
  | {
      readonly kind: 'create'
      readonly path: string
      readonly after: string
      readonly reason: string
      readonly risk?: Risk
      /** Set for files whose text must not be shown, logged or hashed. Written with mode 0600. */
      readonly secret?: boolean
    }
  | {
      readonly kind: 'edit'
      readonly path: string
      readonly before: string
      readonly after: string
      readonly reason: string
      readonly risk?: Risk
      /** As above; it keeps its mode. */
      readonly secret?: boolean
    }
  | {
      readonly kind: 'delete'
      readonly path: string
      readonly before: string
      readonly reason: string
    }
  | { readonly kind: 'skip'; readonly path: string; readonly reason: string }

/** What a person should look at: a text merged with their edits; a migration that loses stored data. */
export type Risk = 'review' | 'data-loss'
