import { randomBytes } from 'node:crypto'
import { chmod, copyFile, lstat, mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DaemonError } from '../errors.ts'
import type { Cell, GroupLimits, OutputSink } from '../ports.ts'
import { removeTree } from '../trees.ts'
import { isFolder, type Trees } from './build-trees.ts'
import { printLine, runCommand } from './command.ts'
import { commandEnvironment } from './command-variables.ts'
import { copyTree } from './copy-tree.ts'
import type { OpenHome } from './home.ts'
import type { InstallCache } from './install-cache.ts'
import type { InstallRecipe } from './install-recipe.ts'
import { toolCaches } from './package-changes.ts'

export interface InstallContext {
  readonly cache: InstallCache
  readonly cell: Cell
  readonly limits: GroupLimits
  readonly openHome: OpenHome
  readonly trees: Trees
  readonly projectId: number
  readonly path: string
  readonly output: OutputSink
  readonly timeoutMs: number
  readonly secrets: readonly string[]
  readonly signal: AbortSignal
}

/**
 * Installs all packages, including build tools, into a checkout as writable files. Takes the spare copy that a previous
 * build returned, or makes a new copy.
 */
export async function installAll(context: InstallContext, recipe: InstallRecipe): Promise<void> {
  const { cache, trees, signal } = context
  await cache.withEntry(allName(context, recipe), {
    signal,
    create: createAll(context, recipe),
    onHit: (how) => printLine(context.output, hitLines[how]),
    use: async (entry) => {
      if (await trees.moveIn(join(entry, spare))) return
      await trees.copyIn(join(entry, 'node_modules'), 'copy', signal)
    },
  })
}

/**
 * Returns the unchanged packages of `installAll` to the cache for the next build of the project, without the caches of
 * tools. Removes the packages if that is impossible.
 */
export async function returnPackages(
  context: InstallContext,
  recipe: InstallRecipe,
  scratchFolder: string,
): Promise<void> {
  const { cache, trees } = context
  const aside = join(scratchFolder, `spare-${randomBytes(8).toString('hex')}`)
  if (!(await trees.moveOut(aside))) return
  if (await isFolder(aside)) {
    for (const name of toolCaches) await removeTree(join(aside, name))
    const target = join(cache.pathOf(allName(context, recipe)), spare)
    if (await rename(aside, target).then(isTrue, isFalse)) return
  }
  await removeTree(aside)
}

/**
 * Installs the production packages into a checkout as hard links to read-only files, which releases share. `fromAll`
 * derives the tree from the installed packages, so that no install script of a package runs twice.
 */
export async function installProduction(
  context: InstallContext,
  recipe: InstallRecipe,
  { fromAll }: { fromAll: boolean },
): Promise<void> {
  const { cache, trees, signal, projectId } = context
  await cache.withEntry(`${projectId}-${recipe.key}-kept`, {
    signal,
    create: fromAll ? deriveProduction(context, recipe) : createProduction(context, recipe),
    onHit: (how) => fromAll || printLine(context.output, hitLines[how]),
    use: (entry) => trees.copyIn(join(entry, 'node_modules'), 'link', signal),
  })
}

const hitLines = {
  cached: 'packages: unchanged, taken from the cache',
  awaited: 'packages: waiting for another build that installs the same packages',
}

/** Spare copy of the tree inside the cache entry of all packages. One build at a time uses it. */
const spare = 'spare'

type Create = (folder: string, signal: AbortSignal) => Promise<void>

/** Entries belong to one project: install scripts of a shared entry could change the packages of other projects. */
function allName({ projectId }: InstallContext, { key }: InstallRecipe): string {
  return `${projectId}-${key}-all`
}

function createAll(context: InstallContext, recipe: InstallRecipe): Create {
  return (folder, signal) => install(context, recipe, '--include=dev', folder, signal)
}

function createProduction(context: InstallContext, recipe: InstallRecipe): Create {
  return (folder, signal) => install(context, recipe, '--omit=dev', folder, signal)
}

async function install(
  context: InstallContext,
  recipe: InstallRecipe,
  flag: string,
  folder: string,
  signal: AbortSignal,
): Promise<void> {
  const work = await makeWorkFolder(folder)
  for (const [name, text] of recipe.files) await writeFile(join(work, name), text)
  await context.cell.own(work)
  await npm(context, recipe, [...recipe.argv, flag], work, signal)
  await keep(context, work, folder, signal)
}

function deriveProduction(context: InstallContext, recipe: InstallRecipe): Create {
  const { cache, path, cell } = context
  return async (folder, signal) => {
    const work = await makeWorkFolder(folder)
    await cache.withEntry(allName(context, recipe), {
      signal,
      create: createAll(context, recipe),
      use: async (entry) => {
        // npm prune also reads and writes the files beside `node_modules`, so copy them too.
        for (const name of npmFiles) await copyWritable(join(entry, name), join(work, name))
        const packages = join(work, 'node_modules')
        await copyTree(join(entry, 'node_modules'), packages, { how: 'link', path, signal })
      },
    })
    if (recipe.hasDevDependencies) {
      const list = join(work, 'node_modules/.package-lock.json')
      await copyWritable(list, `${list}.copy`)
      await rename(`${list}.copy`, list).catch(ignoreMissing)
      await cell.own(work)
      await npm(context, recipe, ['npm', 'prune', '--omit=dev'], work, signal)
    }
    await keep(context, work, folder, signal)
  }
}

/** npm works in a subfolder, which the project's user owns. The cache entry around it is the daemon's. */
async function makeWorkFolder(folder: string): Promise<string> {
  const work = join(folder, 'work')
  await mkdir(work, { mode: 0o700 })
  return work
}

/** Seals the result of npm and moves it into the cache entry. No program of the project runs any more. */
async function keep(
  { trees }: InstallContext,
  work: string,
  folder: string,
  signal: AbortSignal,
): Promise<void> {
  await trees.seal(work, signal)
  for (const name of [...npmFiles, 'node_modules']) {
    await rename(join(work, name), join(folder, name)).catch(ignoreMissing)
  }
  const packages = join(folder, 'node_modules')
  if (!(await lstat(packages).catch(() => undefined))) await mkdir(packages)
  if (!(await isFolder(packages))) {
    throw new DaemonError('unprocessable', 'the install replaced node_modules by another file')
  }
  await removeTree(work)
}

/** Files beside `node_modules` that npm reads, and may create. */
export const npmFiles = ['package.json', 'package-lock.json', 'npm-shrinkwrap.json', '.npmrc']

/** Copies a file of a sealed tree as a new, writable file. No-op if it is missing, or not a file. */
async function copyWritable(from: string, to: string): Promise<void> {
  if (!(await lstat(from).catch(() => undefined))?.isFile()) return
  await copyFile(from, to)
  await chmod(to, 0o644)
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}

const isTrue = () => true
const isFalse = () => false

/** Runs npm with its own home folder, because the install may outlive the build that started it. */
async function npm(
  context: InstallContext,
  recipe: InstallRecipe,
  argv: readonly string[],
  cwd: string,
  signal: AbortSignal,
): Promise<void> {
  const { cell, limits, output, timeoutMs, secrets } = context
  const id = randomBytes(8).toString('hex')
  const home = await context.openHome(`home-${id}`)
  try {
    const env = commandEnvironment(home.base, recipe.env, home.path)
    const group = `build-${id}`
    await runCommand({
      ...{ argv, cwd, env, output, timeoutMs, secrets, signal, cell, group, limits },
      isRemote: true,
    })
  } finally {
    await home.remove()
  }
}
