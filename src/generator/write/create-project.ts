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
 * Writes a new project at the path `target`, which must be missing or an empty folder in an existing
 * parent. The plan may contain `create` and `skip`. The tree is written beside the target and moved by
 * one rename, so the target never contains half a project. Throws StrataError 'usage' for an unsafe path,
 * 'conflict' if the target is taken, and 'failure' for an error of the operating system.
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
 * Skip flushing files, which would take a tenth of the command's time. A kill loses no written file; a power failure
 * can only damage a new project without any user's text.
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

/** Renames the staged tree. The rename fails if the target was filled during staging. */
function moveInto(disk: Disk, staging: string, root: string): void {
  try {
    disk.rename(staging, root)
  } catch (error) {
    if (hasCode(error, 'ENOTEMPTY', 'EEXIST')) throw takenError(root, 'is not empty')
    if (hasCode(error, 'ENOTDIR')) throw takenError(root, 'is not a folder')
    throw error
  }
}

/** Returns the empty folder at `root`, if any. Throws StrataError if `root` can't hold a new project. */
export function checkTarget(disk: Disk, root: string): Entry | undefined {
  const parent = dirname(root)
  if (disk.stat(parent) === undefined) {
    throw new StrataError('failure', `the folder ${parent} does not exist: create it first`)
  }
  const entry = disk.stat(root)
  if (entry === undefined) return undefined
  if (entry.kind === 'symlink') throw takenError(root, 'is a symlink')
  if (entry.kind !== 'folder') throw takenError(root, 'is not a folder')
  if (disk.list(root).length > 0) throw takenError(root, 'is not empty')
  return entry
}

/** Removes the staging folders of killed runs of `init` with the same name. */
function removeLeftovers(disk: Disk, root: string, processes: Processes): void {
  const parent = dirname(root)
  const prefix = basename(stagingPrefix(root))
  for (const name of disk.list(parent)) {
    if (!name.startsWith(prefix)) continue
    const owner = ownerOfToken(name.slice(prefix.length))
    if (owner === undefined || processes.isAlive(owner)) continue
    // In a shared folder, another user may own the leftover. Failing to remove it is harmless.
    tryRemove(() => removeTree(disk, resolve(parent, name)))
  }
}

function stagingPrefix(root: string): string {
  return resolve(dirname(root), `.${basename(root)}.strata-`)
}

function takenError(root: string, what: string): StrataError {
  return new StrataError(
    'conflict',
    `${root} ${what}, so ${nothingChanged}: choose another name, or empty the folder`,
  )
}
