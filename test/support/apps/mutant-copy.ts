import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { transform } from 'esbuild'

/** A deliberately broken version of an emitted application. */
export interface SourceMutant {
  readonly name: string
  /** Relative to the application's folder. */
  readonly file: string
  /** Must occur in the file exactly once. */
  readonly find: string
  readonly replace: string
  /** The title of the check that must fail. */
  readonly noticedBy: string
}

export interface MutantCopy {
  readonly folder: string
  readonly remove: () => Promise<void>
}

/**
 * Copies a built application to a temporary folder and breaks the copy: an edit of `src/x.ts`
 * becomes `dist/x.js`, any other file is edited in place. `modules` are the node_modules
 * folders from which it resolves packages, its own first. Throws if `find` does not occur in the file
 * exactly once: a mutant that changes nothing proves nothing.
 */
export async function copyWithMutant(
  folder: string,
  mutant: SourceMutant,
  modules: readonly [own: string, root: string],
): Promise<MutantCopy> {
  const broken = await brokenFile(folder, mutant)
  const parent = await mkdtemp(join(tmpdir(), 'conformance-mutant-'))
  const remove = (): Promise<void> => rm(parent, { recursive: true, force: true })
  try {
    const copy = join(parent, 'app')
    const isUsed = (path: string): boolean => !isOutside(path) && !unused.has(basename(path))
    await cp(folder, copy, { recursive: true, filter: isUsed })
    await writeFile(join(copy, broken.path), broken.text)
    const [own, root] = modules
    await mkdir(own, { recursive: true })
    await symlink(own, join(copy, 'node_modules'), 'dir')
    await symlink(root, join(parent, 'node_modules'), 'dir')
    return { folder: copy, remove }
  } catch (error) {
    await remove()
    throw error
  }
}

/**
 * Copies a built application, so that a build of the original does not disturb the running
 * copies.
 */
export async function snapshotOf(folder: string): Promise<MutantCopy> {
  const copy = await mkdtemp(join(tmpdir(), 'conformance-snapshot-'))
  await cp(folder, copy, { recursive: true, filter: (path) => !isOutside(path) })
  return { folder: copy, remove: () => rm(copy, { recursive: true, force: true }) }
}

/** Returns the compiled file in which the copy differs. Throws like `mutated`. */
export async function brokenFile(
  folder: string,
  mutant: SourceMutant,
): Promise<{ readonly path: string; readonly text: string }> {
  const { file } = mutant
  const text = mutated(await readFile(join(folder, file), 'utf8'), mutant)
  const [, below] = /^src\/(.*)\.ts$/.exec(file) ?? []
  if (below === undefined) return { path: file, text }
  const { code } = await transform(text, { loader: 'ts', target: 'es2023', sourcefile: file })
  return { path: `dist/${below}.js`, text: code }
}

/** Returns the source with the edit of the mutant. */
export function mutated(source: string, { name, file, find, replace }: SourceMutant): string {
  const count = source.split(find).length - 1
  if (find === '' || count !== 1) {
    throw new Error(
      `the mutant ${name} must find its text once in ${file}, and finds it ${count} times`,
    )
  }
  return source.replace(find, () => replace)
}

/** Files that a copy does not need to run. */
const unused = new Set(['src', 'client', 'test'])

function isOutside(path: string): boolean {
  return ['node_modules', '.git', '.strata', '.env', 'data'].includes(basename(path))
}
