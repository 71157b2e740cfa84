import { StrataError } from '../../errors.ts'
import { entitiesOf } from '../../model/entities.ts'
import type { Model } from '../../model/model.ts'
import { joinTableName } from '../../model/relation-names.ts'
import { forwardOf, manyOf } from '../../model/relations.ts'

/**
 * Throws StrataError `usage` if a removal would cascade to a table by two paths, or back to its own table. SQL Server
 * rejects such foreign keys ("multiple cascade paths").
 */
export function refuseCascadePaths(model: Model): void {
  const cascades = cascadesOf(model)
  for (const { from } of cascades) followCascades(from, cascades, new Map([[from, []]]))
}

/** A cascade from one table to another: of a foreign key, or from either end of a many-to-many relation to its links. */
interface Cascade {
  readonly from: string
  readonly to: string
  readonly place: string
}

function cascadesOf(model: Model): readonly Cascade[] {
  return entitiesOf(model).flatMap((feature) => {
    const to = feature.entity.plural.snake
    const keys = forwardOf(model, feature).filter(({ cascade }) => cascade)
    return [
      ...keys.map(({ field, target }) => ({
        from: target.entity.plural.snake,
        to,
        place: `${feature.entity.pascal}.${field.name}`,
      })),
      ...manyOf(model, feature).flatMap((many) =>
        [feature, many.target].map(({ entity }) => ({
          from: entity.plural.snake,
          to: joinTableName(feature, many),
          place: `${feature.entity.pascal}.${many.field.name}`,
        })),
      ),
    ]
  })
}

/** Visits the tables that a cascade reaches from `table`. `paths` has the foreign keys on the way to each table. */
function followCascades(
  table: string,
  cascades: readonly Cascade[],
  paths: Map<string, readonly string[]>,
): void {
  const path = paths.get(table) ?? []
  for (const { to, place } of cascades.filter(({ from }) => from === table)) {
    const next = [...path, place]
    const other = paths.get(to)
    if (other) throw new StrataError('usage', refusal(other, next))
    paths.set(to, next)
    followCascades(to, cascades, paths)
  }
}

function refusal(one: readonly string[], other: readonly string[]): string {
  const places = [...new Set([...one, ...other])].join(', ')
  return `sqlserver allows no cascade by two paths or in a cycle: ${places}; remove :cascade from one of these fields, or use another kind of store`
}
