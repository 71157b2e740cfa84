import { DaemonError } from '../../errors.ts'
import type { Clock } from '../../ports.ts'
import { hasMark, listProcesses, type ProcessIdentity, type ProcessStat } from './proc.ts'

/** What an app consists of: its first process, and the mark that all its processes inherit. */
export interface Family extends ProcessIdentity {
  readonly mark: string
}

/** How long killed processes may take to vanish. */
const killMs = 10_000

/**
 * The processes of an app that run: its group and session, and those that left both but carry its mark. A group whose
 * number now belongs to a later process is nobody's: the system gives it away only when it has no members.
 *
 * `before` are those found a moment ago: a process on its way out gives up its memory, and the mark in it, while its port
 * is still open.
 */
export async function membersOf(
  { pid, startTime, mark }: Family,
  before: readonly ProcessIdentity[] = [],
): Promise<ProcessStat[]> {
  const processes = await listProcesses(startTime)
  const isReused = processes.some((each) => each.pid === pid && each.startTime !== startTime)
  const wasFound = (each: ProcessIdentity) =>
    before.some((one) => one.pid === each.pid && one.startTime === each.startTime)
  return processes.filter(
    (each) =>
      each.pid !== process.pid &&
      ((!isReused && (each.group === pid || each.session === pid)) ||
        wasFound(each) ||
        hasMark(each.pid, mark)),
  )
}

/** Kills an app's processes, and those that they start meanwhile, until there are none. Throws `internal` when some stay. */
export async function killMembers(family: Family, clock: Clock): Promise<void> {
  const deadline = clock.now() + killMs
  let members: ProcessStat[] = []
  for (let waitMs = 2; ; waitMs = Math.min(waitMs * 2, 100)) {
    members = await membersOf(family, members)
    if (members.length === 0) return
    for (const { pid } of members) send(pid, 'SIGKILL')
    if (clock.now() > deadline) {
      const pids = members.map(({ pid }) => pid).join(', ')
      throw new DaemonError('internal', `the processes ${pids} don't end, not even when killed`)
    }
    await clock.wait(waitMs)
  }
}

/** Sends a signal to a process, or to the group `-pid`; one that has just ended needs none. */
export function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
