import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

/** A deliberately broken version of an emitted application. */
export interface SourceMutant {
  readonly name: string
  /** Relative to the application's folder. */
  readonly file: string
  /** Must stand in the file exactly once. */
  readonly find: string
  readonly replace: string
  /** The title of a check that must notice. Absent: any may. */
  readonly noticedBy?: string
}

export interface MutantCopy {
  readonly folder: string
  readonly remove: () => Promise<void>
}

/**
 * Copies an application to a temporary folder and breaks the copy. `modules` are the node_modules
 * folders it resolves packages from, its own first. Throws when `find` does not stand in the file
 * exactly once: a mutant that changes nothing proves nothing.
 */
export async function copyWithMutant(
  folder: string,
  mutant: SourceMutant,
  modules: readonly [own: string, root: string],
): Promise<MutantCopy> {
  const source = await readFile(join(folder, mutant.file), 'utf8')
  const broken = mutated(source, mutant)
  const parent = await mkdtemp(join(tmpdir(), 'conformance-mutant-'))
  const copy = join(parent, 'app')
  await cp(folder, copy, { recursive: true, filter: (path) => !isLeftOut(path) })
  await writeFile(join(copy, mutant.file), broken)
  const [own, root] = modules
  await mkdir(own, { recursive: true })
  await symlink(own, join(copy, 'node_modules'), 'dir')
  await symlink(root, join(parent, 'node_modules'), 'dir')
  return { folder: copy, remove: () => rm(parent, { recursive: true, force: true }) }
}

/** The source with the mutant's one edit. */
export function mutated(source: string, { name, file, find, replace }: SourceMutant): string {
  const count = source.split(find).length - 1
  if (find === '' || count !== 1) {
    throw new Error(
      `the mutant ${name} must find its text once in ${file}, and finds it ${count} times`,
    )
  }
  return source.replace(find, () => replace)
}

function isLeftOut(path: string): boolean {
  return ['node_modules', 'dist', '.git'].includes(basename(path))
}
