import { StrataError } from '../errors.ts'
import type { Feature } from '../model/model.ts'
import type { FieldLists } from './field-list.ts'
import { didYouMean } from './nearest.ts'
import { printField, printMany } from './print-field.ts'
import { fault, isEmpty, type Span, spanOf, textOf } from './span.ts'
import { split } from './split.ts'

/** Reads the values of `--drop`: each is one name or several, separated by commas. Throws `usage`. */
export function parseDropped(values: readonly string[]): readonly Span[] {
  const spans = values.flatMap((value) => split(spanOf(value), ','))
  const empty = spans.find(isEmpty)
  if (empty !== undefined) throw fault(empty, 'a name is missing here: write --drop title')
  return spans
}

/**
 * Returns the lists of a feature without the dropped fields and with the added ones. An added field replaces the
 * field of the same name in its place. Throws `usage` for a name that the feature lacks, for a name in both lists, and
 * if no field remains.
 */
export function editFields(
  { entity, fields, many }: Pick<Feature, 'entity' | 'fields' | 'many'>,
  added: FieldLists,
  dropped: readonly Span[],
): FieldLists {
  const known = [...fields, ...many]
  const names = dropped.map((span) => droppedName(span, entity.pascal, known, added))
  const isKept = ({ name }: Named) => !names.includes(name)
  const next = {
    fields: withAdded(fields.filter(isKept), added.fields, added.many),
    many: withAdded(many.filter(isKept), added.many, added.fields),
  }
  assertSpellings([...next.fields, ...next.many])
  if (next.fields.length > 0) return next
  throw new StrataError(
    'usage',
    `${entity.pascal} would have no field: keep one, or add another with --add`,
  )
}

/**
 * Describes the fields of an existing feature that another list drops or changes. Returns `undefined` if it only adds
 * fields.
 */
export function describeReplaced(before: FieldLists, after: FieldLists): string | undefined {
  const [old, next] = [printed(before), printed(after)]
  const dropped = [...old.keys()].filter((name) => !next.has(name))
  const changed = [...old].flatMap(([name, text]) => {
    const other = next.get(name)
    return other === undefined || other === text ? [] : [`${text} becomes ${other}`]
  })
  const parts = [...(dropped.length > 0 ? [`drops ${dropped.join(', ')}`] : []), ...changed]
  return parts.length === 0 ? undefined : parts.join('; ')
}

interface Named {
  readonly name: string
  readonly camel: string
}

function droppedName(
  span: Span,
  pascal: string,
  known: readonly Named[],
  added: FieldLists,
): string {
  const text = textOf(span)
  const found = known.find(({ name, camel }) => name === text || camel === text)
  if (found === undefined) {
    const names = known.map(({ name }) => name)
    const list = `the fields of ${pascal} are ${names.join(', ')}`
    throw fault(
      span,
      `there is no field ${JSON.stringify(text)} to drop:${didYouMean(text, names)} ${list}`,
    )
  }
  if (![...added.fields, ...added.many].some(({ name }) => name === found.name)) return found.name
  throw fault(
    span,
    `${found.name} is in --add and in --drop: leave out --drop, because --add replaces the field`,
  )
}

/** Replaces items of the same name in their place, and appends the others. `moved` lists names of the other list. */
function withAdded<T extends Named>(
  list: readonly T[],
  added: readonly T[],
  moved: readonly Named[],
): readonly T[] {
  const has = (items: readonly Named[], { name }: Named) => items.some((item) => item.name === name)
  return [
    ...list
      .filter((item) => !has(moved, item))
      .map((item) => added.find(({ name }) => name === item.name) ?? item),
    ...added.filter((item) => !has(list, item)),
  ]
}

/** Throws `usage` if two names differ but are one name in the code: `a_1` and `a1`. */
function assertSpellings(all: readonly Named[]): void {
  const seen = new Map<string, string>()
  for (const { name, camel } of all) {
    const other = seen.get(camel)
    if (other !== undefined) {
      throw new StrataError(
        'usage',
        `${other} and ${name} would both be ${camel} in the code: rename one`,
      )
    }
    seen.set(camel, name)
  }
}

function printed({ fields, many }: FieldLists): ReadonlyMap<string, string> {
  return new Map([
    ...fields.map((field) => [field.name, printField(field)] as const),
    ...many.map((field) => [field.name, printMany(field)] as const),
  ])
}
