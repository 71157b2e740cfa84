import { randomBytes } from 'node:crypto'
import { mkdir, realpath, rm } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { defaultHealthTimeoutMs } from '../domain/health-timeout.ts'
import type { Builder, BuildPlan, Clock } from '../ports.ts'
import { killMarked } from '../spawn/kill-marked.ts'
import { boundedSink, printLine, runCommand } from './command.ts'
import {
  baseEnvironment,
  buildVariables,
  commandEnvironment,
  installVariables,
  markOf,
  type Variables,
} from './command-variables.ts'
import { discardTree } from './copy-tree.ts'
import { type InstallContext, installAll, installProduction, returnPackages } from './install.ts'
import { createInstallCache } from './install-cache.ts'
import { type InstallRecipe, recipeOf } from './install-recipe.ts'
import { readManifest } from './manifest.ts'
import { removeToolCaches, trackPackageChanges } from './package-changes.ts'
import { appFolder, planOf } from './plan.ts'
import { treeSize } from './tree-size.ts'
import { workspaceFolder } from './workspace.ts'

export interface BuildLimits {
  /** Time limit of one build command. */
  readonly timeoutMs: number
  /** Size limit of a build's output in bytes. Further output is dropped. */
  readonly outputBytes: number
  /** Maximum number of cached package trees. A project has two. */
  readonly cacheEntries: number
  /** Size limit in bytes of the cached package trees, and separately of npm's downloads. */
  readonly cacheBytes: number
  /** Default values of the `deploy` section. */
  readonly memoryMb: number
  readonly keepReleases: number
  readonly healthTimeoutMs: number
}

export interface BuilderOptions {
  /** Cache folder: an absolute path on the file system of the releases. Only one daemon may use it at a time. */
  readonly cacheFolder: string
  /** The daemon's environment. Builds inherit PATH, npm's settings, proxies and certificates. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly limits?: Partial<BuildLimits>
  readonly clock: Pick<Clock, 'now'>
}

/** Creates the builder of Node apps. It installs with npm and caches installed packages. */
export function createBuilder(options: BuilderOptions): Builder {
  const { cacheFolder, env, clock } = options
  const limits: BuildLimits = { ...defaultLimits, ...options.limits }
  const scratchFolder = join(cacheFolder, 'scratch')
  const cache = createInstallCache({
    folder: join(cacheFolder, 'packages'),
    scratchFolder,
    now: clock.now,
  })
  const base = baseEnvironment(env, cacheFolder)
  let building = 0
  let measuredAt = Number.NEGATIVE_INFINITY
  let ready: Promise<unknown> | undefined

  /** Runs once per process: kills build commands of a previous daemon, then removes its scratch files. */
  const start = () => {
    ready ??= killMarked(markOf(cacheFolder)).then(() =>
      rm(scratchFolder, { recursive: true, force: true }),
    )
    return ready
  }

  return {
    plan: (checkout) => planOf(checkout, limits),

    async build(checkout, plan, { env: variables, output, signal }) {
      signal.throwIfAborted()
      if (plan.install === null && plan.build === null) return
      await start()
      const buildId = randomBytes(8).toString('hex')
      const home = join(scratchFolder, `home-${buildId}`)
      building += 1
      try {
        await mkdir(home, { recursive: true })
        const { env: plain, root } = plan.launch
        const context: BuildContext = {
          cache,
          base,
          path: base.fixed.PATH ?? '',
          output: boundedSink(output, limits.outputBytes),
          timeoutMs: limits.timeoutMs,
          secrets: secretsOf(variables, plain),
          signal,
          checkout: await realpath(checkout),
          root: await appFolder(checkout, root),
          home,
          scratchFolder,
          variables: buildVariables(plain, variables),
          buildId,
        }
        await buildIn(context, plan, (npmrc) => installVariables({ plain, all: variables, npmrc }))
      } finally {
        building -= 1
        await killMarked(`${buildIdVariable}=${buildId}`)
        await rm(home, { recursive: true, force: true })
      }
    },

    async prune() {
      await start()
      const { cacheEntries: entries, cacheBytes: bytes } = limits
      await cache.prune({ entries, bytes })
      if (building > 0 || clock.now() - measuredAt < measureEveryMs) return
      measuredAt = clock.now()
      const downloads = join(cacheFolder, 'npm')
      if ((await treeSize(downloads)) <= bytes || building > 0) return
      await (await discardTree(downloads, scratchFolder)).removed
    },
  }
}

/** Environment variable with the id of a build, to find processes that left their process group. */
const buildIdVariable = 'STRATA_BUILD'

/** Minimum time between two size checks: measuring npm's downloads reads tens of thousands of files. */
const measureEveryMs = 10 * 60_000

const defaultLimits: BuildLimits = {
  timeoutMs: 15 * 60_000,
  outputBytes: 16 * 2 ** 20,
  cacheEntries: 40,
  cacheBytes: 10 * 2 ** 30,
  memoryMb: 256,
  keepReleases: 3,
  healthTimeoutMs: defaultHealthTimeoutMs,
}

interface BuildContext extends InstallContext {
  readonly checkout: string
  readonly root: string
  readonly home: string
  readonly scratchFolder: string
  readonly buildId: string
  readonly variables: Variables
}

async function buildIn(
  context: BuildContext,
  plan: BuildPlan,
  installEnv: (npmrc: string | undefined) => Variables,
): Promise<void> {
  const { root } = context
  if (plan.install === null) return runBuild(context, plan)
  const workspace = await workspaceFolder(context.checkout, root)
  const recipe =
    workspace === undefined ? await recipeOf(root, plan.install, installEnv) : undefined
  if (!recipe) return buildInPlace(context, plan, plan.install, workspace ?? root)
  await clearPackages(context)
  if (plan.build === null && recipe.scripts.length === 0) {
    return installProduction(context, recipe, root, { fromAll: false })
  }
  await buildWithCache(context, plan, recipe)
}

/**
 * Builds with writable packages from the cache. Then links the release to the cached production packages, unless the
 * build changed packages.
 */
async function buildWithCache(
  context: BuildContext,
  plan: BuildPlan,
  recipe: InstallRecipe,
): Promise<void> {
  const { root, home, path } = context
  await installAll(context, recipe, root)
  const packages = join(root, 'node_modules')
  const changes = await trackPackageChanges(packages, { scratchFolder: home, path })
  let isChanged = true
  try {
    for (const script of recipe.scripts) await run(context, ['npm', 'run', script])
    await runBuild(context, plan)
  } finally {
    await killMarked(`${buildIdVariable}=${context.buildId}`)
    isChanged = await changes.hasChanges()
    if (!isChanged) {
      await removeToolCaches(packages)
      if (!(await returnPackages(context, recipe, root))) await clearPackages(context)
    }
  }
  if (!isChanged) return installProduction(context, recipe, root, { fromAll: true })
  printLine(context.output, 'packages: the build changed them, so this release keeps its own copy')
  if (recipe.hasDevDependencies) await run(context, ['npm', 'prune', '--omit=dev'])
}

/** Installs without the cache: for workspaces and for packages inside the checkout. */
async function buildInPlace(
  context: BuildContext,
  plan: BuildPlan,
  install: readonly string[],
  folder: string,
): Promise<void> {
  await run({ ...context, root: folder }, [...install, '--include=dev'], { isRemote: true })
  await runBuild(context, plan)
  const manifest = await readManifest(folder)
  if (manifest?.hasDevDependencies || manifest?.all.workspaces !== undefined) {
    await run({ ...context, root: folder }, ['npm', 'prune', '--omit=dev'])
  }
}

async function runBuild(context: BuildContext, { build }: BuildPlan): Promise<void> {
  if (build !== null) await run(context, build)
}

async function run(
  context: BuildContext,
  argv: readonly string[],
  { isRemote = false } = {},
): Promise<void> {
  const { base, variables, root, home, buildId } = context
  const path = [join(root, 'node_modules/.bin'), context.path].join(delimiter)
  const env = {
    ...commandEnvironment(base, variables, home),
    PATH: path,
    [buildIdVariable]: buildId,
  }
  await runCommand({ ...context, argv, cwd: root, env, isRemote })
}

/** Removes `node_modules`, which the user has committed or a build has left. */
async function clearPackages({ root, scratchFolder }: BuildContext): Promise<void> {
  const { removed } = await discardTree(join(root, 'node_modules'), scratchFolder)
  // Ignored: the next daemon removes leftovers with the scratch folder.
  removed.catch(() => {})
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
