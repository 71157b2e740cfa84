import { type FieldKind, fieldKinds } from '../model/field-kinds.ts'
import { decimalMaxPrecision } from '../model/field-limits.ts'
import type { FieldType } from '../model/model.ts'
import { nearest } from './nearest.ts'
import { cut, fault, isEmpty, type Span, textOf } from './span.ts'
import { split } from './split.ts'

/** Reads a field's type: a word, with `(p,s)` after decimal and `(a|b)` after enum. Throws `usage`. */
export function parseType(span: Span): FieldType {
  const { word, args } = readCall(span)
  const name = textOf(word)
  const kind = fieldKinds.find((known) => known === name)
  if (kind === undefined) throw unknownType(word)
  if (kind === 'decimal') return parseDecimal(word, args)
  if (kind === 'enum') return parseEnum(word, args)
  if (args !== undefined) throw fault(args, bracketMessage(kind))
  return { kind }
}

/** Splits `word(args)`; `args` is `undefined` if there are no brackets. */
export function readCall(span: Span): { word: Span; args: Span | undefined } {
  const open = textOf(span).indexOf('(')
  if (open === -1) return { word: span, args: undefined }
  const [word, rest] = cut(span, open, 1)
  const close = textOf(rest).indexOf(')')
  if (close === -1) return { word: span, args: undefined }
  const [args, extra] = cut(rest, close, 1)
  if (isEmpty(extra)) return { word, args }
  throw fault(extra, `unexpected ${JSON.stringify(textOf(extra))} after the closing bracket`)
}

/** Type names of other systems, with the type to suggest. */
const synonyms: Readonly<Record<string, FieldKind>> = {
  varchar: 'string',
  char: 'string',
  number: 'float',
  double: 'float',
  numeric: 'decimal',
  money: 'decimal',
  integer: 'int',
  bigint: 'int',
  timestamp: 'datetime',
  time: 'datetime',
  jsonb: 'json',
  guid: 'uuid',
}

function unknownType(span: Span): Error {
  const word = textOf(span)
  const list = `the types are ${fieldKinds.join(', ')}, many(Entity)`
  if (word === 'fk') {
    throw fault(span, 'fk is a modifier, not a type: write uint:fk')
  }
  if (word.includes(',')) {
    return fault(span, 'an argument holds one field: pass a list with commas to --fields')
  }
  const near =
    Object.entries(synonyms).find(([synonym]) => synonym === word.toLowerCase())?.[1] ??
    nearest(word, fieldKinds)
  const proposal = near === undefined ? '' : ` did you mean ${near}?`
  return fault(span, `unknown type ${JSON.stringify(word)}:${proposal} ${list}`)
}

function bracketMessage(kind: FieldKind): string {
  return kind === 'string'
    ? 'string takes no brackets: write string:max=120 to limit the length'
    : `${kind} takes no brackets`
}

function parseDecimal(word: Span, args: Span | undefined): FieldType {
  const match = args === undefined ? null : /^(\d{1,3})\s*,\s*(\d{1,3})$/.exec(textOf(args))
  if (match === null) {
    throw fault(args ?? word, 'decimal needs precision and scale: write decimal(10,2)')
  }
  const [precision, scale] = [Number(match[1]), Number(match[2])]
  if (precision < 1 || precision > decimalMaxPrecision) {
    throw fault(
      args ?? word,
      `the precision of a decimal is 1 to ${decimalMaxPrecision}, not ${precision}`,
    )
  }
  if (scale > precision) {
    throw fault(
      args ?? word,
      `the scale of a decimal is at most its precision: ${scale} is more than ${precision}`,
    )
  }
  return { kind: 'decimal', precision, scale }
}

function parseEnum(word: Span, args: Span | undefined): FieldType {
  if (args === undefined || isEmpty(args)) {
    throw fault(args ?? word, 'enum needs values: write enum(draft|published)')
  }
  const values: string[] = []
  for (const span of split(args, '|')) {
    const value = textOf(span)
    if (!/^[A-Za-z][A-Za-z0-9_]{0,62}$/.test(value)) {
      const invalid =
        value === '' ? 'an enum value is missing' : `invalid enum value ${JSON.stringify(value)}`
      throw fault(span, `${invalid}: expected a letter, then up to 62 letters, digits or _`)
    }
    if (values.some((known) => known.toLowerCase() === value.toLowerCase())) {
      throw fault(span, `the enum lists ${value} twice (some stores ignore case)`)
    }
    values.push(value)
  }
  return { kind: 'enum', values }
}
