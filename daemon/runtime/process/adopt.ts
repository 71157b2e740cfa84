import { logKey, parseInstanceName } from '../../domain/process-names.ts'
import { type AppIdentity, findAppProcesses } from './app-processes.ts'
import { signalApp } from './hold-app.ts'
import type { InstanceFile } from './instance-file.ts'
import { isAlive, isInGroupOfApp, type ProcessIdentity, readBootId, readStat } from './proc.ts'
import { identityOf, instanceOf, type RuntimeContext } from './start-app.ts'

/**
 * Adopts the apps of a previous daemon. A process is an app's leader only if pid, start time and boot id match the
 * instance file. If the file has no pid (an interrupted start), the mark (a unique environment variable) identifies the
 * processes. An app without a living leader is killed, and so is a process that is not in its group: an older daemon
 * started it without walls, or its start was interrupted.
 */
export async function adoptInstances(context: RuntimeContext): Promise<void> {
  const bootId = readBootId()
  const files = await context.files.list()
  const adoptions = files.map(async (file) => {
    try {
      if (file.bootId === bootId) await adopt(file, context)
      else await context.files.remove(file.name)
    } catch (error) {
      context.report(`${file.name} can't be adopted`, error)
    }
  })
  await Promise.all(adoptions)
  const names = new Set(files.map(({ name }) => name))
  for (const group of context.walls.groups()) {
    if (parseInstanceName(group) && !names.has(group)) await context.walls.end(group)
  }
}

async function adopt(file: InstanceFile, context: RuntimeContext): Promise<void> {
  const { apps, ports, files, logs, report } = context
  const leader = file.process ?? (await findLeader(file))
  const identity = identityOf(file, leader ?? { pid: -1, startTime: file.since })
  if (leader && isOfOtherFolder(identity, context)) {
    // The data folder is a copy: the app belongs to the original.
    await files.remove(file.name)
    return
  }
  if (!leader || !isAlive(leader) || !isInPlace(identity, file, context)) {
    await apps.cleanUp(file.name, logKey(file.environmentId, file.processName), identity)
    return
  }
  // The previous daemon may have died while it held the app.
  signalApp(identity, 'SIGCONT', context.walls)
  if (!file.process) await files.write({ ...file, process: leader })
  ports.markTaken(file.port)
  apps.add(instanceOf(file, leader.pid), identity, { child: null, persisted: Promise.resolve() })
  await logs
    ?.attach(logKey(file.environmentId, file.processName))
    .catch((error) => report(`${file.name} runs, but its output can't be read`, error))
}

/** Returns true if the process is in a group of another data folder. */
function isOfOtherFolder({ pid, group }: AppIdentity, { walls }: RuntimeContext): boolean {
  const members = walls.members(group)
  return members !== undefined && !members.includes(pid) && isInGroupOfApp(pid)
}

/** Returns true if the leader is in its group, and not stopped on the way into it. */
function isInPlace(
  { pid, group }: AppIdentity,
  file: InstanceFile,
  { walls }: RuntimeContext,
): boolean {
  const members = walls.members(group)
  if (members === undefined) return true
  return members.includes(pid) && (file.process !== null || readStat(pid)?.state !== 'T')
}

/** Returns the oldest session leader with the app's mark. All other processes with the mark are its descendants. */
async function findLeader(file: InstanceFile): Promise<ProcessIdentity | undefined> {
  const processes = await findAppProcesses(identityOf(file, { pid: -1, startTime: file.since }))
  const leaders = processes.filter(({ pid, group, session }) => pid === group && pid === session)
  const [first] = leaders.sort((one, other) => one.startTime - other.startTime)
  return first && { pid: first.pid, startTime: first.startTime }
}
