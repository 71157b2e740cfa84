import { randomBytes } from 'node:crypto'
import { mkdir, realpath, rm } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import type { Builder, BuildPlan, Clock } from '../ports.ts'
import { killMarked } from '../spawn/kill-marked.ts'
import { boundedSink, runCommand, say } from './command.ts'
import { discardTree } from './copy-tree.ts'
import {
  baseEnvironment,
  buildVariables,
  commandEnvironment,
  installVariables,
  markOf,
  type Variables,
} from './environment.ts'
import { giveBack, type InstallContext, installAll, installKept } from './install.ts'
import { createInstallCache } from './install-cache.ts'
import { type InstallRecipe, recipeOf } from './install-recipe.ts'
import { readManifest } from './manifest.ts'
import { dropToolCaches, watchPackages } from './package-changes.ts'
import { planOf, rootOf } from './plan.ts'
import { treeSize } from './tree-size.ts'
import { workspaceFolder } from './workspace.ts'

export interface BuildLimits {
  /** For one command of a build. */
  readonly timeoutMs: number
  /** Of a build's output that is passed on. */
  readonly outputBytes: number
  /** Kept trees of packages (a project has two), and what they and npm's downloads may each take. */
  readonly cacheEntries: number
  readonly cacheBytes: number
  /** What an app gets that says nothing about it. */
  readonly memoryMb: number
  readonly keepReleases: number
  readonly healthTimeoutMs: number
}

export interface BuilderOptions {
  /** Absolute; on the file system of the releases, and nothing else lives in it. One daemon at a time. */
  readonly cacheFolder: string
  /** The daemon's own: PATH, npm's settings, proxies and certificates are taken from it. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly limits?: Partial<BuildLimits>
  readonly clock: Pick<Clock, 'now'>
}

/** Builds Node apps with npm, with installed packages kept from build to build. */
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

  /** Once in the life of this process: what a dead daemon left running, then what it left lying. */
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
      const mark = randomBytes(8).toString('hex')
      const home = join(scratchFolder, `home-${mark}`)
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
          root: await rootOf(checkout, root),
          home,
          scratchFolder,
          variables: buildVariables(plain, variables),
          mark,
        }
        await buildIn(context, plan, (npmrc) => installVariables({ plain, all: variables, npmrc }))
      } finally {
        building -= 1
        await killMarked(`${buildMark}=${mark}`)
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
      await (await discardTree(downloads, scratchFolder)).gone
    },
  }
}

/** Carried by the commands of one build, with its mark: what left their process groups is found by it. */
const buildMark = 'STRATA_BUILD'

/** npm's downloads are tens of thousands of files to look at. */
const measureEveryMs = 10 * 60_000

const defaultLimits: BuildLimits = {
  timeoutMs: 15 * 60_000,
  outputBytes: 16 * 2 ** 20,
  cacheEntries: 40,
  cacheBytes: 10 * 2 ** 30,
  memoryMb: 256,
  keepReleases: 3,
  healthTimeoutMs: 30_000,
}

interface BuildContext extends InstallContext {
  readonly checkout: string
  readonly root: string
  readonly home: string
  readonly scratchFolder: string
  readonly mark: string
  readonly variables: Variables
}

async function buildIn(
  context: BuildContext,
  plan: BuildPlan,
  installEnv: (npmrc: string | undefined) => Variables,
): Promise<void> {
  const { root } = context
  if (plan.install === null) return runBuild(context, plan)
  const above = await workspaceFolder(context.checkout, root)
  const recipe = above === undefined ? await recipeOf(root, plan.install, installEnv) : undefined
  if (!recipe) return buildInPlace(context, plan, plan.install, above ?? root)
  await clearPackages(context)
  if (plan.build === null && recipe.scripts.length === 0) {
    return installKept(context, recipe, root, { fromAll: false })
  }
  await buildWithLoan(context, plan, recipe)
}

/** The build gets packages of its own; the release gets links to those it runs with, unless the build changed them. */
async function buildWithLoan(
  context: BuildContext,
  plan: BuildPlan,
  recipe: InstallRecipe,
): Promise<void> {
  const { root, home, path } = context
  await installAll(context, recipe, root)
  const packages = join(root, 'node_modules')
  const watch = await watchPackages(packages, { scratchFolder: home, path })
  let isOwn = true
  try {
    for (const script of recipe.scripts) await run(context, ['npm', 'run', script])
    await runBuild(context, plan)
  } finally {
    await killMarked(`${buildMark}=${context.mark}`)
    isOwn = await watch.isChanged()
    if (!isOwn) {
      await dropToolCaches(packages)
      if (!(await giveBack(context, recipe, root))) await clearPackages(context)
    }
  }
  if (!isOwn) return installKept(context, recipe, root, { fromAll: true })
  say(context.output, 'packages: the build changed them, so this release keeps its own\n')
  if (recipe.hasDevDependencies) await run(context, ['npm', 'prune', '--omit=dev'])
}

/** Workspaces, and packages that lie in the checkout: npm does it all in the checkout. */
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
  const { base, variables, root, home, mark } = context
  const path = [join(root, 'node_modules/.bin'), context.path].join(delimiter)
  const env = { ...commandEnvironment(base, variables, home), PATH: path, [buildMark]: mark }
  await runCommand({ ...context, argv, cwd: root, env, isRemote })
}

/** Packages that were committed, or that a build is done with. */
async function clearPackages({ root, scratchFolder }: BuildContext): Promise<void> {
  const { gone } = await discardTree(join(root, 'node_modules'), scratchFolder)
  // Leftovers go with the scratch folder at the next start.
  gone.catch(() => {})
}

/** What must not be in a message: values that are neither the project's plain ones nor the daemon's own. */
function secretsOf(variables: Variables, plain: Variables): string[] {
  return Object.entries(variables)
    .filter(([name, value]) => plain[name] !== value && !/^(PORT|STRATA_.*)$/.test(name))
    .map(([, value]) => value)
}
