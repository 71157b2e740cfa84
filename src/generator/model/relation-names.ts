import type { Feature, Model } from './model.ts'
import { childrenOf, entitiesOf, type Forward, forwardOf, type Many, manyOf } from './relations.ts'

/** What joins the two ends of a foreign key in `schema.prisma`; its table's and column's names. */
export function keyRelation({ entity }: Feature, { field }: Forward): string {
  return `${entity.plural.snake}_${field.name}`
}

/** The same of a many-to-many relation. */
export function manyRelation({ entity }: Feature, { field }: Many): string {
  return `${entity.plural.snake}_${field.name}`
}

/** The table that holds its links, as Prisma names it: `_posts_tags`. */
export function joinTableName(holder: Feature, many: Many): string {
  return `_${manyRelation(holder, many)}`
}

/**
 * The member of the target's Prisma model that lists what refers to it: `comments` where they are read as its
 * parts, else `commentsByAuthor`.
 */
export function backOfKey(model: Model, holder: Feature, key: Forward): string {
  const parts = childrenOf(model, key.target).find(
    ({ child, by }) => child.entity.pascal === holder.entity.pascal && by.field === key.field,
  )
  return parts?.camel ?? by(holder, key.camel)
}

/** The member of the target's Prisma model that lists the other side: `postsByTags`. */
export function backOfMany(holder: Feature, { field }: Many): string {
  return by(holder, field.camel)
}

function by({ entity }: Feature, camel: string): string {
  return `${entity.plural.camel}By${camel.charAt(0).toUpperCase()}${camel.slice(1)}`
}

/** A line of a Prisma model that is no column. */
export interface RelationMember {
  /** The field's name in the Prisma model. */
  readonly name: string
  /** `User`, `Post?`, `Tag[]` */
  readonly type: string
  /** `@relation("posts_author_id")`'s name. */
  readonly relation: string
  /** Only on the side that holds the key. */
  readonly key?: Forward
}

/** Every relation of a Prisma model, its own first. */
export function relationMembers(model: Model, feature: Feature): readonly RelationMember[] {
  const isIt = (other: Feature) => other.entity.pascal === feature.entity.pascal
  return [
    ...forwardOf(model, feature).map((key) => ({
      name: key.camel,
      type: `${key.target.entity.type}${key.field.optional ? '?' : ''}`,
      relation: keyRelation(feature, key),
      key,
    })),
    ...manyOf(model, feature).map((many) => ({
      name: many.field.camel,
      type: `${many.target.entity.type}[]`,
      relation: manyRelation(feature, many),
    })),
    ...entitiesOf(model).flatMap((other) => [
      ...forwardOf(model, other)
        .filter(({ target }) => isIt(target))
        .map((key) => ({
          name: backOfKey(model, other, key),
          type: backType(other, key),
          relation: keyRelation(other, key),
        })),
      ...manyOf(model, other)
        .filter(({ target }) => isIt(target))
        .map((many) => ({
          name: backOfMany(other, many),
          type: `${other.entity.type}[]`,
          relation: manyRelation(other, many),
        })),
    ]),
  ]
}

/** A unique key is held by one record at most. */
function backType(holder: Feature, { field }: Forward): string {
  return `${holder.entity.type}${field.unique ? '?' : '[]'}`
}
