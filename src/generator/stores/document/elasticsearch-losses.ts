import type { FieldKind } from '../../model/field-kinds.ts'
import type { Feature, Model } from '../../model/model.ts'
import { documentLosses } from './losses.ts'

/**
 * Returns the losses of the document kinds, and the changes that an index refuses: a field of another type, even if
 * there are no records.
 */
export function elasticsearchLosses(from: Model, to: Model): readonly string[] {
  const refused = to.features.flatMap((feature) => {
    const before = from.features.find(({ entity }) => entity.pascal === feature.entity.pascal)
    return before ? refusedChanges(before, feature) : []
  })
  const isRefused = (loss: string) => refused.some((change) => loss.startsWith(change))
  return [
    ...documentLosses(from, to).filter((loss) => !isRefused(loss)),
    ...refused.map((change) => `${change}: the app refuses to start until its index is replaced`),
  ]
}

function refusedChanges(before: Feature, after: Feature): readonly string[] {
  return after.fields.flatMap(({ name, type }) => {
    const old = before.fields.find((field) => field.name === name)
    if (!old || mappingOf(old.type.kind) === mappingOf(type.kind)) return []
    const at = `${after.entity.plural.snake}.${name}`
    return [`${at} changes from ${old.type.kind} to ${type.kind}`]
  })
}

/** Returns the type of the field in the index, as in the emitted `src/infra/mapping.ts`. */
function mappingOf(kind: FieldKind): string {
  return mappings[kind] ?? 'text'
}

const mappings: Readonly<Partial<Record<FieldKind, string>>> = {
  int: 'integer',
  uint: 'integer',
  float: 'double',
  bool: 'boolean',
  datetime: 'date',
}
