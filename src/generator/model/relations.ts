import pluralize from 'pluralize'
import { hidesParts, isVisibleThrough } from './access.ts'
import { entityOf } from './entities.ts'
import type { Feature, Field, ManyField, Model } from './model.ts'

/** A foreign key, seen from the feature that declares it. */
export interface Forward {
  readonly field: Field
  /** The key's name without `_id`. A response contains the target under this name. */
  readonly name: string
  readonly camel: string
  readonly target: Feature
  /**
   * The field that describes the target to a person. A response contains this field beside the id. Undefined for a
   * private target that a reader of the record may not see.
   */
  readonly label: Field | undefined
  readonly cascade: boolean
}

/** Each feature asks for the keys of all others, so a large model would ask thousands of times. */
const known = new WeakMap<Model, WeakMap<Feature, readonly Forward[]>>()

/** Lists the foreign keys of a feature, in the order of its fields. Throws if the model lacks a target. */
export function forwardOf(model: Model, feature: Feature): readonly Forward[] {
  const keys = known.get(model) ?? new WeakMap()
  known.set(model, keys)
  const found = keys.get(feature) ?? foreignKeysOf(model, feature)
  keys.set(feature, found)
  return found
}

function foreignKeysOf(model: Model, feature: Feature): readonly Forward[] {
  return feature.fields.flatMap((field) => {
    if (field.references === undefined) return []
    const target = entityOf(model, field.references.target)
    const { cascade } = field.references
    const label = isVisibleThrough(model, feature, field) ? labelOf(target) : undefined
    return [{ field, ...relationName(field), target, label, cascade }]
  })
}

/** Returns the name of a foreign key without `_id`. */
export function relationName({ name, camel }: Pick<Field, 'name' | 'camel'>) {
  return { name: name.replace(/_id$/, ''), camel: camel.replace(/Id$/, '') }
}

/** A many-to-many relation, seen from the feature that declares it. */
export interface Many {
  readonly field: ManyField
  readonly target: Feature
  /** The field that identifies a target in request bodies and in the filter of the list. */
  readonly key: 'slug' | 'id'
  /** Query parameter of the list: `tag` for `tags`. */
  readonly filter: string
}

export function manyOf(model: Model, { many }: Feature): readonly Many[] {
  return many.map((field) => {
    const target = entityOf(model, field.target)
    const hasSlug = target.fields.some(
      ({ name, type, unique, optional }) =>
        name === 'slug' && type.kind === 'string' && unique && !optional,
    )
    const filter = pluralize.singular(field.name)
    return { field, target, key: hasSlug ? 'slug' : 'id', filter }
  })
}

/** Records that are parts of a parent: deleting the parent deletes them, and a response embeds them. */
export interface Children {
  /** The key of the list in the parent's response: the child's plural. */
  readonly name: string
  readonly camel: string
  readonly child: Feature
  /** The child's foreign key. */
  readonly by: Forward
  /** The key of the number of all records, of which the list has the newest. */
  readonly total: { readonly name: string; readonly camel: string }
}

/**
 * Lists the features whose records are parts of this feature's records: exactly one of their foreign keys to
 * this feature has `cascade`. Omits parts that a reader of the record may not see.
 */
export function childrenOf(model: Model, { entity }: Feature): readonly Children[] {
  const isPart = ({ fields }: Feature) =>
    fields.some(({ references }) => references?.cascade && references.target === entity.pascal)
  return model.features.filter(isPart).flatMap((child) => {
    const [by, ...others] = forwardOf(model, child).filter(
      ({ target, cascade }) => cascade && target.entity.pascal === entity.pascal,
    )
    if (by === undefined || others.length > 0 || hidesParts(model, child, by.field)) return []
    const { snake: name, camel } = child.entity.plural
    const total = { name: `${name}_total`, camel: `${camel}Total` }
    return [{ name, camel, child, by, total }]
  })
}

/** Names the column with the folded text of a searched field. Folding avoids case rules of the store. */
export function searchColumn({ name, camel }: Pick<Field, 'name' | 'camel'>) {
  return { name: `${name}_search`, camel: `${camel}Search` }
}

const labels = ['name', 'title']

function labelOf({ fields }: Feature): Field | undefined {
  const texts = fields.filter(({ type, optional }) => type.kind === 'string' && !optional)
  return labels.flatMap((name) => texts.filter((field) => field.name === name))[0] ?? texts[0]
}
