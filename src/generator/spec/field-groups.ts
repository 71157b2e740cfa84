import { StrataError } from '../errors.ts'
import {
  type GroupKind,
  groupFault,
  groupsWith,
  memberFault,
  printGroup,
  repeatFault,
} from '../model/field-groups.ts'
import type { Feature, FieldGroup } from '../model/model.ts'
import { didYouMean } from './nearest.ts'
import { fault, isEmpty, type Span, spanOf, textOf } from './span.ts'
import { split } from './split.ts'

/**
 * Reads the values of `--unique a,b` or `--index a,b`, one group each, or the word `none`. Throws `usage` with the place
 * of the fault.
 */
export function parseGroups(
  kind: GroupKind,
  values: readonly string[],
  feature: Pick<Feature, 'fields' | 'owner'>,
): readonly FieldGroup[] {
  if (values.length === 1 && values[0]?.trim() === 'none') return []
  const groups: FieldGroup[] = []
  for (const value of values) {
    const span = spanOf(value)
    const group = parseGroup(kind, span, feature)
    const message = groupFault(kind, group, feature) ?? repeatFault(kind, group, groups)
    if (message !== undefined) throw fault(span, message)
    groups.push(group)
  }
  return groups
}

/** Throws `usage` if a group names one of the dropped fields. */
export function assertNotGrouped(
  feature: Pick<Feature, GroupKind>,
  dropped: readonly Span[],
): void {
  for (const span of dropped) {
    const message = groupedFault(feature, textOf(span))
    if (message !== undefined) throw fault(span, message)
  }
}

/** Throws `usage` if a group names a field that a list of fields drops. */
export function assertGroupsKept(feature: Feature): void {
  const groups = [...(feature.unique ?? []), ...(feature.index ?? [])]
  const dropped = groups.flat().find((name) => !feature.fields.some((field) => field.name === name))
  const message = dropped === undefined ? undefined : groupedFault(feature, dropped)
  if (message !== undefined) throw new StrataError('usage', message)
}

function parseGroup(
  kind: GroupKind,
  span: Span,
  feature: Pick<Feature, 'fields' | 'owner'>,
): FieldGroup {
  const names: string[] = []
  for (const part of split(span, ',')) {
    if (isEmpty(part)) throw fault(part, `a field is missing here: write --${kind} post_id,user_id`)
    const text = textOf(part)
    const name = feature.fields.find((field) => field.camel === text)?.name ?? text
    const message = memberFault(kind, name, feature)
    if (message !== undefined) throw fault(part, `${message}${hintFor(name, feature)}`)
    if (names.includes(name)) throw fault(part, `${name} is given twice: leave one out`)
    names.push(name)
  }
  return names
}

function hintFor(name: string, { fields }: Pick<Feature, 'fields'>): string {
  const names = fields.map((field) => field.name)
  if (names.includes(name)) return ''
  return `:${didYouMean(name, names)} the fields are ${names.join(', ')}`
}

function groupedFault(feature: Pick<Feature, GroupKind>, name: string): string | undefined {
  const [group] = groupsWith(feature, name)
  if (group === undefined) return undefined
  const kind: GroupKind = feature.unique?.includes(group) ? 'unique' : 'index'
  const left = (feature[kind] ?? []).filter((each) => !each.includes(name))
  const options = left.map((each) => `--${kind} ${each.join(',')}`).join(' ') || `--${kind} none`
  const what = kind === 'unique' ? 'unique group' : 'index'
  return `${name} is part of the ${what} ${printGroup(group)}, which would go with it: pass ${options} too`
}
