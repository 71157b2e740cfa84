import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs'

/** A line of the system's process table (proc(5)). */
export interface ProcessStat {
  readonly pid: number
  /** `Z` and `X` have ended; somebody has only to fetch their exit code. */
  readonly state: string
  readonly group: number
  readonly session: number
  /** In clock ticks since the system started: with the pid it names a process for as long as the system runs. */
  readonly startTime: number
}

/** What names a process, also when its pid has been given to another one. */
export type ProcessIdentity = Pick<ProcessStat, 'pid' | 'startTime'>

/** So many are looked at before others get their turn. */
const atOnce = 100

/** Differs after each start of the system. */
export function readBootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
}

/** Undefined when there is no such process. */
export function readStat(pid: number): ProcessStat | undefined {
  return tryRead(() => parseStat(readLine(`/proc/${pid}/stat`)))
}

/** Longer than any line of stat(5); a file of /proc comes whole with one read. */
const line = Buffer.alloc(4_096)

function readLine(path: string): string {
  const file = openSync(path, 'r')
  try {
    return line.toString('latin1', 0, readSync(file, line))
  } finally {
    closeSync(file)
  }
}

/** The name of the program stands in parentheses and may have any character in it. */
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

/** All that run and did not start before `since`. */
export async function listProcesses(since: number): Promise<ProcessStat[]> {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const found: ProcessStat[] = []
  for (const [index, pid] of pids.entries()) {
    if (index % atOnce === atOnce - 1) await new Promise(setImmediate)
    const stat = readStat(Number(pid))
    if (stat && stat.startTime >= since && !hasEnded(stat)) found.push(stat)
  }
  return found
}

/** Whether a process, or one that it descends from, was started with this in its environment (`NAME=value`). */
export function hasMark(pid: number, mark: string): boolean {
  const environment = tryRead(() => readFileSync(`/proc/${pid}/environ`))
  return environment !== undefined && `\0${environment.toString('latin1')}`.includes(`\0${mark}\0`)
}

/** Its exit code waits to be fetched; its port is closed. */
export function hasEnded({ state }: ProcessStat): boolean {
  return state === 'Z' || state === 'X'
}

/** Processes end while one looks, and some are nobody else's business. */
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
