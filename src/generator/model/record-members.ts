import { StrataError } from '../errors.ts'
import { isPrivate } from './access.ts'
import { isInherited } from './identifiers.ts'
import { filterFieldsOf, listParameters } from './list-fields.ts'
import type { Feature, Model } from './model.ts'
import { childrenOf, forwardOf, manyOf, searchColumn } from './relations.ts'

/** Throws `usage` if two members of a record, or two query parameters of its list, share a name. */
export function assertMembers(model: Model, feature: Feature): void {
  assertDistinct(feature, 'members', [...ownMembers(feature), ...relatedMembers(model, feature)])
  assertDistinct(feature, 'query parameters', filters(model, feature))
}

interface Member {
  readonly camel: string
  readonly name: string
  /** Origin of the member, used as a part of the message. */
  readonly from: string
}

function ownMembers({ fields, search }: Feature): readonly Member[] {
  const managed = [
    ['id', 'id'],
    ['created_at', 'createdAt'],
    ['updated_at', 'updatedAt'],
  ] as const
  return [
    ...managed.map(([name, camel]) => ({ name, camel, from: 'a managed field' })),
    ...fields.map(({ name, camel }) => ({ name, camel, from: `the field ${name}` })),
    ...fields
      .filter(({ name }) => search.includes(name))
      .map((field) => ({ ...searchColumn(field), from: `the search in ${field.name}` })),
  ]
}

function relatedMembers(model: Model, feature: Feature): readonly Member[] {
  return [
    ...forwardOf(model, feature).map(({ name, camel, field }) => ({
      name,
      camel,
      from: `the record of ${field.name}`,
    })),
    ...manyOf(model, feature).map(({ field: { name, camel } }) => ({
      name,
      camel,
      from: `${name}:many`,
    })),
    ...childrenOf(model, feature).flatMap(({ name, camel, child, total }) => [
      { name, camel, from: `the records of ${child.entity.pascal}` },
      { ...total, from: `the number of ${child.entity.plural.words}` },
    ]),
    ...(isPrivate(model, feature)
      ? [{ name: 'visible_to', camel: 'visibleTo', from: 'the filter of private lists' }]
      : []),
  ]
}

function filters(model: Model, feature: Feature): readonly Member[] {
  return [
    ...[...listParameters].map((name) => ({
      name,
      camel: name,
      from: 'a parameter of every list',
    })),
    ...filterFieldsOf(feature).map(({ name, camel }) => ({
      name,
      camel,
      from: `the field ${name}`,
    })),
    ...manyOf(model, feature).map(({ filter, field }) => ({
      name: filter,
      camel: filter,
      from: `${field.name}:many`,
    })),
  ]
}

function assertDistinct(feature: Feature, what: string, members: readonly Member[]): void {
  const { pascal } = feature.entity
  const seen = new Map<string, Member>()
  for (const member of members) {
    const other = seen.get(member.camel)
    if (other !== undefined) {
      throw new StrataError(
        'usage',
        `${pascal} would have two ${what} named ${member.name}, ${other.from} and ${member.from}: rename one`,
      )
    }
    if (isInherited(member.camel) || member.camel === 'then') {
      throw new StrataError(
        'usage',
        `${pascal} would have a member ${member.name} (${member.from}), which JavaScript reserves: choose another name`,
      )
    }
    seen.set(member.camel, member)
  }
}
