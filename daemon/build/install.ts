import { copyFile, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { OutputSink } from '../ports.ts'
import { printLine, runCommand } from './command.ts'
import { type BaseEnvironment, commandEnvironment } from './command-variables.ts'
import { copyTree } from './copy-tree.ts'
import { makeReadOnly, makeWritable } from './file-modes.ts'
import type { InstallCache } from './install-cache.ts'
import type { InstallRecipe } from './install-recipe.ts'

export interface InstallContext {
  readonly cache: InstallCache
  readonly base: BaseEnvironment
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
export async function installAll(
  context: InstallContext,
  recipe: InstallRecipe,
  root: string,
): Promise<void> {
  const { path, signal } = context
  const packages = join(root, 'node_modules')
  await context.cache.withEntry(allName(recipe), {
    signal,
    create: createAll(context, recipe),
    onHit: (how) => printLine(context.output, hitLines[how]),
    use: async (entry) => {
      if (await tryMove(join(entry, spare), packages)) return
      await copyTree(join(entry, 'node_modules'), packages, { how: 'copy', path, signal })
      await makeWritable(packages, { path, signal })
    },
  })
}

/**
 * Returns the unchanged packages of `installAll` to the cache for the next build. Returns false if that is impossible.
 */
export async function returnPackages(
  context: InstallContext,
  recipe: InstallRecipe,
  root: string,
): Promise<boolean> {
  const target = join(context.cache.pathOf(allName(recipe)), spare)
  return tryMove(join(root, 'node_modules'), target)
}

/**
 * Installs the production packages into a checkout as hard links to read-only files, which releases share. `fromAll`
 * derives the tree from the installed packages, so that no install script of a package runs twice.
 */
export async function installProduction(
  context: InstallContext,
  recipe: InstallRecipe,
  root: string,
  { fromAll }: { fromAll: boolean },
): Promise<void> {
  const { path, signal } = context
  await context.cache.withEntry(`${recipe.key}-kept`, {
    signal,
    create: fromAll ? deriveProduction(context, recipe) : createProduction(context, recipe),
    onHit: (how) => fromAll || printLine(context.output, hitLines[how]),
    use: (entry) =>
      copyTree(join(entry, 'node_modules'), join(root, 'node_modules'), {
        how: 'link',
        path,
        signal,
      }),
  })
}

const hitLines = {
  cached: 'packages: unchanged, taken from the cache',
  awaited: 'packages: waiting for another build that installs the same packages',
}

/** Spare copy of the tree inside the cache entry of all packages. One build at a time uses it. */
const spare = 'spare'

type Create = (folder: string, signal: AbortSignal) => Promise<void>

function allName({ key }: InstallRecipe): string {
  return `${key}-all`
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
  for (const [name, text] of recipe.files) await writeFile(join(folder, name), text)
  await npm(context, recipe, [...recipe.argv, flag], folder, signal)
  const packages = join(folder, 'node_modules')
  await mkdir(packages, { recursive: true })
  await makeReadOnly(packages, { path: context.path, signal })
}

function deriveProduction(context: InstallContext, recipe: InstallRecipe): Create {
  const { cache, path } = context
  return async (folder, signal) => {
    await cache.withEntry(allName(recipe), {
      signal,
      create: createAll(context, recipe),
      use: async (entry) => {
        // npm prune also reads the files beside `node_modules`, so copy them too.
        for (const name of await manifestsIn(entry)) {
          await copyFile(join(entry, name), join(folder, name))
        }
        const packages = join(folder, 'node_modules')
        await copyTree(join(entry, 'node_modules'), packages, { how: 'link', path, signal })
      },
    })
    if (!recipe.hasDevDependencies) return
    await breakHardLink(join(folder, 'node_modules/.package-lock.json'))
    await npm(context, recipe, ['npm', 'prune', '--omit=dev'], folder, signal)
  }
}

/** Returns the names of `package.json`, `.npmrc` and the lock file, which npm may have created. */
async function manifestsIn(entry: string): Promise<string[]> {
  const entries = await readdir(entry, { withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}

/** Returns false if the source is missing, the target exists, or they are on different file systems. */
async function tryMove(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (['ENOENT', 'ENOTEMPTY', 'EEXIST', 'EXDEV'].includes(code ?? '')) return false
    throw error
  }
}

/** Replaces a hard link with a copy: npm prune writes to this file and must not change the cached file. */
async function breakHardLink(path: string): Promise<void> {
  try {
    await copyFile(path, `${path}.copy`)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  await rename(`${path}.copy`, path)
}

/** Runs npm with its own home folder, because the install may outlive the build that started it. */
async function npm(
  context: InstallContext,
  recipe: InstallRecipe,
  argv: readonly string[],
  cwd: string,
  signal: AbortSignal,
): Promise<void> {
  const { base, output, timeoutMs, secrets } = context
  const home = `${cwd}-home`
  await mkdir(home, { recursive: true })
  try {
    const env = commandEnvironment(base, recipe.env, home)
    await runCommand({ argv, cwd, env, output, timeoutMs, secrets, signal, isRemote: true })
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}
