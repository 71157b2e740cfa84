import { entitiesOf } from './entities.ts'
import type { Feature, Model } from './model.ts'
import { childrenOf, type Forward, forwardOf, type Many, manyOf } from './relations.ts'

/** Returns the `@relation` name of a foreign key in `schema.prisma`: table and column. */
export function keyRelation({ entity }: Feature, { field }: Forward): string {
  return `${entity.plural.snake}_${field.name}`
}

/** Returns the `@relation` name of a many-to-many relation: table and field. */
export function manyRelation({ entity }: Feature, { field }: Many): string {
  return `${entity.plural.snake}_${field.name}`
}

/** Returns the join table of a many-to-many relation, as Prisma names it: `_posts_tags`. */
export function joinTableName(holder: Feature, many: Many): string {
  return `_${manyRelation(holder, many)}`
}

/**
 * Names the list of referring records in the target's Prisma model: `comments` if they are parts of the target,
 * otherwise `commentsByAuthor`.
 */
export function backOfKey(model: Model, holder: Feature, key: Forward): string {
  const parts = childrenOf(model, key.target).find(
    ({ child, by }) => child.entity.pascal === holder.entity.pascal && by.field === key.field,
  )
  return parts?.camel ?? backName(holder, key.camel)
}

/** Names the list of linked records in the target's Prisma model: `postsByTags`. */
export function backOfMany(holder: Feature, { field }: Many): string {
  return backName(holder, field.camel)
}

function backName({ entity }: Feature, camel: string): string {
  return `${entity.plural.camel}By${camel.charAt(0).toUpperCase()}${camel.slice(1)}`
}

/** A relation field of a Prisma model. */
export interface RelationMember {
  /** The field's name in the Prisma model. */
  readonly name: string
  /** Type of the field: `User`, `Post?`, `Tag[]` */
  readonly type: string
  /** The name in `@relation("posts_author_id")`. */
  readonly relation: string
  /** Set only on the side with the foreign key. */
  readonly key?: Forward
}

/** Lists every relation field of a Prisma model; the relations that the feature declares come first. */
export function relationMembers(model: Model, feature: Feature): readonly RelationMember[] {
  const isTarget = (other: Feature) => other.entity.pascal === feature.entity.pascal
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
        .filter(({ target }) => isTarget(target))
        .map((key) => ({
          name: backOfKey(model, other, key),
          // A list for a unique key, too: details read the newest parts of every relation alike.
          type: `${other.entity.type}[]`,
          relation: keyRelation(other, key),
        })),
      ...manyOf(model, other)
        .filter(({ target }) => isTarget(target))
        .map((many) => ({
          name: backOfMany(other, many),
          type: `${other.entity.type}[]`,
          relation: manyRelation(other, many),
        })),
    ]),
  ]
}
