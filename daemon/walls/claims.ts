import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { lockOfHost } from '../instance-lock.ts'
import { usersWithProcesses } from './user-processes.ts'

/** Claims of user ids by the daemons of this host. The system removes all claims at a boot. */
export interface Claims {
  /** Returns true if the user id belongs to this data folder from now on, or already did. */
  take(uid: number): Promise<boolean>
  release(uid: number): void
  /** Returns true if the user id belongs to any data folder of this host. */
  has(uid: number): boolean
}

/** Maximum time to wait for the claims of other daemons. */
const lockMs = 10_000

/** `folder` holds a file for each claimed id, with the path of the data folder as its content. */
export function openClaims(dataDir: string, folder = '/run/strata/uids'): Claims {
  mkdirSync(folder, { recursive: true, mode: 0o755 })
  const pathOf = (uid: number) => join(folder, String(uid))

  function create(uid: number): boolean {
    const draft = join(folder, `.${uid}.${process.pid}`)
    writeFileSync(draft, dataDir, { mode: 0o600 })
    try {
      linkSync(draft, pathOf(uid))
      return true
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
      throw error
    } finally {
      rmSync(draft, { force: true })
    }
  }

  /** Takes the claim of a data folder that no longer exists, unless processes of the user still live. */
  async function takeOver(uid: number): Promise<boolean> {
    const unlock = await lockOfHost(`${folder}.lock`, lockMs)
    if (!unlock) return false
    try {
      const owner = readOwner(pathOf(uid))
      if (owner === undefined) return create(uid)
      if (existsSync(owner) || usersWithProcesses().has(uid)) return false
      const draft = join(folder, `.${uid}.${process.pid}`)
      writeFileSync(draft, dataDir, { mode: 0o600 })
      renameSync(draft, pathOf(uid))
      return true
    } finally {
      unlock()
    }
  }

  return {
    async take(uid) {
      if (create(uid)) return true
      const owner = readOwner(pathOf(uid))
      return owner === dataDir || ((owner === undefined || !existsSync(owner)) && takeOver(uid))
    },
    release(uid) {
      if (readOwner(pathOf(uid)) === dataDir) rmSync(pathOf(uid), { force: true })
    },
    has: (uid) => existsSync(pathOf(uid)),
  }
}

function readOwner(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
