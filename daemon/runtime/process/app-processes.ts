import { DaemonError } from '../../errors.ts'
import type { Clock, GroupEnd, Walls } from '../../ports.ts'
import {
  hasEnded,
  hasMark,
  listProcesses,
  type ProcessIdentity,
  type ProcessStat,
  readStat,
} from './proc.ts'

/**
 * Identifies an app's processes by the group; on hosts without groups, by the leader (the first process) and by the
 * mark (an inherited environment variable).
 */
export interface AppIdentity extends ProcessIdentity {
  readonly group: string
  readonly mark: string
}

/** Finds and ends the processes of apps. */
export interface AppProcesses {
  /** Returns the live processes of an app. `known` processes are searched too, until they end. */
  find(identity: AppIdentity, known?: readonly ProcessIdentity[]): Promise<ProcessStat[]>
  /** Kills an app's processes until none is left. Throws `internal` if some survive. */
  kill(identity: AppIdentity): Promise<GroupEnd>
}

export function createAppProcesses({
  walls,
  clock,
}: {
  walls: Pick<Walls, 'members' | 'end'>
  clock: Clock
}): AppProcesses {
  return {
    async find(identity, known) {
      const members = walls.members(identity.group)
      if (!members) return findAppProcesses(identity, known)
      return members.flatMap((pid) => readStat(pid) ?? []).filter((stat) => !hasEnded(stat))
    },
    async kill(identity) {
      const end = await walls.end(identity.group)
      // An interrupted start leaves a process that is not yet in its group.
      await killAppProcesses(identity, clock)
      return end
    },
  }
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

/** Kills the processes of an app that its leader or its mark identifies. */
async function killAppProcesses(identity: AppIdentity, clock: Clock): Promise<void> {
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
