import { StrataError } from '../errors.ts'
import type { EntityNames, Feature } from './model.ts'

/** Throws `usage` for the first alias that can't be a path of the feature's collection. */
export function assertAliases({ entity, aliases = [] }: Feature): void {
  aliases.forEach((alias, i) => {
    const fault = aliasFault(alias, entity) ?? repeatFault(alias, aliases.slice(0, i))
    if (fault !== undefined) throw new StrataError('usage', fault)
  })
}

/**
 * Returns the aliases of a feature after a rename: those that it had, and with `keepsPath` the path before the rename. A
 * path that becomes the collection's own is no alias.
 */
export function aliasesAfter(
  { entity, aliases = [] }: Pick<Feature, 'entity' | 'aliases'>,
  to: EntityNames,
  keepsPath: boolean,
): readonly string[] {
  const paths = new Set([...aliases, ...(keepsPath ? [entity.plural.kebab] : [])])
  return [...paths].filter((path) => path !== to.plural.kebab)
}

function aliasFault(alias: string, { pascal, plural }: EntityNames): string | undefined {
  if (!/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(alias))
    return `${JSON.stringify(alias)} is not the path of a collection: write it in lower case with hyphens, like blog-posts`
  return alias === plural.kebab
    ? `${alias} is the path of ${pascal} itself: leave out this alias`
    : undefined
}

function repeatFault(alias: string, earlier: readonly string[]): string | undefined {
  return earlier.includes(alias) ? `the alias ${alias} is given twice: leave one out` : undefined
}
