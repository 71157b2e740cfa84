import type { Merge } from './merge-file.ts'

/** What becomes of a file that is no longer generated: it goes, unless a person made it theirs. */
export function removeFile({
  base,
  disk,
}: {
  base?: string | undefined
  disk?: string | undefined
}): Merge {
  if (disk === undefined) return { kind: 'keep', reason: 'gone already' }
  if (base !== undefined && disk.replaceAll('\r\n', '\n') === base) {
    return { kind: 'remove', reason: 'is no longer generated' }
  }
  return {
    kind: 'conflict',
    reason: 'is no longer generated, and you changed it: move what you need of it',
    hunks: [],
  }
}
