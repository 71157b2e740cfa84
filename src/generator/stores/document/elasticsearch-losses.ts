import type { Feature, FieldKind, Model } from '../../model/model.ts'
import { documentLosses } from './losses.ts'

/**
 * What the document kinds say of a change, and what an index refuses besides: a field of another type, be there
 * records or not.
 */
export function elasticsearchLosses(from: Model, to: Model): readonly string[] {
  const refused = to.features.flatMap((feature) => {
    const before = from.features.find(({ entity }) => entity.pascal === feature.entity.pascal)
    return before ? refusedBy(before, feature) : []
  })
  const isTold = (loss: string) => refused.some(({ told }) => loss.startsWith(told))
  return [
    ...documentLosses(from, to).filter((loss) => !isTold(loss)),
    ...refused.map(({ told }) => `${told}: the app refuses to start until its index is replaced`),
  ]
}

function refusedBy(before: Feature, after: Feature) {
  return after.fields.flatMap(({ name, type }) => {
    const old = before.fields.find((field) => field.name === name)
    if (!old || mappingOf(old.type.kind) === mappingOf(type.kind)) return []
    const at = `${after.entity.plural.snake}.${name}`
    return [{ told: `${at} changes from ${old.type.kind} to ${type.kind}` }]
  })
}

/** What `src/infra/mapping.ts` makes of them: all else is text. */
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
