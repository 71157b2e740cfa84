import { findAppProcesses, sendSignal } from './app-processes.ts'
import type { InstanceFile } from './instance-file.ts'
import { isAlive, type ProcessIdentity, readBootId } from './proc.ts'
import { identityOf, instanceOf, type RuntimeContext } from './start-app.ts'

/**
 * Adopts the apps of a previous daemon. A process is an app's leader only if pid, start time and boot id match the
 * instance file. If the file has no pid (an interrupted start), the mark (a unique environment variable) identifies the
 * processes. An app without a living leader is killed.
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
}

async function adopt(file: InstanceFile, context: RuntimeContext): Promise<void> {
  const { apps, ports, files, logs, report } = context
  const leader = file.process ?? (await findLeader(file))
  const identity = identityOf(file, leader ?? { pid: -1, startTime: file.since })
  if (!leader || !isAlive(leader)) {
    await apps.cleanUp(file.name, file.environmentId, identity)
    return
  }
  // The previous daemon may have died while it held the app.
  sendSignal(-leader.pid, 'SIGCONT')
  if (!file.process) await files.write({ ...file, process: leader })
  ports.markTaken(file.port)
  apps.add(instanceOf(file, leader.pid), identity, { child: null, persisted: Promise.resolve() })
  await logs
    ?.attach(file.environmentId)
    .catch((error) => report(`${file.name} runs, but its output can't be read`, error))
}

/** Returns the oldest session leader with the app's mark. All other processes with the mark are its descendants. */
async function findLeader(file: InstanceFile): Promise<ProcessIdentity | undefined> {
  const processes = await findAppProcesses(identityOf(file, { pid: -1, startTime: file.since }))
  const leaders = processes.filter(({ pid, group, session }) => pid === group && pid === session)
  const [first] = leaders.sort((one, other) => one.startTime - other.startTime)
  return first && { pid: first.pid, startTime: first.startTime }
}
