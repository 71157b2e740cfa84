import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { CopyStore } from '../../../../generator/copy/copy-store.ts'

/** The store of a project, opened by the project's own code. */
export interface OpenedStore extends CopyStore {
  /** Returns the tables and columns that are not in the model, which a copy leaves behind. */
  foreign(): Promise<readonly string[]>
  close(): Promise<void>
}

/**
 * Imports a module of the project. The caller names the exports that emitted projects have there; a project that has
 * renamed them fails here with the name of the file.
 */
export async function importFrom<Module extends object>(
  root: string,
  path: string,
  names: readonly (keyof Module & string)[],
): Promise<Module> {
  const module: object = await import(pathToFileURL(join(root, path)).href)
  const missing = names.filter((name) => !(name in module))
  if (missing.length === 0) return module as Module
  throw new Error(`${path} does not export ${missing.join(', ')}, which the copy needs`)
}

/** The names of the fields that every record has. */
export const stamps = { created_at: 'createdAt', updated_at: 'updatedAt' } as const
