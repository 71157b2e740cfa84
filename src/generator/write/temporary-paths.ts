import { StrataError } from '../errors.ts'
import { type Disk, hasCode } from './disk.ts'

/** Paths of a run's temporary files. A successful run removes all of them. */
export interface TemporaryPaths {
  readonly home: string
  readonly lock: string
  readonly staging: string
  /** The uncommitted journal. It is in the staging folder, so that discarding the folder discards it. */
  readonly draft: string
  /** The committed journal. If this file exists, the change must be completed. */
  readonly journal: string
}

export function temporaryPaths(root: string): TemporaryPaths {
  const home = `${root}/.strata`
  return {
    home,
    lock: `${home}/lock`,
    staging: `${home}/staging`,
    draft: `${home}/staging/journal.json`,
    journal: `${home}/journal.json`,
  }
}

/** Returns true for project paths that a plan may not contain. */
export function isReserved(path: string): boolean {
  return /^\.strata(\/(lock|staging|journal\.json)([./].*)?)?$/i.test(path)
}

/** Creates `.strata` if it is missing. Throws StrataError 'conflict' if it is not a folder. */
export function openHome(disk: Disk, root: string): TemporaryPaths {
  const place = temporaryPaths(root)
  if (disk.stat(place.home) === undefined) makeHome(disk, place.home)
  if (disk.stat(place.home)?.kind === 'folder') return place
  throw new StrataError('conflict', '.strata is not a folder: move it away and run again')
}

function makeHome(disk: Disk, home: string): void {
  try {
    disk.makeFolder(home)
  } catch (error) {
    // Ignored: another run created the folder at the same time.
    if (!hasCode(error, 'EEXIST')) throw error
  }
}
