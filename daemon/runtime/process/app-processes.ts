import { DaemonError } from '../../errors.ts'
import type { Clock } from '../../ports.ts'
import { hasMark, listProcesses, type ProcessIdentity, type ProcessStat } from './proc.ts'

/**
 * Identifies an app's processes by the leader (the first process) and by the mark (an inherited environment variable).
 */
export interface AppIdentity extends ProcessIdentity {
  readonly mark: string
}

/** Maximum time for killed processes to end. */
const exitTimeoutMs = 10_000

/**
 * Returns the live processes of an app: the leader's group and session, and other processes with the mark. Ignores the
 * group if the leader's pid was reused: the system reuses a pid only after its group is empty. `known` processes stay
 * in the result until they end: an exiting process loses its mark while its port is still open.
 */
export async function findAppProcesses(
  { pid, startTime, mark }: AppIdentity,
  known: readonly ProcessIdentity[] = [],
): Promise<ProcessStat[]> {
  const processes = await listProcesses(startTime)
  const isReused = processes.some((each) => each.pid === pid && each.startTime !== startTime)
  const isKnown = (each: ProcessIdentity) =>
    known.some((one) => one.pid === each.pid && one.startTime === each.startTime)
  return processes.filter(
    (each) =>
      each.pid !== process.pid &&
      ((!isReused && (each.group === pid || each.session === pid)) ||
        isKnown(each) ||
        hasMark(each.pid, mark)),
  )
}

/** Kills an app's processes, including new child processes, until none is left. Throws `internal` if some survive. */
export async function killAppProcesses(identity: AppIdentity, clock: Clock): Promise<void> {
  const deadline = clock.now() + exitTimeoutMs
  let members: ProcessStat[] = []
  for (let waitMs = 2; ; waitMs = Math.min(waitMs * 2, 100)) {
    members = await findAppProcesses(identity, members)
    if (members.length === 0) return
    for (const { pid } of members) sendSignal(pid, 'SIGKILL')
    if (clock.now() > deadline) {
      const pids = members.map(({ pid }) => pid).join(', ')
      throw new DaemonError('internal', `the processes ${pids} survive SIGKILL`)
    }
    await clock.wait(waitMs)
  }
}

/** Sends a signal to a process, or to a process group if `pid` is negative. No-op if the target has ended. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
