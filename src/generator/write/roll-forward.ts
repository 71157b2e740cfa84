import type { Disk } from './disk.ts'
import { diskFailure, nextRunCompletes } from './disk-failure.ts'
import type { Journal, Step } from './journal.ts'
import { removeIfEmpty, removeTree, tryRemove } from './remove.ts'
import { parents } from './safe-path.ts'
import { workplace } from './workplace.ts'

/**
 * Carries out the steps that are left of a committed journal, checked by the caller just before, and
 * removes journal and staging. Throws StrataError 'failure' if the operating system refuses; the
 * journal then stays for the next run.
 */
export function rollForward(
  disk: Disk,
  root: string,
  journal: Journal,
  left: readonly Step[],
): void {
  const place = workplace(root)
  try {
    // The commit reaches the disk before what it decides. What follows needs no further flush:
    // journaling file systems keep the order of renames and removals.
    disk.syncFolder(place.home)
    for (const step of left) execute(disk, root, step)
    for (const step of journal.steps) {
      if (step.kind === 'delete') removeEmptied(disk, root, step.path)
    }
    disk.removeFile(place.journal)
  } catch (error) {
    throw diskFailure(error, nextRunCompletes)
  }
  // The change is done; what is left of staging and can't go is the next run's to discard.
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
    if (disk.look(`${root}/${folder}`) === undefined) disk.makeFolder(`${root}/${folder}`)
  }
  disk.rename(`${workplace(root).staging}/${step.staged}`, full)
}

/** The folders above a deleted file, as far up as the delete has emptied them. */
function removeEmptied(disk: Disk, root: string, path: string): void {
  for (const folder of parents(path)) if (!removeIfEmpty(disk, `${root}/${folder}`)) return
}
