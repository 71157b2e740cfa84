import { StrataError } from '../errors.ts'
import { type Disk, hasCode } from './disk.ts'

/** Where a run keeps what it needs while it runs. None of it outlives a run that ends well. */
export interface Workplace {
  readonly home: string
  readonly lock: string
  readonly staging: string
  /** The journal before it counts; inside staging, so that discarding staging discards it. */
  readonly draft: string
  /** From the moment this exists, the change is decided and only has to be completed. */
  readonly journal: string
}

export function workplace(root: string): Workplace {
  const home = `${root}/.strata`
  return {
    home,
    lock: `${home}/lock`,
    staging: `${home}/staging`,
    draft: `${home}/staging/journal.json`,
    journal: `${home}/journal.json`,
  }
}

/** True for paths of a project that no plan may name. */
export function isReserved(path: string): boolean {
  return /^\.strata(\/(lock|staging|journal\.json)([./].*)?)?$/i.test(path)
}

/** Makes `.strata` if it is missing. Throws StrataError 'conflict' if it is no real folder. */
export function openHome(disk: Disk, root: string): Workplace {
  const place = workplace(root)
  if (disk.look(place.home) === undefined) makeHome(disk, place.home)
  if (disk.look(place.home)?.kind === 'folder') return place
  throw new StrataError('conflict', '.strata is not a folder: move it away and run again')
}

function makeHome(disk: Disk, home: string): void {
  try {
    disk.makeFolder(home)
  } catch (error) {
    // Another run that began at the same moment was faster.
    if (!hasCode(error, 'EEXIST')) throw error
  }
}
