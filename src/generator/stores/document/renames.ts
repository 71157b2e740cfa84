import type { StoreRename } from '../../model/model.ts'
import { emittedRename } from '../../model/store-rename.ts'
import { print } from './schema.ts'

/** Returns the text of `src/infra/renames.ts`: the renames of the store, as data. */
export function documentRenames(renames: readonly StoreRename[]): string {
  const lines = renames.map((rename) => `  ${print(emittedRename(rename), 3)},\n`)
  return `import type { Rename } from './renamed-collection.js'

/** The renames of the store, oldest first. Opening the store applies each one once. */
export const renames: readonly Rename[] = [
${lines.join('')}]
`
}
