import pluralize from 'pluralize'
import type { Feature, Field, ManyField, Model } from './model.ts'
import { user } from './user.ts'

/** Everything that has a table: the user of `--auth` first, then the features in their order. */
export function entitiesOf({
  auth,
  features,
}: Pick<Model, 'auth' | 'features'>): readonly Feature[] {
  return auth ? [user, ...features] : features
}

/** A foreign key seen from the record that holds it. */
export interface Forward {
  readonly field: Field
  /** What is read beside the key: `author` for `author_id`. */
  readonly name: string
  readonly camel: string
  readonly target: Feature
  /** What a person knows the target by; it is read with the id. Undefined: the id says it all. */
  readonly label: Field | undefined
  readonly cascade: boolean
}

/** The foreign keys of a feature, in the order of its fields. The model holds their targets. */
export function forwardOf(model: Model, { fields }: Feature): readonly Forward[] {
  return fields.flatMap((field) => {
    if (field.references === undefined) return []
    const target = entityOf(model, field.references.target)
    const { cascade } = field.references
    return [{ field, ...relationName(field), target, label: labelOf(target), cascade }]
  })
}

/** The name of what a foreign key refers to: its own without `_id`. */
export function relationName({ name, camel }: Pick<Field, 'name' | 'camel'>) {
  return { name: name.replace(/_id$/, ''), camel: camel.replace(/Id$/, '') }
}

/** A many-to-many relation seen from the feature that declares it. */
export interface Many {
  readonly field: ManyField
  readonly target: Feature
  /** What bodies and the list's filter name a record of the target by. */
  readonly key: 'slug' | 'id'
  /** The list's query parameter: `tag` for `tags`. */
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

/** Records that are a part of another one: they fall with it, and one reads it with them. */
export interface Children {
  /** The wire's name of the list in the parent: the child's plural. */
  readonly name: string
  readonly camel: string
  readonly child: Feature
  /** The child's foreign key. */
  readonly by: Forward
}

/**
 * The features whose records are read as parts of this one's: those that refer to it by just one foreign key
 * that says `cascade`.
 */
export function childrenOf(model: Model, { entity }: Feature): readonly Children[] {
  return model.features.flatMap((child) => {
    const [by, ...others] = forwardOf(model, child).filter(
      ({ target, cascade }) => cascade && target.entity.pascal === entity.pascal,
    )
    if (by === undefined || others.length > 0) return []
    return [{ name: child.entity.plural.snake, camel: child.entity.plural.camel, child, by }]
  })
}

/** The booleans and foreign keys a list can be narrowed by; the names of paging and search stay theirs. */
export function filterFieldsOf({ fields }: Feature): readonly Field[] {
  return fields.filter(
    ({ name, type, references }) =>
      (type.kind === 'bool' || references !== undefined) && !listParameters.has(name),
  )
}

/** Query parameters that every list may have. */
export const listParameters: ReadonlySet<string> = new Set(['page', 'page_size', 'search'])

/** The column that holds a searched field folded, so that a store's own idea of case plays no part. */
export function searchColumn({ name, camel }: Pick<Field, 'name' | 'camel'>) {
  return { name: `${name}_search`, camel: `${camel}Search` }
}

function entityOf(model: Model, pascal: string): Feature {
  const found = entitiesOf(model).find(({ entity }) => entity.pascal === pascal)
  if (!found) throw new Error(`the model has no ${pascal}`)
  return found
}

const labels = ['name', 'title']

function labelOf({ fields }: Feature): Field | undefined {
  const texts = fields.filter(({ type, optional }) => type.kind === 'string' && !optional)
  return labels.flatMap((name) => texts.filter((field) => field.name === name))[0] ?? texts[0]
}
