import type { Merge } from '../merge/merge.ts'
import { isSameText } from '../merge/same-text.ts'

/** Removes a file that is no longer generated. Returns a conflict if a person changed more than its layout. */
export async function removeFile(
  path: string,
  { base, disk }: { base?: string | undefined; disk?: string | undefined },
): Promise<Merge> {
  if (disk === undefined) return { kind: 'keep', reason: 'already deleted' }
  if (base !== undefined && (await isSameText(path, disk.replaceAll('\r\n', '\n'), base))) {
    return { kind: 'remove', reason: 'is no longer generated' }
  }
  return {
    kind: 'conflict',
    reason: 'is no longer generated, and you changed it: move your code to another file',
    hunks: [],
  }
}
