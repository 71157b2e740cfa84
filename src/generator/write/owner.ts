import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { hasCode, isDiskError } from './disk.ts'

/** One run of strata, told apart from every other that ever was. */
export interface Owner {
  readonly pid: number
  /** When the process started, in the kernel's ticks since boot; '0' where that can't be known. */
  readonly start: string
  /** 12 hex digits. */
  readonly id: string
  readonly host: string
}

/** The processes of this machine, as the writer needs to know them. */
export interface Processes {
  self(): Owner
  /** False only if the owner is surely gone. */
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
    // A container or another machine on the same share: its processes can't be seen from here.
    if (owner.host !== hostname()) return true
    if (!exists(owner.pid)) return false
    const status = statusOf(owner.pid)
    if (status === undefined) return true
    // A zombie holds its pid and nothing else; a later process got the pid of the one before.
    if (status.state === 'Z' || status.state === 'X') return false
    return owner.start === '0' || status.start === owner.start
  },
}

/** An owner as part of a file name; the host is left out. */
export function tokenOf({ pid, start, id }: Owner): string {
  return `${pid}-${start}-${id}`
}

/** Reads a token back, on the assumption that it was written on this host. */
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

/** From /proc/<pid>/stat, whose second field is a name that can hold spaces and parentheses. */
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
