import { StrataError } from '../errors.ts'
import type { Feature, Field, ManyField } from '../model/model.ts'
import { isMany, type ParsedField, parseField } from './field.ts'
import { fault, isEmpty, type Span, spanOf, textOf } from './span.ts'
import { split } from './split.ts'

/** The fields and many-to-many relations of a feature, in the order of the list. */
export type FieldLists = Pick<Feature, 'fields' | 'many'>

/**
 * Reads the value of `--fields`: one or more fields, separated by commas. Throws `usage` at the first fault; its span
 * refers to `text`.
 */
export function parseFieldList(text: string): FieldLists {
  const whole = spanOf(text)
  if (isEmpty(whole)) throw noFields(whole)
  return requireField(distinct(split(whole, ',').map(parseNonEmpty)))
}

/**
 * Reads one field from each argument. Throws `usage` at the first fault and if there is no argument; the span refers to
 * the argument.
 */
export function parseFieldArgs(args: readonly string[]): FieldLists {
  if (args.length === 0) throw noFields()
  return requireField(distinct(args.map((arg) => parseNonEmpty(spanOf(arg)))))
}

/**
 * Reads the values of `--add`: each is one field or several, separated by commas. Unlike a list of fields, it may
 * contain relations alone. Throws `usage` at the first fault.
 */
export function parseAddedFields(values: readonly string[]): FieldLists {
  return listsOf(distinct(values.flatMap((value) => split(spanOf(value), ',')).map(parseNonEmpty)))
}

function parseNonEmpty(span: Span): ParsedField {
  if (isEmpty(span)) throw fault(span, 'a field is missing here: write name:type')
  return parseField(span)
}

function noFields(span?: Span): StrataError {
  const message = 'there are no fields: add at least one, like title:string'
  return span === undefined ? new StrataError('usage', message) : fault(span, message)
}

/** Throws `usage` if two fields or relations have the same name in any spelling. */
function distinct(parsed: readonly ParsedField[]): readonly ParsedField[] {
  const seen = new Map<string, Span>()
  for (const { field, name } of parsed) {
    const other = seen.get(field.camel)
    if (other !== undefined) throw duplicate(name, other, field.camel)
    seen.set(field.camel, name)
  }
  return parsed
}

function requireField(parsed: readonly ParsedField[]): FieldLists {
  const lists = listsOf(parsed)
  const [only] = parsed
  if (lists.fields.length === 0 && only !== undefined) {
    throw fault(only.name, 'there is only many and no field: add at least one, like name:string')
  }
  return lists
}

/** Separates fields and relations. */
function listsOf(parsed: readonly ParsedField[]): FieldLists {
  const all = parsed.map(({ field }) => field)
  return {
    fields: all.filter((field): field is Field => !isMany(field)),
    many: all.filter((field): field is ManyField => isMany(field)),
  }
}

function duplicate(name: Span, other: Span, camel: string): StrataError {
  const [second, first] = [textOf(name), textOf(other)]
  return second === first
    ? fault(name, `${second} is declared twice: leave one out`)
    : fault(name, `${first} and ${second} would both be ${camel} in the code: rename one`)
}
