import { randomBytes } from 'node:crypto'
import { DaemonError } from '../../errors.ts'
import type { AppSpec, Clock, Instance } from '../../ports.ts'
import { appEnvironment, markName } from './app-environment.ts'
import type { AppLimits } from './cgroups.ts'
import type { InstanceFile, InstanceFiles } from './instance-file.ts'
import { type Launched, launch } from './launch.ts'
import { type Family, killMembers } from './members.ts'
import type { PortPool } from './port-pool.ts'
import { isAlive, readBootId, readStat } from './proc.ts'
import type { RunningApps } from './running-apps.ts'
import type { RuntimeLogs } from './runtime-logs.ts'

export interface RuntimeContext {
  readonly apps: RunningApps
  readonly clock: Clock
  readonly files: InstanceFiles
  readonly ports: PortPool
  readonly limits: AppLimits
  readonly logs: RuntimeLogs | undefined
  readonly appUser: { readonly uid: number; readonly gid: number } | null
  readonly hostEnv: Readonly<NodeJS.ProcessEnv>
  readonly report: (note: string, error?: unknown) => void
}

/**
 * Starts an app, or finds that it runs. It is written down twice: before its process exists, so that a daemon that dies in
 * between leaves nothing that its successor can't find (by the mark in the process's environment), and after.
 */
export async function startApp(app: AppSpec, context: RuntimeContext): Promise<Instance> {
  const { apps, files, ports, clock } = context
  const present = apps.find(app.name)
  if (present && isAlive(present.family)) return present.instance
  await present?.gone
  checkName(app.name)
  const port = await takePort(app, ports)
  const intent: InstanceFile = {
    name: app.name,
    environmentId: app.environmentId,
    nonce: randomBytes(16).toString('hex'),
    bootId: readBootId(),
    port,
    startedAt: clock.now(),
    since: readStat(process.pid)?.startTime ?? 0,
    process: null,
  }
  let launched: Launched
  try {
    await files.write(intent)
    launched = await launchWith(app, intent, context)
  } catch (error) {
    await undo(app, intent, context)
    if (error instanceof DaemonError) throw error
    const { code = 'unknown error' } = error as NodeJS.ErrnoException
    throw new DaemonError(
      'internal',
      `${app.name} can't be started: ${code}; look whether the data folder is full`,
      { cause: error },
    )
  }
  const { child, identity } = launched
  const instance = instanceOf(intent, identity.pid)
  const family = familyOf(intent, identity)
  const written = files.write({ ...intent, process: identity }).catch((error) => {
    // The intent stands, and finds the process as well.
    context.report(`${app.name}: its process could not be written down`, error)
  })
  apps.add(instance, family, { child, written })
  await written
  return instance
}

export function instanceOf(file: InstanceFile, pid: number): Instance {
  const { name, environmentId, port, startedAt } = file
  return { name, environmentId, pid, port, startedAt }
}

export function familyOf(
  { name, nonce }: InstanceFile,
  { pid, startTime }: { pid: number; startTime: number },
): Family {
  return { pid, startTime, mark: `${markName}=${name}.${nonce}` }
}

async function launchWith(
  app: AppSpec,
  file: InstanceFile,
  { logs, limits, appUser, hostEnv, report }: RuntimeContext,
): Promise<Launched> {
  const mark = `${file.name}.${file.nonce}`
  const env = appEnvironment(app, { port: file.port, mark, host: hostEnv })
  const output = await logs?.openRaw(app.environmentId)
  try {
    return await launch(app, {
      env,
      stdout: output?.stdout ?? 'ignore',
      stderr: output?.stderr ?? 'ignore',
      user: appUser,
      onSpawn(pid) {
        try {
          limits.enter(app.name, pid, app.launch.memoryMb)
        } catch (error) {
          report(`${app.name} runs without limits`, error)
        }
      },
    })
  } finally {
    await output?.close()
  }
}

async function takePort({ launch: { port } }: AppSpec, ports: PortPool): Promise<number> {
  if (port === null) return ports.take()
  await ports.takeFixed(port)
  return port
}

/** The process may exist although its start failed. */
async function undo(app: AppSpec, file: InstanceFile, context: RuntimeContext): Promise<void> {
  const { files, ports, logs, clock, report } = context
  try {
    await killMembers(familyOf(file, { pid: -1, startTime: file.since }), clock)
    await logs?.detach(app.environmentId)
    await files.remove(app.name)
  } catch (error) {
    report(`${app.name}: what is left of its failed start could not be removed`, error)
  } finally {
    ports.release(file.port)
  }
}

/** It is the name of a file, and part of a variable. */
function checkName(name: string): void {
  if (/^[a-z0-9][a-z0-9_-]{0,99}$/i.test(name)) return
  throw new DaemonError('internal', `${JSON.stringify(name)} is no name for an app`)
}
