import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs'

/** Fields of /proc/<pid>/stat, see proc(5). */
export interface ProcessStat {
  readonly pid: number
  /** `Z` and `X`: the process has ended and waits to be reaped. */
  readonly state: string
  readonly group: number
  readonly session: number
  /** Clock ticks since boot. Together with the pid it identifies a process until the next boot. */
  readonly startTime: number
}

/** Identity of a process, unique even if its pid is reused. */
export type ProcessIdentity = Pick<ProcessStat, 'pid' | 'startTime'>

/** Number of processes read before yielding to the event loop. */
const batchSize = 100

/** Returns the boot id, which is new after each boot. */
export function readBootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
}

/** Reads the status of a process. Returns undefined if the process does not exist. */
export function readStat(pid: number): ProcessStat | undefined {
  return tryRead(() => parseStat(readLine(`/proc/${pid}/stat`)))
}

/** Buffer size above the length of any stat line. One read returns a whole file of /proc. */
const lineBuffer = Buffer.alloc(4_096)

function readLine(path: string): string {
  const file = openSync(path, 'r')
  try {
    return lineBuffer.toString('latin1', 0, readSync(file, lineBuffer))
  } finally {
    closeSync(file)
  }
}

/** Parses a stat line. The program name is in parentheses and may contain any character, including `)`. */
export function parseStat(text: string): ProcessStat | undefined {
  const end = text.lastIndexOf(')')
  const fields = text.slice(end + 2).split(' ')
  const [state, , group, session] = fields
  const startTime = Number(fields[19])
  if (end === -1 || state === undefined || Number.isNaN(startTime)) return undefined
  return {
    pid: Number.parseInt(text, 10),
    state,
    group: Number(group),
    session: Number(session),
    startTime,
  }
}

export function isAlive({ pid, startTime }: ProcessIdentity): boolean {
  const stat = readStat(pid)
  return stat !== undefined && stat.startTime === startTime && !hasEnded(stat)
}

/** Returns the live processes that started at or after `since` (clock ticks since boot). */
export async function listProcesses(since: number): Promise<ProcessStat[]> {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const found: ProcessStat[] = []
  for (const [index, pid] of pids.entries()) {
    if (index % batchSize === batchSize - 1) await new Promise(setImmediate)
    const stat = readStat(Number(pid))
    if (stat && stat.startTime >= since && !hasEnded(stat)) found.push(stat)
  }
  return found
}

/** Returns true if the process's initial environment contains `mark` (`NAME=value`). Children inherit it. */
export function hasMark(pid: number, mark: string): boolean {
  const environment = tryRead(() => readFileSync(`/proc/${pid}/environ`))
  return environment !== undefined && `\0${environment.toString('latin1')}`.includes(`\0${mark}\0`)
}

/** Returns true if a process is in a control group that a daemon made for an app. */
export function isInGroupOfApp(pid: number): boolean {
  const groups = tryRead(() => readFileSync(`/proc/${pid}/cgroup`, 'utf8'))
  return groups !== undefined && /\/strata-[0-9a-f]{12}\/strata-\d+$/m.test(groups)
}

/** Returns true for a zombie: its ports are closed, and only its exit code is left. */
export function hasEnded({ state }: ProcessStat): boolean {
  return state === 'Z' || state === 'X'
}

/** Returns undefined if the process has ended meanwhile or belongs to another user. */
function tryRead<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ESRCH' || code === 'EACCES' || code === 'EPERM') {
      return undefined
    }
    throw error
  }
}
