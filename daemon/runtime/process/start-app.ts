import { randomBytes } from 'node:crypto'
import { fchownSync } from 'node:fs'
import { ownHost } from '../../domain/endpoints.ts'
import { logKey } from '../../domain/process-names.ts'
import { DaemonError } from '../../errors.ts'
import type { AppSpec, Clock, Walls } from '../../ports.ts'
import type { AppIdentity, AppProcesses } from './app-processes.ts'
import type { AppRegistry } from './app-registry.ts'
import type { InstanceFile, InstanceFiles } from './instance-file.ts'
import { type Launched, launch } from './launch.ts'
import type { PortPool } from './port-pool.ts'
import { isAlive, readBootId, readStat } from './proc.ts'
import type { ProcessInstance } from './process-instance.ts'
import { markName, processVariables } from './process-variables.ts'
import type { RuntimeLogs } from './runtime-logs.ts'

export interface RuntimeContext {
  readonly apps: AppRegistry
  readonly clock: Clock
  readonly files: InstanceFiles
  readonly ports: PortPool
  readonly processes: AppProcesses
  readonly walls: Walls
  readonly logs: RuntimeLogs | undefined
  readonly hostEnv: Readonly<NodeJS.ProcessEnv>
  readonly report: (note: string, error?: unknown) => void
}

/**
 * Starts an app, or returns its running instance. The instance file is written before the spawn with the mark, and
 * after the spawn with the pid. If the daemon dies in between, the next daemon finds the process by its mark.
 */
export async function startApp(app: AppSpec, context: RuntimeContext): Promise<ProcessInstance> {
  const { apps, files, ports, clock } = context
  const present = apps.find(app.name)
  if (present && isAlive(present.identity)) return present.instance
  await present?.ended
  checkName(app.name)
  const port = await takePort(app, ports)
  const intent: InstanceFile = {
    name: app.name,
    environmentId: app.environmentId,
    ...(app.process !== undefined && { processName: app.process }),
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
    await cleanUpFailedStart(app, intent, context)
    if (error instanceof DaemonError) throw error
    const { code = 'unknown error' } = error as NodeJS.ErrnoException
    throw new DaemonError(
      'internal',
      `${app.name} can't be started: ${code}; check whether the data folder is full`,
      { cause: error },
    )
  }
  const { child, leader } = launched
  const instance = instanceOf(intent, leader.pid)
  const identity = identityOf(intent, leader)
  const persisted = files.write({ ...intent, process: leader }).catch((error) => {
    // Keep the first version of the file: its mark identifies the process as well.
    context.report(`${app.name}: can't write the pid to the instance file`, error)
  })
  apps.add(instance, identity, { child, persisted })
  await persisted
  return instance
}

export function instanceOf(file: InstanceFile, pid: number): ProcessInstance {
  const { name, environmentId, processName, port, startedAt } = file
  const process = processName === undefined ? {} : { process: processName }
  const endpoint = { host: ownHost, port }
  const common = { name, environmentId, ...process, containerName: name }
  return { ...common, endpoints: [endpoint], pid, port, startedAt }
}

export function identityOf(
  { name, nonce }: InstanceFile,
  { pid, startTime }: { pid: number; startTime: number },
): AppIdentity {
  return { pid, startTime, mark: `${markName}=${name}.${nonce}`, group: name }
}

async function launchWith(
  app: AppSpec,
  file: InstanceFile,
  { logs, walls, hostEnv }: RuntimeContext,
): Promise<Launched> {
  const mark = `${file.name}.${file.nonce}`
  const cell = await walls.cell(app.projectId)
  const home = cell.home ?? app.folder
  const env = processVariables(app, { port: file.port, mark, home, host: hostEnv })
  const output = await logs?.openRaw(logKey(app.environmentId, app.process))
  const { stdout, stderr } = output ?? ({ stdout: 'ignore', stderr: 'ignore' } as const)
  try {
    // Programs that open /dev/stdout need the permission to write the file.
    for (const each of [stdout, stderr]) {
      if (cell.user && typeof each === 'number') fchownSync(each, cell.user.uid, cell.user.gid)
    }
    return await launch(app, cell, { env, stdout, stderr })
  } finally {
    await output?.close()
  }
}

async function takePort({ launch: { port } }: AppSpec, ports: PortPool): Promise<number> {
  if (port === null) return ports.take()
  await ports.takeFixed(port)
  return port
}

/** Kill the process too: it may exist although the start failed. */
async function cleanUpFailedStart(
  app: AppSpec,
  file: InstanceFile,
  context: RuntimeContext,
): Promise<void> {
  const { files, ports, logs, processes, report } = context
  try {
    await processes.kill(identityOf(file, { pid: -1, startTime: file.since }))
    await logs?.detach(logKey(app.environmentId, app.process))
    await files.remove(app.name)
  } catch (error) {
    report(`${app.name}: can't clean up after its failed start`, error)
  } finally {
    ports.release(file.port)
  }
}

/** The name becomes a file name and part of an environment variable. */
function checkName(name: string): void {
  if (/^[a-z0-9][a-z0-9_-]{0,99}$/i.test(name)) return
  throw new DaemonError(
    'internal',
    `invalid app name ${JSON.stringify(name)}: expected letters, digits, "_" and "-"`,
  )
}
