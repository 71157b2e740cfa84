import { randomBytes } from 'node:crypto'
import { readdir, realpath } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { defaultHealthTimeoutMs } from '../domain/health-timeout.ts'
import type { Builder, Clock, GroupLimits, Walls } from '../ports.ts'
import { killMarked } from '../spawn/kill-marked.ts'
import { removeTree } from '../trees.ts'
import { buildIdVariable, runSteps, type StepContext } from './build-steps.ts'
import { createTrees } from './build-trees.ts'
import { boundedSink } from './command.ts'
import { buildPath, buildVariables, markOf, type Variables } from './command-variables.ts'
import { createDownloads } from './downloads.ts'
import { createHomes } from './home.ts'
import { createInstallCache } from './install-cache.ts'
import { makePassage } from './make-passage.ts'
import { appFolder, planOf } from './plan.ts'
import { reportPlan } from './report-plan.ts'
import { addSiteServer } from './site/add-site-server.ts'
import { requirePrograms } from './toolchains/programs.ts'
import { runToolchain, usesToolchain } from './toolchains/run-toolchain.ts'

export interface BuildLimits {
  /** Time limit of one build command. */
  readonly timeoutMs: number
  /** Size limit of a build's output in bytes. Further output is dropped. */
  readonly outputBytes: number
  /** Maximum number of cached package trees. A project has two. */
  readonly cacheEntries: number
  /** Size limit in bytes of the cached package trees, and separately of npm's downloads. */
  readonly cacheBytes: number
  /** Memory limit in MiB of one build command with all its processes; null: `defaultBuildMemoryMb`. */
  readonly buildMemoryMb: number | null
  /** The runtime that runs the apps. */
  readonly runtime: 'process' | 'docker'
  /** Default values of the `deploy` section. */
  readonly memoryMb: number
  readonly pids: number
  readonly keepReleases: number
  readonly healthTimeoutMs: number
}

export interface BuilderOptions {
  /** Cache folder: an absolute path on the file system of the releases. Only one daemon may use it at a time. */
  readonly cacheFolder: string
  /** The daemon's environment. Builds inherit PATH, npm's settings, proxies and certificates. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly limits?: Partial<BuildLimits>
  /** Passes the operator's credentials of npm registries on to the builds of all projects. */
  readonly sharesNpmAuth?: boolean
  /** Path of the program that serves static files. Releases of sites contain a copy. */
  readonly siteServer?: string
  readonly walls: Pick<Walls, 'cell' | 'end'>
  readonly clock: Pick<Clock, 'now'>
}

/** Creates the builder of Node apps. It installs with npm and caches the installed packages of each project. */
export function createBuilder(options: BuilderOptions): Builder {
  const { cacheFolder, env, clock, walls, sharesNpmAuth = false } = options
  const limits: BuildLimits = { ...defaultLimits, ...options.limits }
  const scratchFolder = join(cacheFolder, 'scratch')
  const path = buildPath(env)
  const cache = createInstallCache({
    folder: join(cacheFolder, 'packages'),
    scratchFolder,
    now: clock.now,
  })
  const downloads = createDownloads({ folder: join(cacheFolder, 'npm'), scratchFolder })
  const toolDownloads = createDownloads({ folder: join(cacheFolder, 'tools'), scratchFolder })
  const groupLimits: GroupLimits = {
    memoryMb: limits.buildMemoryMb ?? defaultBuildMemoryMb(),
    cpus: null,
    cpuWeight: buildCpuWeight,
    pids: buildPids,
  }
  let building = 0
  let measuredAt = Number.NEGATIVE_INFINITY
  let ready: Promise<unknown> | undefined

  /** Runs once per process: ends builds of a previous daemon, removes its scratch files and caches of other layouts. */
  const start = () => {
    ready ??= clean().catch((error) => {
      ready = undefined
      throw error
    })
    return ready
  }

  async function clean(): Promise<void> {
    const names = await readdir(scratchFolder).catch(() => [])
    for (const id of names.flatMap((name) => /^home-([0-9a-f]+)$/.exec(name)?.[1] ?? [])) {
      await walls.end(`build-${id}`)
    }
    await killMarked(markOf(cacheFolder))
    await removeTree(scratchFolder)
    await cache.remove((name) => !/^\d+-[0-9a-f]+-(all|kept|venv)$/.test(name))
    await downloads.removeUnknown()
    await toolDownloads.removeUnknown()
  }

  return {
    plan: (checkout) => planOf(checkout, limits),

    async build(checkout, plan, { projectId, env: variables, output, signal }) {
      signal.throwIfAborted()
      const cell = await walls.cell(projectId)
      const { env: plain, root } = plan.launch
      const top = await realpath(checkout)
      const app = await appFolder(checkout, root)
      const bounded = boundedSink(output, limits.outputBytes)
      const secrets = secretsOf(variables, plain)
      reportPlan(plan, bounded, secrets)
      if (plan.app.site) await addSiteServer(app, options.siteServer)
      if (plan.install === null && plan.build === null) {
        requirePrograms(plan.app.programs, { path, isOtherUser: cell.user !== null })
        return cell.own(top)
      }
      await start()
      const buildId = randomBytes(8).toString('hex')
      building += 1
      try {
        for (const folder of [cacheFolder, scratchFolder]) await makePassage(folder)
        const npmCache = await downloads.folderOf(projectId, cell)
        const name = plan.app.kind === 'python' ? '.venv' : 'node_modules'
        const trees = createTrees({ cell, scratchFolder, checkout: top, root: app, path, name })
        const openHome = createHomes({
          ...{ env, sharesNpmAuth, path, cacheFolder, npmCache, scratchFolder, cell },
        })
        const context: StepContext = {
          ...{ cache, cell, openHome, trees, projectId, path, signal, scratchFolder, buildId },
          limits: groupLimits,
          output: bounded,
          timeoutMs: limits.timeoutMs,
          secrets,
          checkout: top,
          root: app,
          variables: buildVariables(plain, variables),
        }
        const given = { plain, all: variables }
        if (usesToolchain(plan)) {
          const toolCache = await toolDownloads.folderOf(projectId, cell)
          const tools = { ...given, goFlags: env.GOFLAGS ?? '' }
          await runToolchain({ ...context, toolCache }, plan, tools)
        } else {
          await runSteps(context, plan, given)
        }
      } finally {
        building -= 1
        await killMarked(`${buildIdVariable}=${buildId}`)
      }
    },

    async discard() {},

    async prune() {
      await start()
      const { cacheEntries: entries, cacheBytes: bytes } = limits
      await cache.prune({ entries, bytes })
      if (building > 0 || clock.now() - measuredAt < measureEveryMs) return
      measuredAt = clock.now()
      await downloads.prune(bytes, () => building === 0)
      await toolDownloads.prune(bytes, () => building === 0)
    },

    async removeProject(projectId) {
      await start()
      await cache.remove((name) => name.startsWith(`${projectId}-`))
      await downloads.remove(projectId)
      await toolDownloads.remove(projectId)
    },
  }
}

/** Minimum time between two size checks: measuring npm's downloads reads tens of thousands of files. */
const measureEveryMs = 10 * 60_000

/** Limit of processes and threads of one build command. A bundler starts some for each core. */
const buildPids = 2048

/** Apps that serve requests go first on a busy processor. */
const buildCpuWeight = 25

/** Returns 2048 MiB, or three quarters of the memory of a smaller host. */
function defaultBuildMemoryMb(): number {
  return Math.min(2048, Math.floor((totalmem() / 2 ** 20) * 0.75))
}

const defaultLimits: BuildLimits = {
  timeoutMs: 15 * 60_000,
  outputBytes: 16 * 2 ** 20,
  cacheEntries: 40,
  cacheBytes: 10 * 2 ** 30,
  buildMemoryMb: null,
  runtime: 'process',
  memoryMb: 256,
  pids: 512,
  keepReleases: 3,
  healthTimeoutMs: defaultHealthTimeoutMs,
}

/**
 * Returns the values that messages must not contain: all variables except the plain values of `deploy.env` and of
 * strata.
 */
function secretsOf(variables: Variables, plain: Variables): string[] {
  return Object.entries(variables)
    .filter(([name, value]) => plain[name] !== value && !/^(PORT|STRATA_.*)$/.test(name))
    .map(([, value]) => value)
}
