import type { InstanceFile } from './instance-file.ts'
import { membersOf } from './members.ts'
import { isAlive, type ProcessIdentity, readBootId } from './proc.ts'
import { familyOf, instanceOf, type RuntimeContext } from './start-app.ts'

/**
 * Takes over what a daemon before this one started. An app is the one written down only if pid, start time and boot are;
 * one whose start was cut short is found by its mark. What is left of an app without its first process is ended.
 */
export async function adoptInstances(context: RuntimeContext): Promise<void> {
  const bootId = readBootId()
  const files = await context.files.list()
  const adoptions = files.map(async (file) => {
    try {
      if (file.bootId === bootId) await adopt(file, context)
      else await context.files.remove(file.name)
    } catch (error) {
      context.report(`${file.name} can't be taken over`, error)
    }
  })
  await Promise.all(adoptions)
}

async function adopt(file: InstanceFile, context: RuntimeContext): Promise<void> {
  const { apps, ports, files, logs, report } = context
  const leader = file.process ?? (await findLeader(file))
  const family = familyOf(file, leader ?? { pid: -1, startTime: file.since })
  if (!leader || !isAlive(leader)) {
    await apps.cleanUp(file.name, file.environmentId, family)
    return
  }
  if (!file.process) await files.write({ ...file, process: leader })
  ports.keep(file.port)
  apps.add(instanceOf(file, leader.pid), family, { child: null, written: Promise.resolve() })
  await logs
    ?.attach(file.environmentId)
    .catch((error) => report(`${file.name} runs, but its output can't be read`, error))
}

/** The process that leads a session of its own, as it was started; others with the mark come from it. */
async function findLeader(file: InstanceFile): Promise<ProcessIdentity | undefined> {
  const members = await membersOf(familyOf(file, { pid: -1, startTime: file.since }))
  const leaders = members.filter(({ pid, group, session }) => pid === group && pid === session)
  const [first] = leaders.sort((one, other) => one.startTime - other.startTime)
  return first && { pid: first.pid, startTime: first.startTime }
}
