import type { Disk } from './disk.ts'
import { diskFailure, nextRunCompletes } from './disk-failure.ts'
import type { Journal, Step } from './journal.ts'
import { removeIfEmpty, removeTree, tryRemove } from './remove.ts'
import { parents } from './safe-path.ts'
import { temporaryPaths } from './temporary-paths.ts'

/**
 * Executes the remaining steps of a committed journal, then removes the journal and the staging folder.
 * The caller must check the steps just before. Throws StrataError 'failure' for an error of the operating
 * system; the journal then stays for the next run.
 */
export function rollForward(
  disk: Disk,
  root: string,
  journal: Journal,
  remaining: readonly Step[],
): void {
  const place = temporaryPaths(root)
  try {
    // Flushes the journal before any step. The steps need no flush: journaling file systems keep the
    // order of renames and removals.
    disk.syncFolder(place.home)
    for (const step of remaining) execute(disk, root, step)
    for (const step of journal.steps) {
      if (step.kind === 'delete') removeEmptied(disk, root, step.path)
    }
    disk.removeFile(place.journal)
  } catch (error) {
    throw diskFailure(error, nextRunCompletes)
  }
  // The change is complete. If the staging folder can't be removed, the next run discards it.
  tryRemove(() => {
    removeTree(disk, place.staging)
    removeIfEmpty(disk, place.home)
  })
}

function execute(disk: Disk, root: string, step: Step): void {
  const full = `${root}/${step.path}`
  if (step.kind === 'delete') {
    disk.removeFile(full)
    return
  }
  for (const folder of parents(step.path).reverse()) {
    if (disk.stat(`${root}/${folder}`) === undefined) disk.makeFolder(`${root}/${folder}`)
  }
  disk.rename(`${temporaryPaths(root).staging}/${step.staged}`, full)
}

/** Removes the folders above a deleted file, up to the first folder that is not empty. */
function removeEmptied(disk: Disk, root: string, path: string): void {
  for (const folder of parents(path)) if (!removeIfEmpty(disk, `${root}/${folder}`)) return
}
