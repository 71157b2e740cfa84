import type { Feature, Model } from '../model/model.ts'
import { searchColumn } from '../model/relations.ts'
import { relationsOf } from './relation-view.ts'

/** The properties of Prisma's arguments that say what is read with every record: `omit`, `include`, or none. */
export function shapeOf(model: Model, feature: Feature): readonly string[] {
  const { forward, many } = relationsOf(model, feature)
  const omitted = feature.fields
    .filter(({ name }) => feature.search.includes(name))
    .map((field) => `${searchColumn(field).camel}: true`)
  const included = [
    ...forward.map(({ camel, label }) => {
      const columns = ['id', ...(label ? [label.camel] : [])].map((name) => `${name}: true`)
      return `${camel}: { select: { ${columns.join(', ')} } }`
    }),
    ...many.map(({ field, target }) => partOf(model, target, field.camel)),
  ]
  return [
    ...(omitted.length > 0 ? [`omit: { ${omitted.join(', ')} }`] : []),
    ...(included.length > 0 ? [`include: { ${included.join(', ')} }`] : []),
  ]
}

/** Besides, the lists that are read with one record alone, as they stand in `include`. */
export function detailsOf(model: Model, feature: Feature): readonly string[] {
  const { children } = relationsOf(model, feature)
  return children.map(({ camel, child }) => partOf(model, child, camel))
}

function partOf(model: Model, part: Feature, camel: string): string {
  return `${camel}: { ${[...shapeOf(model, part), "orderBy: { id: 'asc' }"].join(', ')} }`
}
