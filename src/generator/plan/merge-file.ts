import { diff3Merge } from 'node-diff3'
import type { Risk } from './plan.ts'

/** Three versions of an emitted file; `undefined` for a missing version. */
export interface Versions {
  /** The text that strata emitted last. */
  readonly base: string | undefined
  /** The current text in the project. */
  readonly disk: string | undefined
  /** The text for the new model. */
  readonly next: string
}

export type Merge =
  | { readonly kind: 'write'; readonly text: string; readonly reason: string; readonly risk?: Risk }
  | { readonly kind: 'keep'; readonly reason: string }
  | { readonly kind: 'remove'; readonly reason: string }
  /** Both sides changed the same lines (shown by `hunks`), or strata did not write the file. */
  | { readonly kind: 'conflict'; readonly reason: string; readonly hunks: readonly string[] }

/**
 * Merges three versions of a file: takes the text of the only side that changed the file, or combines the changes of
 * both sides. A file with CRLF on disk keeps CRLF.
 */
export function mergeFile({ base, disk, next }: Versions): Merge {
  if (!disk?.includes('\r\n')) return mergeTexts({ base, disk, next })
  const merge = mergeTexts({ base: base && withLf(base), disk: withLf(disk), next: withLf(next) })
  return merge.kind === 'write' ? { ...merge, text: merge.text.replaceAll('\n', '\r\n') } : merge
}

function withLf(text: string): string {
  return text.replaceAll('\r\n', '\n')
}

function mergeTexts({ base, disk, next }: Versions): Merge {
  if (disk === next) return { kind: 'keep', reason: 'as it is' }
  if (base === next)
    return { kind: 'keep', reason: disk === undefined ? 'deleted by you' : 'changed by you alone' }
  if (disk === undefined) {
    if (base === undefined) return { kind: 'write', text: next, reason: 'new' }
    return { kind: 'keep', reason: 'deleted by you' }
  }
  if (disk === base) return { kind: 'write', text: next, reason: 'as emitted last time' }
  if (base === undefined) {
    return {
      kind: 'conflict',
      reason: 'exists, and .strata/base has no record that strata wrote it',
      hunks: [],
    }
  }
  return mergeLines(base, disk, next)
}

function mergeLines(base: string, disk: string, next: string): Merge {
  const regions = diff3Merge(lines(disk), lines(base), lines(next), { excludeFalseConflicts: true })
  const hunks = regions.flatMap(({ conflict }) =>
    conflict ? [showHunk(conflict.a, conflict.b)] : [],
  )
  if (hunks.length > 0)
    return { kind: 'conflict', reason: 'you and the generator changed the same lines', hunks }
  const text = regions.flatMap(({ ok }) => ok ?? []).join('\n')
  return text === disk
    ? { kind: 'keep', reason: 'as it is' }
    : { kind: 'write', text, reason: 'merged with your changes', risk: 'review' }
}

function showHunk(yours: readonly string[], ours: readonly string[]): string {
  return ['<<<<<<< yours', ...yours, '=======', ...ours, '>>>>>>> generated'].join('\n')
}

function lines(text: string): string[] {
  return text.split('\n')
}
