import { crashExcerpt, settingHint } from '../../domain/crash-excerpt.ts'
import { defaultHealthTimeoutMs } from '../../domain/health-timeout.ts'
import { instanceName } from '../../domain/process-names.ts'
import type { PublicPort } from '../../domain/public-port.ts'
import type { Environment, Launch, LaunchProcess } from '../../domain/records.ts'
import { DaemonError } from '../../errors.ts'
import type { AppSpec, Instance, Logs, Runtime, Store, Vault, Walls } from '../../ports.ts'
import { type AppVariables, appVariables, withoutSecrets } from './app-variables.ts'
import type { BranchDatabases } from './branch-databases.ts'
import { linkVolume, type ReleaseFolders } from './release-folders.ts'

/** Starts the process of a built environment, after a build, a sleep or a crash. */
export interface Launcher {
  /** Opens the cell of a project in the background, so that the next start waits for less. */
  prepare(projectId: number): void
  /** Returns the app of an environment. Throws `unprocessable` if the release is not on the disk. */
  specOf(environment: Environment): Promise<AppSpec>
  /** Starts another process of an environment, or adopts a running one. */
  startProcess(environment: Environment, process: LaunchProcess): Promise<Instance>
  /** Starts the process, or adopts a running one. Throws `unprocessable` if the release is not on the disk. */
  start(environment: Environment): Promise<Instance>
  /** Resolves when the health check passes. Throws `unprocessable` with the reason and the app's last output. */
  awaitHealthy(environment: Environment, instance: Instance, signal: AbortSignal): Promise<void>
  /** Starts the process and waits until it is healthy. Stops an unhealthy process. */
  boot(environment: Environment, signal: AbortSignal): Promise<Instance>
  /** Returns the app's environment variables. `launch` contains the settings of its commit. */
  envOf(environment: EnvSubject, launch: Pick<Launch, 'env' | 'store'>): Promise<AppVariables>
  /** Links the branch's volume into a checkout. The app starts in `root`, relative to the checkout. */
  linkVolume(environment: EnvSubject, folder: string, root: string): Promise<void>
}

type EnvSubject = Pick<Environment, 'projectId' | 'branch' | 'commitSha' | 'hostname'>

/** Characters of the runtime's message, which may hold a long line of the app. */
const maxCauseLength = 400

/** Time from SIGTERM to SIGKILL for a process that never served. */
export const failedGraceMs = 2_000

export function createLauncher(deps: {
  store: Pick<Store, 'secrets'>
  vault: Vault
  runtime: Runtime
  logs: Logs
  folders: ReleaseFolders
  cells: Pick<Walls, 'cell'>
  databases: Pick<BranchDatabases, 'urlOf'>
  publicPort: PublicPort
}): Launcher {
  const { runtime, logs, folders, cells } = deps

  /** Returns the branch's volume, which belongs to the project's user. */
  async function volumeOf({ projectId, branch }: EnvSubject): Promise<string> {
    const volume = await folders.volume(projectId, branch)
    const cell = await cells.cell(projectId)
    await cell.own(volume)
    return volume
  }

  async function envOf(environment: EnvSubject, launch: Pick<Launch, 'env' | 'store'>) {
    const volume = await volumeOf(environment)
    const databaseUrl = await deps.databases.urlOf(environment, launch)
    return appVariables(deps, environment, { plain: launch.env, volume, databaseUrl })
  }

  async function specOf(environment: Environment): Promise<AppSpec> {
    const { id, projectId, nodeId, release, launch } = environment
    // A restored database may refer to a release that was removed since the backup.
    if (release === null || launch === null || !(await folders.hasRelease(release))) {
      throw new DaemonError(
        'unprocessable',
        `environment ${id} has no release: deploy its branch again`,
      )
    }
    const folder = folders.releasePath(release)
    // No-op apart from a release of an earlier daemon.
    await (await cells.cell(projectId)).own(folder)
    return {
      name: instanceName(id),
      environmentId: id,
      projectId,
      nodeId,
      folder,
      volume: await volumeOf(environment),
      launch,
      env: await envOf(environment, launch),
    }
  }

  const start = async (environment: Environment) => runtime.start(await specOf(environment))

  async function startProcess(environment: Environment, process: LaunchProcess): Promise<Instance> {
    return runtime.start(processSpec(await specOf(environment), process))
  }

  async function awaitHealthy(
    environment: Environment,
    instance: Instance,
    signal: AbortSignal,
  ): Promise<void> {
    const { launch } = environment
    const health = {
      path: launch?.health ?? null,
      timeoutMs: launch?.healthTimeoutMs ?? defaultHealthTimeoutMs,
    }
    try {
      await runtime.awaitHealthy(instance, health, signal)
    } catch (error) {
      if (signal.aborted || !(error instanceof DaemonError) || error.kind !== 'unprocessable') {
        throw error
      }
      throw await withExcerpt(error, environment)
    }
  }

  /** Returns the error with the end of the app's log, and with advice if a setting is missing. */
  async function withExcerpt(error: DaemonError, environment: Environment): Promise<DaemonError> {
    const env = await envOf(environment, environment.launch ?? { env: {} })
    const lines = (await logs.tail(environment.id, 40)).map((line) => ({
      ...line,
      line: withoutSecrets(line.line, env),
    }))
    const excerpt = crashExcerpt(lines)
    const whole = withoutSecrets(error.message, env)
    const cause = whole.slice(0, maxCauseLength)
    const isIncluded = excerpt.split(' | ').some((line) => whole.includes(line))
    const reason = isIncluded ? cause : `${cause}; ${excerpt}`
    const hint = settingHint(`${cause} ${excerpt}`)
    const message = hint ? `${reason}; ${hint}` : reason
    return new DaemonError('unprocessable', message, { cause: error })
  }

  return {
    prepare: (projectId) => void cells.cell(projectId).catch(() => {}),
    specOf,
    startProcess,
    start,
    awaitHealthy,
    envOf,
    async boot(environment, signal) {
      const instance = await start(environment)
      try {
        await awaitHealthy(environment, instance, signal)
        return instance
      } catch (error) {
        await runtime.stop(instance.name, failedGraceMs)
        throw error
      }
    },
    async linkVolume(environment, folder, root) {
      const volume = await volumeOf(environment)
      await linkVolume(folder, root, volume)
    },
  }
}

/** Returns the app of another process: the release and the limits of the web process, with a port of its own. */
export function processSpec(web: AppSpec, { name, start, startHasVariables, env }: LaunchProcess) {
  const { startHasVariables: _, ...launch } = web.launch
  return {
    ...web,
    name: instanceName(web.environmentId, name),
    process: name,
    env: { ...env, ...web.env },
    launch: { ...launch, start, port: null, ...(startHasVariables && { startHasVariables }) },
  }
}
