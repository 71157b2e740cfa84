import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLocks } from '../async/locks.ts'
import { DaemonError } from '../errors.ts'
import type { Store } from '../ports.ts'
import type { Claims } from './claims.ts'
import { processesOf } from './user-processes.ts'

export interface UidRange {
  readonly from: number
  /** Last id of the range, inclusive. */
  readonly to: number
}

/** Gives each project a system user. */
export interface ProjectUsers {
  /** Returns the project's user id. Throws `unprocessable` if no id is free. */
  uidOf(projectId: number): Promise<number>
  /** Returns the id without giving one. */
  find(projectId: number): Promise<number | undefined>
}

/** Folders of the data folder with a folder for each project, which holds files of the project's user. */
export const projectFolders = ['releases', 'volumes', 'cells', 'trash']

/**
 * Gives out ids upwards, so that an id is used again only after all others. An id stays with its project, also after
 * the project's removal, until nothing of the project is left and the range is used up.
 */
export function createProjectUsers(deps: {
  store: Pick<Store, 'projects' | 'projectUsers'>
  range: UidRange
  dataDir: string
  claims: Claims
}): ProjectUsers {
  const { store, range, dataDir, claims } = deps
  const locks = createLocks()
  const find = async (projectId: number) => {
    const rows = await store.projectUsers.list()
    return rows.find((row) => row.projectId === projectId)?.uid
  }

  /** Returns the ids of the range in the order of their use. */
  function* candidates(taken: ReadonlySet<number>): Iterable<number> {
    const last = Math.max(range.from - 1, ...[...taken].filter((uid) => isIn(uid, range)))
    for (let uid = last + 1; uid <= range.to; uid += 1) yield uid
    for (let uid = range.from; uid <= last; uid += 1) if (!taken.has(uid)) yield uid
  }

  async function allocate(): Promise<number | undefined> {
    const rows = await store.projectUsers.list()
    const taken = new Set(rows.map(({ uid }) => uid))
    const foreign = new Set([...idsIn('/etc/passwd'), ...idsIn('/etc/group'), ...owners(dataDir)])
    for (const uid of candidates(taken)) {
      if (!foreign.has(uid) && (await claims.take(uid))) return uid
    }
    return undefined
  }

  async function freeUnused(): Promise<void> {
    const ownersNow = owners(dataDir)
    for (const { projectId, uid } of await store.projectUsers.list()) {
      if (await store.projects.find(projectId)) continue
      if (ownersNow.has(uid) || processesOf(uid).length > 0) continue
      await store.projectUsers.remove(projectId)
      claims.release(uid)
    }
  }

  async function give(projectId: number): Promise<number> {
    const present = await find(projectId)
    if (present !== undefined && isIn(present, range) && (await claims.take(present)))
      return present
    let uid = await allocate()
    if (uid === undefined) {
      await freeUnused()
      uid = await allocate()
    }
    if (uid === undefined) {
      throw new DaemonError(
        'unprocessable',
        `no user id from ${range.from} to ${range.to} is free for project ${projectId}: widen SERVICE_UID_RANGE, or delete projects with their data`,
      )
    }
    await store.projectUsers.set(projectId, uid)
    return uid
  }

  return { find, uidOf: (projectId) => locks.run('users', () => give(projectId)) }
}

/**
 * Throws `internal` if the range overlaps the subordinate ids of another user: containers without root use such ids.
 */
export function checkRange(range: UidRange, file = '/etc/subuid'): void {
  for (const [name = '', from = '', count = ''] of linesOf(file)) {
    const [first, last] = [Number(from), Number(from) + Number(count) - 1]
    if (count === '' || last < range.from || first > range.to) continue
    throw new DaemonError(
      'internal',
      `SERVICE_UID_RANGE ${range.from}-${range.to} overlaps the ids ${first}-${last} of ${name} in ${file}: choose another range`,
    )
  }
}

/** Returns the owners of the files of projects: after a restore, the database may not know all of them. */
function owners(dataDir: string): Set<number> {
  const found = new Set<number>()
  for (const folder of projectFolders.map((name) => join(dataDir, name))) {
    for (const project of namesIn(folder)) {
      const path = join(folder, project)
      for (const each of [path, ...namesIn(path).map((name) => join(path, name))]) {
        const stats = lstatSync(each, { throwIfNoEntry: false })
        if (stats) found.add(stats.uid)
      }
    }
  }
  return found
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Returns the user or group ids of a system file. */
function idsIn(file: string): number[] {
  return linesOf(file).map((fields) => Number(fields[2]))
}

function linesOf(file: string): string[][] {
  try {
    const lines = readFileSync(file, 'utf8').split('\n')
    return lines.filter((line) => line !== '').map((line) => line.split(':'))
  } catch {
    return []
  }
}

function isIn(uid: number, { from, to }: UidRange): boolean {
  return uid >= from && uid <= to
}
