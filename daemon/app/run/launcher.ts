import { lastWords, settingHint } from '../../domain/crash-excerpt.ts'
import type { Environment } from '../../domain/records.ts'
import { DaemonError } from '../../errors.ts'
import type { Instance, Logs, Runtime, Store, Vault } from '../../ports.ts'
import { type AppEnv, appEnv, withoutSecrets } from './app-env.ts'
import { type Folders, linkVolume } from './folders.ts'

/** Starts the app of a built environment: after its build, after a sleep, after a crash. */
export interface Launcher {
  /** Its process exists when this resolves; one that runs already is adopted. */
  start(environment: Environment): Promise<Instance>
  /** Throws `unprocessable` with what was seen and the app's last words. */
  awaitHealthy(environment: Environment, instance: Instance, signal: AbortSignal): Promise<void>
  /** Both; stops what does not come up. */
  boot(environment: Environment, signal: AbortSignal): Promise<Instance>
  /** What the app of a branch sees; `plain` are values of its commit. */
  envOf(environment: EnvSubject, plain: Readonly<Record<string, string>>): Promise<AppEnv>
  /** Puts the branch's volume into a checkout whose app starts in `root`. */
  linkVolume(environment: EnvSubject, folder: string, root: string): Promise<void>
}

type EnvSubject = Pick<Environment, 'projectId' | 'branch' | 'commitSha' | 'hostname'>

/** The same for an environment in every life of the daemon: what a dead one left is found by it. */
export function processName(environmentId: number): string {
  return `strata-${environmentId}`
}

/** What a process that never served anybody gets to say goodbye. */
export const failedGraceMs = 2_000

export function createLauncher(deps: {
  store: Pick<Store, 'secrets'>
  vault: Vault
  runtime: Runtime
  logs: Logs
  folders: Folders
  gatewayPort: number
}): Launcher {
  const { runtime, logs, folders } = deps

  async function envOf(environment: EnvSubject, plain: Readonly<Record<string, string>>) {
    const volume = await folders.volume(environment.projectId, environment.branch)
    return appEnv(deps, environment, { plain, volume })
  }

  async function start(environment: Environment): Promise<Instance> {
    const { id, release, launch } = environment
    // A restore may bring back a row whose release was removed since its backup.
    if (release === null || launch === null || !(await folders.hasRelease(release))) {
      throw new DaemonError('unprocessable', `environment ${id} has no release: deploy it again`)
    }
    return runtime.start({
      name: processName(id),
      environmentId: id,
      folder: folders.releasePath(release),
      launch,
      env: await envOf(environment, launch.env),
    })
  }

  async function awaitHealthy(
    environment: Environment,
    instance: Instance,
    signal: AbortSignal,
  ): Promise<void> {
    const { launch } = environment
    const health = { path: launch?.health ?? null, timeoutMs: launch?.healthTimeoutMs ?? 30_000 }
    try {
      await runtime.awaitHealthy(instance, health, signal)
    } catch (error) {
      if (signal.aborted || !(error instanceof DaemonError) || error.kind !== 'unprocessable') {
        throw error
      }
      throw await withLastWords(error, environment)
    }
  }

  /** "Exited with code 1" helps nobody; what the app said before does, and how to set what it misses. */
  async function withLastWords(error: DaemonError, environment: Environment): Promise<DaemonError> {
    const words = lastWords(await logs.tail(environment.id, 40))
    const isSaid = words.split(' | ').some((line) => error.message.includes(line))
    const said = isSaid ? error.message : `${error.message}; ${words}`
    const hint = settingHint(`${error.message} ${words}`)
    const env = await envOf(environment, environment.launch?.env ?? {})
    const message = withoutSecrets(hint ? `${said}; ${hint}` : said, env)
    return new DaemonError('unprocessable', message, { cause: error })
  }

  return {
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
      const volume = await folders.volume(environment.projectId, environment.branch)
      await linkVolume(folder, root, volume)
    },
  }
}
