import { rm, stat } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { DaemonError } from '../errors.ts'
import type { BuildPlan } from '../ports.ts'
import { killMarked } from '../spawn/kill-marked.ts'
import { discardPackages } from './build-trees.ts'
import { printLine, runCommand } from './command.ts'
import { commandEnvironment, installVariables, type Variables } from './command-variables.ts'
import type { Home } from './home.ts'
import {
  type InstallContext,
  installAll,
  installProduction,
  npmFiles,
  returnPackages,
} from './install.ts'
import { type InstallRecipe, recipeOf } from './install-recipe.ts'
import { type Manifest, readManifest } from './manifest.ts'
import { trackPackageChanges } from './package-changes.ts'
import { workspaceFolder } from './workspace.ts'

/** Environment variable with the id of a build, to find processes that left their process group. */
export const buildIdVariable = 'STRATA_BUILD'

export interface StepContext extends InstallContext {
  readonly checkout: string
  /** Folder of the app: a path below `checkout` without symlinks. */
  readonly root: string
  readonly scratchFolder: string
  readonly buildId: string
  readonly variables: Variables
}

interface BuildContext extends StepContext {
  readonly home: Home
}

/**
 * Reads all files of the checkout that the build depends on, gives the checkout to the project's user, and runs the
 * commands. From then on programs of the project can change the checkout, so that the daemon reads no file of it.
 */
export async function runSteps(
  step: StepContext,
  plan: BuildPlan,
  variables: { readonly plain: Variables; readonly all: Variables },
): Promise<void> {
  const { root, checkout, cell } = step
  const { install } = plan
  const workspace = install === null ? undefined : await workspaceFolder(checkout, root)
  const recipe =
    install === null || workspace !== undefined
      ? undefined
      : await recipeOf(root, install, (npmrc) => installVariables({ ...variables, npmrc }))
  const folder = workspace ?? root
  const manifest = await readManifest(folder)
  await cell.own(checkout)
  const home = await step.openHome(`home-${step.buildId}`)
  const context: BuildContext = { ...step, home }
  try {
    if (install === null) await runBuild(context, plan)
    else if (recipe) await buildWithRecipe(context, plan, recipe)
    else await buildInPlace(context, plan, install, { folder, manifest })
  } finally {
    await home.remove()
  }
}

async function buildWithRecipe(
  context: BuildContext,
  plan: BuildPlan,
  recipe: InstallRecipe,
): Promise<void> {
  await clearPackages(context)
  if (plan.build === null && recipe.scripts.length === 0) {
    return installProduction(context, recipe, { fromAll: false })
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
  const { root, scratchFolder, buildId, path } = context
  await installAll(context, recipe)
  const marker = join(scratchFolder, `installed-${buildId}`)
  const changes = await trackPackageChanges(join(root, 'node_modules'), { marker, path })
  let isChanged = true
  try {
    for (const script of recipe.scripts) await run(context, ['npm', 'run', script])
    await runBuild(context, plan)
  } finally {
    await killMarked(`${buildIdVariable}=${buildId}`)
    isChanged = await changes.hasChanges()
    if (!isChanged) await returnPackages(context, recipe, scratchFolder)
    await rm(marker, { force: true })
  }
  if (!isChanged) return installProduction(context, recipe, { fromAll: true })
  printLine(context.output, 'packages: the build changed them, so this release keeps its own copy')
  if (recipe.hasDevDependencies) await prunePackages(context, root)
}

/** Installs without the cache: for workspaces and for packages inside the checkout. */
async function buildInPlace(
  context: BuildContext,
  plan: BuildPlan,
  install: readonly string[],
  { folder, manifest }: { folder: string; manifest: Manifest | undefined },
): Promise<void> {
  await run({ ...context, root: folder }, [...install, '--include=dev'], { isRemote: true })
  await runBuild(context, plan)
  if (manifest?.hasDevDependencies || manifest?.all.workspaces !== undefined) {
    await prunePackages(context, folder)
  }
}

async function runBuild(context: BuildContext, { build }: BuildPlan): Promise<void> {
  if (build !== null) await run(context, build)
}

/** Throws DaemonError `unprocessable` if the build replaced a file of npm: npm would wait for a FIFO for ever. */
async function prunePackages(context: BuildContext, folder: string): Promise<void> {
  for (const name of npmFiles) {
    const status = await stat(join(folder, name)).catch(() => undefined)
    if (status && !status.isFile()) {
      throw new DaemonError('unprocessable', `the build replaced ${name}: it is not a file now`)
    }
  }
  await run({ ...context, root: folder }, ['npm', 'prune', '--omit=dev'])
}

async function run(
  context: BuildContext,
  argv: readonly string[],
  { isRemote = false } = {},
): Promise<void> {
  const { variables, root, home, buildId } = context
  const path = [join(root, 'node_modules/.bin'), context.path].join(delimiter)
  const env = {
    ...commandEnvironment(home.base, variables, home.path),
    PATH: path,
    [buildIdVariable]: buildId,
  }
  await runCommand({ ...context, argv, cwd: root, env, group: `build-${buildId}`, isRemote })
}

/** Removes `node_modules`, which the user has committed or a build has left. */
function clearPackages({ trees, scratchFolder }: BuildContext): Promise<void> {
  return discardPackages(trees, scratchFolder)
}
