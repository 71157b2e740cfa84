import type { Merge } from '../merge/merge.ts'

/** Removes a file that is no longer generated. Returns a conflict if a person edited the file. */
export function removeFile({
  base,
  disk,
}: {
  base?: string | undefined
  disk?: string | undefined
}): Merge {
  if (disk === undefined) return { kind: 'keep', reason: 'already deleted' }
  if (base !== undefined && disk.replaceAll('\r\n', '\n') === base) {
    return { kind: 'remove', reason: 'is no longer generated' }
  }
  return {
    kind: 'conflict',
    reason: 'is no longer generated, and you changed it: move your code to another file',
    hunks: [],
  }
}
