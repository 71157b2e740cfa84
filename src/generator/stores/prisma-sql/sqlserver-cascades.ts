import { StrataError } from '../../errors.ts'
import type { Model } from '../../model/model.ts'
import { joinTableName } from '../../model/relation-names.ts'
import { entitiesOf, forwardOf, manyOf } from '../../model/relations.ts'

/**
 * Throws StrataError `usage` where removing one record would come to the records of a table by two ways, or to its
 * own: SQL Server takes no such foreign keys.
 */
export function refuseCascadePaths(model: Model): void {
  const steps = stepsOf(model)
  for (const { from } of steps) walk(from, steps, new Map([[from, []]]))
}

/** Who falls with whom: of a cascade the holder, of a many-to-many relation its links with both ends. */
interface Step {
  readonly from: string
  readonly to: string
  readonly place: string
}

function stepsOf(model: Model): readonly Step[] {
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

/** `found` has the places by which each table was come to. */
function walk(table: string, steps: readonly Step[], found: Map<string, readonly string[]>): void {
  const way = found.get(table) ?? []
  for (const { to, place } of steps.filter(({ from }) => from === table)) {
    const next = [...way, place]
    const other = found.get(to)
    if (other) throw new StrataError('usage', refusal(other, next))
    found.set(to, next)
    walk(to, steps, found)
  }
}

function refusal(one: readonly string[], other: readonly string[]): string {
  const places = [...new Set([...one, ...other])].join(', ')
  return `sqlserver can't remove the same records by two ways, or in a circle: ${places}; leave out a cascade, or take another kind of store`
}
