import { entitiesOf, entityOf } from '../model/entities.ts'
import type { FieldKind } from '../model/field-kinds.ts'
import { emailMaxLength, stringLength } from '../model/field-limits.ts'
import type { Feature, Field, Model } from '../model/model.ts'
import { forwardOf, manyOf, searchColumn } from '../model/relations.ts'

/** The records of one entity, as plain data for the processes that read and write them. */
export interface CopiedCollection {
  /** Name of the table or collection, and of the collection in messages: `blog_posts` */
  readonly name: string
  /** Prisma's name of the model in its client: `blogPost` */
  readonly accessor: string
  readonly fields: readonly CopiedField[]
  readonly many: readonly CopiedList[]
  /**
   * Foreign keys and lists, in snake_case, whose targets are copied later, or are the collection itself. The first pass
   * leaves them empty, and a second pass sets them.
   */
  readonly held: readonly string[]
}

export interface CopiedField {
  /** Name in snake_case. */
  readonly name: string
  /** Name in the project's code. */
  readonly camel: string
  readonly type: FieldKind
  /** The number of digits after the point, for decimals. */
  readonly scale?: number
  /** The number of all digits, for decimals. */
  readonly precision?: number
  /** The maximum number of characters, for texts whose column limits it. */
  readonly longest?: number
  /** The collection that a foreign key refers to. */
  readonly references?: string
  readonly optional: boolean
  /** The property with the folded text for the search, in relational stores. */
  readonly folded?: string
}

export interface CopiedList {
  readonly name: string
  readonly camel: string
}

/** Lists the collections of a model so that a record follows the records that it refers to. */
export function collectionsOf(model: Model): readonly CopiedCollection[] {
  const sorted = inOrderOfReferences(model)
  return sorted.map((feature, at) => {
    const copied = new Set(sorted.slice(0, at))
    return collectionOf(model, feature, (target) => copied.has(target))
  })
}

function collectionOf(
  model: Model,
  feature: Feature,
  isCopied: (target: Feature) => boolean,
): CopiedCollection {
  const { entity, fields, search } = feature
  return {
    name: entity.plural.snake,
    accessor: entity.type.charAt(0).toLowerCase() + entity.type.slice(1),
    fields: fields.map((field) => ({
      name: field.name,
      camel: field.camel,
      type: field.type.kind,
      ...(field.type.kind === 'decimal' && {
        scale: field.type.scale,
        precision: field.type.precision,
      }),
      ...longestOf(field),
      ...(field.references && {
        references: entityOf(model, field.references.target).entity.plural.snake,
      }),
      optional: field.optional,
      ...(search.includes(field.name) && { folded: searchColumn(field).camel }),
    })),
    many: manyOf(model, feature).map(({ field: { name, camel } }) => ({ name, camel })),
    held: [...forwardOf(model, feature), ...manyOf(model, feature)]
      .filter(({ target }) => !isCopied(target))
      .map(({ field }) => field.name),
  }
}

function longestOf({ type, max }: Field): Pick<CopiedField, 'longest'> {
  if (type.kind === 'string') return { longest: max ?? stringLength.standard }
  return type.kind === 'email' ? { longest: emailMaxLength } : {}
}

/**
 * Sorts the entities by their required foreign keys, which can not be set later. Optional keys and lists also count as
 * far as they form no cycle.
 */
function inOrderOfReferences(model: Model): readonly Feature[] {
  const sorted: Feature[] = []
  const left = [...entitiesOf(model)]
  while (left.length > 0) {
    const waits = (targets: (feature: Feature) => readonly Feature[]) => (feature: Feature) =>
      targets(feature).some((target) => target !== feature && left.includes(target))
    const isFree = (feature: Feature) => !waits((each) => targetsOf(model, each))(feature)
    const isInsertable = (feature: Feature) => !waits((each) => requiredOf(model, each))(feature)
    const next = left.find(isFree) ?? left.find(isInsertable) ?? left[0]
    if (next === undefined) break
    sorted.push(next)
    left.splice(left.indexOf(next), 1)
  }
  return sorted
}

function targetsOf(model: Model, feature: Feature): readonly Feature[] {
  return [...forwardOf(model, feature), ...manyOf(model, feature)].map(({ target }) => target)
}

function requiredOf(model: Model, feature: Feature): readonly Feature[] {
  return forwardOf(model, feature)
    .filter(({ field }) => !field.optional)
    .map(({ target }) => target)
}
