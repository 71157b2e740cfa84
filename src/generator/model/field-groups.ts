import { StrataError } from '../errors.ts'
import { emailMaxLength, identifierMaxBytes, stringLength } from './field-limits.ts'
import type { Feature, Field, FieldGroup } from './model.ts'

export const groupKinds = ['unique', 'index'] as const

/** A group of fields is unique together, or has an index. Both are options of `strata feature`. */
export type GroupKind = (typeof groupKinds)[number]

type Grouped = Pick<Feature, 'fields' | 'owner'>

/** Prints a group for messages: `post_id + user_id`. The emitted code names the group of a conflict alike. */
export function printGroup(group: FieldGroup): string {
  return group.join(' + ')
}

/** Returns the fields of a group, in the order of the group. */
export function fieldsOfGroup({ fields }: Pick<Feature, 'fields'>, group: FieldGroup): Field[] {
  return group.flatMap((name) => fields.find((field) => field.name === name) ?? [])
}

/** Returns the fields and the groups of fields that are unique. */
export function uniqueGroupsOf({
  fields,
  unique = [],
}: Pick<Feature, 'fields' | 'unique'>): readonly FieldGroup[] {
  return [...fields.filter((field) => field.unique).map(({ name }) => [name]), ...unique]
}

/** Returns the groups that name the field. */
export function groupsWith(feature: Pick<Feature, GroupKind>, name: string): readonly FieldGroup[] {
  return groupKinds.flatMap((kind) => feature[kind] ?? []).filter((group) => group.includes(name))
}

/** Throws `usage` for the first group that the store or the emitted tests can't hold. */
export function assertGroups(feature: Feature): void {
  for (const kind of groupKinds) {
    const groups = feature[kind] ?? []
    groups.forEach((group, i) => {
      const fault =
        group.map((name) => memberFault(kind, name, feature)).find((each) => each !== undefined) ??
        groupFault(kind, group, feature) ??
        repeatFault(kind, group, groups.slice(0, i)) ??
        nameFault(kind, group, feature)
      if (fault === undefined) return
      throw new StrataError(
        'usage',
        `--${kind} ${group.join(',')} of ${feature.entity.pascal}: ${fault}`,
      )
    })
  }
  const both = feature.index?.find((group) => feature.unique?.some((each) => isSame(each, group)))
  if (both === undefined) return
  throw new StrataError(
    'usage',
    `--index ${both.join(',')} of ${feature.entity.pascal}: the fields are unique together, which is an index: leave out --index`,
  )
}

/** Returns the reason why a group can't name this field, or `undefined` if it can. */
export function memberFault(
  kind: GroupKind,
  name: string,
  { fields }: Grouped,
): string | undefined {
  const field = fields.find((each) => each.name === name)
  if (field === undefined) return `there is no field ${name}`
  const { type } = field
  if (type.kind === 'text' || type.kind === 'json') {
    return `${name} is of type ${type.kind}, which is too long for an index`
  }
  if (kind === 'unique' && field.unique) {
    return `${name} is already unique alone: leave out the group, or change the field`
  }
  return undefined
}

/** Returns the reason why the fields can't be a group, or `undefined` if they can. */
export function groupFault(
  kind: GroupKind,
  group: FieldGroup,
  feature: Grouped,
): string | undefined {
  if (group.length < 2) {
    return `a group has two fields or more: write ${group[0] ?? 'title'}:…:${kind} in the list of fields for a single one`
  }
  const members = fieldsOfGroup(feature, group)
  const bytes = members.reduce((sum, field) => sum + indexBytes(field), 0)
  if (bytes > maxIndexBytes) {
    return `an index of these fields has up to ${bytes} bytes, and MySQL allows ${maxIndexBytes}: give the strings a smaller max`
  }
  if (kind === 'index' || members.some((field) => isManyValued(field, feature))) return undefined
  return `only few records could exist: name a field other than bool, enum${feature.owner === undefined ? '' : ' and the owner'}`
}

/** Returns the reason why a group repeats another one. The order of fields matters in an index alone. */
export function repeatFault(
  kind: GroupKind,
  group: FieldGroup,
  others: readonly FieldGroup[],
): string | undefined {
  const key = (each: FieldGroup) => (kind === 'unique' ? each.toSorted() : each).join()
  return others.some((other) => key(other) === key(group))
    ? `${printGroup(group)} is given twice: leave one out`
    : undefined
}

/** Names the index of a group, as Prisma does. */
export function groupIndexName({ entity }: Feature, kind: GroupKind, group: FieldGroup): string {
  return `${entity.plural.snake}_${group.join('_')}_${kind === 'unique' ? 'key' : 'idx'}`
}

function nameFault(kind: GroupKind, group: FieldGroup, feature: Feature): string | undefined {
  const name = groupIndexName(feature, kind, group)
  return name.length > identifierMaxBytes
    ? `the index ${name} would have ${name.length} characters, and PostgreSQL allows ${identifierMaxBytes}: shorten a field or the plural (--plural)`
    : undefined
}

const maxIndexBytes = 3072

/** Returns the bytes of a value in an index of MySQL: up to four for each character. */
function indexBytes({ type, max }: Field): number {
  switch (type.kind) {
    case 'string':
      return (max ?? stringLength.standard) * 4
    case 'email':
      return emailMaxLength * 4
    case 'enum':
      return 64 * 4
    case 'uuid':
      return 36 * 4
    default:
      return 8
  }
}

/** The tests of the emitted app create many records for one owner. */
function isManyValued({ name, type }: Field, { owner }: Grouped): boolean {
  return type.kind !== 'bool' && type.kind !== 'enum' && name !== owner
}

function isSame(one: FieldGroup, other: FieldGroup): boolean {
  return one.join() === other.join()
}
