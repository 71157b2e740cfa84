import { decimalMaxPrecision } from '../model/field-limits.ts'
import { type FieldKind, type FieldType, fieldKinds } from '../model/model.ts'
import { nearest } from './nearest.ts'
import { cut, fault, isEmpty, type Span, textOf } from './span.ts'
import { split } from './split.ts'

/** Reads a field's type: a word, with `(p,s)` after decimal and `(a|b)` after enum. */
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

/** Splits `word(args)`; `args` is undefined without brackets. */
export function readCall(span: Span): { word: Span; args: Span | undefined } {
  const open = textOf(span).indexOf('(')
  if (open === -1) return { word: span, args: undefined }
  const [word, rest] = cut(span, open, 1)
  const close = textOf(rest).indexOf(')')
  if (close === -1) return { word: span, args: undefined }
  const [args, behind] = cut(rest, close, 1)
  if (isEmpty(behind)) return { word, args }
  throw fault(behind, `${JSON.stringify(textOf(behind))} does not belong behind the bracket`)
}

/** Words other systems use for our types. */
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
    throw fault(span, 'fk stands behind the type: write uint:fk')
  }
  if (word.includes(',')) {
    return fault(span, 'one argument is one field: give a list with commas to --fields')
  }
  const near =
    Object.entries(synonyms).find(([synonym]) => synonym === word.toLowerCase())?.[1] ??
    nearest(word, fieldKinds)
  const proposal = near === undefined ? '' : ` did you mean ${near}?`
  return fault(span, `unknown type ${JSON.stringify(word)}:${proposal} ${list}`)
}

function bracketMessage(kind: FieldKind): string {
  return kind === 'string'
    ? 'string takes no brackets: write string:max=120 for a length'
    : `${kind} takes no brackets`
}

function parseDecimal(word: Span, args: Span | undefined): FieldType {
  const match = args === undefined ? null : /^(\d{1,3})\s*,\s*(\d{1,3})$/.exec(textOf(args))
  if (match === null) {
    throw fault(args ?? word, 'decimal needs its digits and decimals: write decimal(10,2)')
  }
  const [precision, scale] = [Number(match[1]), Number(match[2])]
  if (precision < 1 || precision > decimalMaxPrecision) {
    throw fault(args ?? word, `decimal has 1 to ${decimalMaxPrecision} digits, not ${precision}`)
  }
  if (scale > precision) {
    throw fault(args ?? word, `decimal can't have ${scale} decimals in ${precision} digits`)
  }
  return { kind: 'decimal', precision, scale }
}

function parseEnum(word: Span, args: Span | undefined): FieldType {
  if (args === undefined || isEmpty(args)) {
    throw fault(args ?? word, 'enum needs its values: write enum(draft|published)')
  }
  const values: string[] = []
  for (const span of split(args, '|')) {
    const value = textOf(span)
    if (!/^[A-Za-z][A-Za-z0-9_]{0,62}$/.test(value)) {
      throw fault(
        span,
        `${enumValueMessage(value)}, up to 63 letters, digits and _, a letter first`,
      )
    }
    if (values.some((known) => known.toLowerCase() === value.toLowerCase())) {
      throw fault(span, `the enum has ${value} twice (upper and lower case are one to some stores)`)
    }
    values.push(value)
  }
  return { kind: 'enum', values }
}

function enumValueMessage(value: string): string {
  return value === ''
    ? 'a value is missing: an enum value is a word'
    : `${JSON.stringify(value)} is no enum value: one is a word`
}
