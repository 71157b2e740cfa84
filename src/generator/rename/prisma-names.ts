import { entitiesOf } from '../model/entities.ts'
import type { Feature, Model } from '../model/model.ts'
import { relationMembers } from '../model/relation-names.ts'
import { searchColumn } from '../model/relations.ts'

/** The models of `schema.prisma` by their previous names, with the names that a rename changes. */
export type PrismaNames = ReadonlyMap<string, PrismaModel>

export interface PrismaModel {
  /** The new name of the model. */
  readonly type: string
  /** Members with another name: fields, search columns and relations. */
  readonly renamed: ReadonlyMap<string, string>
  /** Members that hold values, by their previous names. */
  readonly scalars: ReadonlySet<string>
  /** The models of relations, by the previous names of the relations. */
  readonly relations: ReadonlyMap<string, string>
}

/** Compares two models that match by position. */
export function prismaNames(before: Model, after: Model): PrismaNames {
  const next = entitiesOf(after)
  return new Map(
    entitiesOf(before).map((feature, i) => {
      const other = next[i] ?? feature
      const [old, names] = [membersOf(before, feature), membersOf(after, other)]
      const renamed = old.flatMap((name, k) => {
        const to = names[k]
        return to === undefined || to === name ? [] : [[name, to] as const]
      })
      const relations = relationMembers(before, feature).map(
        ({ name, type }) => [name, type.replace(/\W+$/, '')] as const,
      )
      return [
        feature.entity.type,
        {
          type: other.entity.type,
          renamed: new Map(renamed),
          scalars: new Set(
            feature.fields.flatMap((field) => [field.camel, searchColumn(field).camel]),
          ),
          relations: new Map(relations),
        },
      ]
    }),
  )
}

function membersOf(model: Model, feature: Feature): readonly string[] {
  return [
    ...feature.fields.map(({ camel }) => camel),
    ...feature.fields.map((field) => searchColumn(field).camel),
    ...relationMembers(model, feature).map(({ name }) => name),
  ]
}
