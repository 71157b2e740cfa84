import { basename, dirname, resolve } from 'node:path'
import { StrataError } from '../errors.ts'
import type { Plan } from '../plan/plan.ts'
import { type Disk, type Entry, hasCode, isDiskError, nodeDisk } from './disk.ts'
import { diskFailure, nothingChanged } from './disk-failure.ts'
import { nodeProcesses, ownerOfToken, type Processes, tokenOf } from './owner.ts'
import { removeTree, tryRemove } from './remove.ts'
import { checkPathTexts, parents } from './safe-path.ts'

export interface CreateOptions {
  readonly disk?: Disk
  readonly processes?: Processes
}

/**
 * Writes a new project: a plan of `create` and `skip` at `target` (a path; its parent exists),
 * which must be missing or an empty folder. The tree is written beside the target and moved there
 * by one rename, so the target is never half a project. Throws StrataError 'usage' for an unsafe
 * path, 'conflict' if the target is taken, 'failure' if the operating system refuses.
 */
export function createProject(target: string, plan: Plan, options: CreateOptions = {}): void {
  const { disk = nodeDisk, processes = nodeProcesses } = options
  const root = resolve(target)
  const staging = `${stagingPrefix(root)}${tokenOf(processes.self())}`
  checkPathTexts(plan.actions.map((action) => action.path))
  try {
    const entry = checkTarget(disk, root)
    removeLeftovers(disk, root, processes)
    disk.makeFolder(staging, entry?.mode)
    writeTree(disk, staging, plan)
    moveInto(disk, staging, root)
  } catch (error) {
    if (isDiskError(error) || error instanceof StrataError) {
      tryRemove(() => removeTree(disk, staging))
    }
    throw diskFailure(error, nothingChanged)
  }
}

/**
 * No file is flushed: a kill can't lose what was written, and a power cut in these seconds costs a
 * project nobody has worked in, not a user's text. It would cost a tenth of the command's time.
 */
function writeTree(disk: Disk, staging: string, plan: Plan): void {
  const made = new Set<string>()
  for (const action of plan.actions) {
    if (action.kind === 'skip') continue
    if (action.kind !== 'create') {
      throw new StrataError('conflict', `${action.path} does not exist in a new project`)
    }
    for (const folder of parents(action.path).reverse()) {
      if (!made.has(folder)) disk.makeFolder(`${staging}/${folder}`)
      made.add(folder)
    }
    const mode = action.secret ? 0o600 : undefined
    disk.write(`${staging}/${action.path}`, action.after, { mode })
  }
}

/** The rename itself refuses a target that someone filled while the tree was staged. */
function moveInto(disk: Disk, staging: string, root: string): void {
  try {
    disk.rename(staging, root)
  } catch (error) {
    if (hasCode(error, 'ENOTEMPTY', 'EEXIST')) throw isTaken(root, 'is not empty')
    if (hasCode(error, 'ENOTDIR')) throw isTaken(root, 'is not a folder')
    throw error
  }
}

/** Throws StrataError where a new project can not stand at `root`; gives the empty folder that is there. */
export function checkTarget(disk: Disk, root: string): Entry | undefined {
  const parent = dirname(root)
  if (disk.look(parent) === undefined) {
    throw new StrataError('failure', `the folder ${parent} does not exist: make it first`)
  }
  const entry = disk.look(root)
  if (entry === undefined) return undefined
  if (entry.kind === 'symlink') throw isTaken(root, 'is a symlink')
  if (entry.kind !== 'folder') throw isTaken(root, 'is not a folder')
  if (disk.list(root).length > 0) throw isTaken(root, 'is not empty')
  return entry
}

/** Removes what an init of the same name left that was killed. */
function removeLeftovers(disk: Disk, root: string, processes: Processes): void {
  const parent = dirname(root)
  const prefix = basename(stagingPrefix(root))
  for (const name of disk.list(parent)) {
    if (!name.startsWith(prefix)) continue
    const owner = ownerOfToken(name.slice(prefix.length))
    if (owner === undefined || processes.isAlive(owner)) continue
    // In a shared folder it can be another user's; that does not stop this one's project.
    tryRemove(() => removeTree(disk, resolve(parent, name)))
  }
}

function stagingPrefix(root: string): string {
  return resolve(dirname(root), `.${basename(root)}.strata-`)
}

function isTaken(root: string, what: string): StrataError {
  return new StrataError(
    'conflict',
    `${root} ${what}, so ${nothingChanged}: choose another name, or empty the folder`,
  )
}
