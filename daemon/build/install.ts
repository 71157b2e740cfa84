import { copyFile, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { OutputSink } from '../ports.ts'
import { runCommand, say } from './command.ts'
import { copyTree } from './copy-tree.ts'
import { type BaseEnvironment, commandEnvironment } from './environment.ts'
import { allowWriting, forbidWriting } from './file-modes.ts'
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
 * Puts all packages, build tools too, into a checkout, in files of its own that a build may write to: the spare copy that a
 * build before gave back, or a new one.
 */
export async function installAll(
  context: InstallContext,
  recipe: InstallRecipe,
  root: string,
): Promise<void> {
  const { path, signal } = context
  const packages = join(root, 'node_modules')
  await context.cache.withEntry(allOf(recipe), {
    signal,
    make: makeAll(context, recipe),
    onReady: (how) => say(context.output, readyLines[how]),
    use: async (entry) => {
      if (await isMoved(join(entry, spare), packages)) return
      await copyTree(join(entry, 'node_modules'), packages, { how: 'copy', path, signal })
      await allowWriting(packages, { path, signal })
    },
  })
}

/** Keeps what `installAll` put into a checkout, unchanged since, for the next build; false when there is no place for it. */
export async function giveBack(
  context: InstallContext,
  recipe: InstallRecipe,
  root: string,
): Promise<boolean> {
  const place = join(context.cache.pathOf(allOf(recipe)), spare)
  return isMoved(join(root, 'node_modules'), place)
}

/**
 * Puts the packages that an app runs with into a checkout, as hard links to files that nobody may write to: releases share
 * them. `fromAll`: they are made from all packages, which are there, so that no script of a package runs twice.
 */
export async function installKept(
  context: InstallContext,
  recipe: InstallRecipe,
  root: string,
  { fromAll }: { fromAll: boolean },
): Promise<void> {
  const { path, signal } = context
  await context.cache.withEntry(`${recipe.key}-kept`, {
    signal,
    make: fromAll ? makeKeptFromAll(context, recipe) : makeKept(context, recipe),
    onReady: (how) => fromAll || say(context.output, readyLines[how]),
    use: (entry) =>
      copyTree(join(entry, 'node_modules'), join(root, 'node_modules'), {
        how: 'link',
        path,
        signal,
      }),
  })
}

const readyLines = {
  kept: 'packages: as at the last install, taken from the cache\n',
  awaited: 'packages: another build installs the same ones, waiting for it\n',
}

/** In the entry of all packages: a copy that one build at a time has. */
const spare = 'spare'

type Make = (folder: string, signal: AbortSignal) => Promise<void>

function allOf({ key }: InstallRecipe): string {
  return `${key}-all`
}

function makeAll(context: InstallContext, recipe: InstallRecipe): Make {
  return (folder, signal) => makeBy(context, recipe, '--include=dev', folder, signal)
}

function makeKept(context: InstallContext, recipe: InstallRecipe): Make {
  return (folder, signal) => makeBy(context, recipe, '--omit=dev', folder, signal)
}

async function makeBy(
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
  await forbidWriting(packages, { path: context.path, signal })
}

function makeKeptFromAll(context: InstallContext, recipe: InstallRecipe): Make {
  const { cache, path } = context
  return async (folder, signal) => {
    await cache.withEntry(allOf(recipe), {
      signal,
      make: makeAll(context, recipe),
      use: async (entry) => {
        // npm goes by the files beside the packages too.
        for (const name of await manifestsIn(entry)) {
          await copyFile(join(entry, name), join(folder, name))
        }
        const packages = join(folder, 'node_modules')
        await copyTree(join(entry, 'node_modules'), packages, { how: 'link', path, signal })
      },
    })
    if (!recipe.hasDevDependencies) return
    await ownCopy(join(folder, 'node_modules/.package-lock.json'))
    await npm(context, recipe, ['npm', 'prune', '--omit=dev'], folder, signal)
  }
}

/** `package.json`, the lock file (npm may have made one), `.npmrc`. */
async function manifestsIn(entry: string): Promise<string[]> {
  const entries = await readdir(entry, { withFileTypes: true })
  return entries.filter((one) => one.isFile()).map(({ name }) => name)
}

/** False when there is nothing to move, something in its place, or another file system between. */
async function isMoved(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (['ENOENT', 'ENOTEMPTY', 'EEXIST', 'EXDEV'].includes(code ?? '')) return false
    throw error
  }
}

/** npm prune takes packages away, and writes one file: it must not be the one that it is a link to. */
async function ownCopy(path: string): Promise<void> {
  try {
    await copyFile(path, `${path}.own`)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  await rename(`${path}.own`, path)
}

/** Others may wait for it too, so it has a home of its own and not that of the build that began it. */
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
