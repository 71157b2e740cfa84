import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { hasCode, isDiskError } from './disk.ts'

/** The unique identity of one run of strata. */
export interface Owner {
  readonly pid: number
  /** Start time of the process in kernel ticks since boot; '0' if unknown. */
  readonly start: string
  /** Random id of 12 hex digits. */
  readonly id: string
  readonly host: string
}

/** Access to the processes of this machine. */
export interface Processes {
  self(): Owner
  /** Returns false only if the owner has certainly ended. */
  isAlive(owner: Owner): boolean
}

export const nodeProcesses: Processes = {
  self: () => ({
    pid: process.pid,
    start: statusOf(process.pid)?.start ?? '0',
    id: randomBytes(6).toString('hex'),
    host: hostname(),
  }),
  isAlive: (owner) => {
    // The processes of another container or machine that shares the folder are not visible here.
    if (owner.host !== hostname()) return true
    if (!exists(owner.pid)) return false
    const status = statusOf(owner.pid)
    if (status === undefined) return true
    // A zombie has ended. A different start time means that a later process reuses the pid.
    if (status.state === 'Z' || status.state === 'X') return false
    return owner.start === '0' || status.start === owner.start
  },
}

/** Encodes an owner for a file name, without the host. */
export function tokenOf({ pid, start, id }: Owner): string {
  return `${pid}-${start}-${id}`
}

/** Decodes a token. Assumes that this host wrote it. */
export function ownerOfToken(token: string): Owner | undefined {
  const [, pid, start, id] = /^(\d+)-(\d+)-([0-9a-f]{12})$/.exec(token) ?? []
  if (pid === undefined || start === undefined || id === undefined) return undefined
  return { pid: Number(pid), start, id, host: hostname() }
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return !hasCode(error, 'ESRCH')
  }
}

/** Reads /proc/<pid>/stat. The second field is a name that may contain spaces and parentheses. */
function statusOf(pid: number): { state: string; start: string } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const [state, start] = [fields[0], fields[19]]
    return state === undefined || start === undefined ? undefined : { state, start }
  } catch (error) {
    if (isDiskError(error)) return undefined
    throw error
  }
}
