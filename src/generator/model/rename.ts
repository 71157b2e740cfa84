import { StrataError } from '../errors.ts'
import { aliasesAfter } from './aliases.ts'
import { placeFeature } from './build.ts'
import { assertRelations } from './check-relations.ts'
import type { FieldName } from './field-name.ts'
import type { EntityNames, Feature, Field, ManyField, Model } from './model.ts'

/** A new name of a field or of an entity. */
export type Rename = FieldRename | EntityRename

export interface FieldRename {
  readonly kind: 'field'
  /** The entity of the field, in PascalCase. */
  readonly entity: string
  /** The previous name, in snake_case. */
  readonly from: string
  readonly to: FieldName
}

export interface EntityRename {
  readonly kind: 'entity'
  /** The previous name, in PascalCase. */
  readonly from: string
  readonly to: EntityNames
  /** True if the app serves the previous path, too. */
  readonly keepsPath?: boolean
}

/**
 * Renames a field or an entity in the model, and everything that refers to it. Features and fields keep their order, so
 * that both models match by position. A foreign key `post_id` and a relation `posts` that carry the name of a renamed
 * entity are renamed too. Throws `usage` if the new name is taken or invalid.
 */
export function renameInModel(model: Model, rename: Rename): Model {
  const features = model.features.map((feature) =>
    rename.kind === 'field'
      ? withField(feature, rename)
      : withEntity(feature, rename, entityNamesOf(model, rename.from)),
  )
  const next = features.reduce(placeFeature, { ...model, features: [] })
  assertRelations(next)
  return next
}

function entityNamesOf({ features }: Model, pascal: string): EntityNames {
  const found = features.find(({ entity }) => entity.pascal === pascal)
  if (found === undefined) throw new Error(`the model has no ${pascal}`)
  return found.entity
}

function withField(feature: Feature, { entity, from, to }: FieldRename): Feature {
  return feature.entity.pascal === entity ? withNames(feature, new Map([[from, to]])) : feature
}

function withEntity(feature: Feature, rename: EntityRename, old: EntityNames): Feature {
  const { from, to, keepsPath = false } = rename
  const names = new Map([
    ...feature.fields
      .filter(({ name, references }) => references?.target === from && name === `${old.snake}_id`)
      .map(({ name }) => [name, { name: `${to.snake}_id`, camel: `${to.camel}Id` }] as const),
    ...feature.many
      .filter(({ name, target }) => target === from && name === old.plural.snake)
      .map(({ name }) => [name, { name: to.plural.snake, camel: to.plural.camel }] as const),
  ])
  const { fields, many, aliases: _, ...others } = withNames(feature, names)
  const isRenamed = feature.entity.pascal === from
  const aliases = isRenamed ? aliasesAfter(feature, to, keepsPath) : (feature.aliases ?? [])
  return {
    ...others,
    ...(aliases.length > 0 && { aliases }),
    entity: isRenamed ? to : feature.entity,
    fields: fields.map((field) => withTarget(field, from, to.pascal)),
    many: many.map((each) => (each.target === from ? { ...each, target: to.pascal } : each)),
  }
}

function withTarget(field: Field, from: string, target: string): Field {
  const { references } = field
  return references?.target === from ? { ...field, references: { ...references, target } } : field
}

/** Renames fields and relations of one feature. Throws `usage` if two members would have the same name. */
function withNames(feature: Feature, names: ReadonlyMap<string, FieldName>): Feature {
  const renamed = <T extends Field | ManyField>(field: T): T => ({
    ...field,
    ...names.get(field.name),
  })
  const nameOf = (name: string) => names.get(name)?.name ?? name
  const fields = feature.fields.map(renamed)
  const many = feature.many.map(renamed)
  for (const { name, camel } of names.values())
    refuseTaken(feature, name, [...fields, ...many].filter((each) => each.camel === camel).length)
  for (const { name, references } of fields) {
    if (references === undefined || name.endsWith('_id')) continue
    throw new StrataError('usage', `the name of a foreign key ends in _id: write ${name}_id`)
  }
  return {
    ...feature,
    fields,
    many,
    search: feature.search.map(nameOf),
    ...(feature.unique && { unique: feature.unique.map((group) => group.map(nameOf)) }),
    ...(feature.index && { index: feature.index.map((group) => group.map(nameOf)) }),
    ...(feature.owner !== undefined && { owner: nameOf(feature.owner) }),
  }
}

function refuseTaken({ entity }: Feature, name: string, uses: number): void {
  if (uses < 2) return
  throw new StrataError(
    'usage',
    `the field ${name} already exists in ${entity.pascal}: choose another name, or rename that field first`,
  )
}
