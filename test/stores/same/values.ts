import fc from 'fast-check'
import { alike, extreme, pools } from './pools.ts'

/** A value as JSON text. A number may have a form that JavaScript would not print. */
export type JsonText = string

/** Texts, most of them similar to others. */
export const texts = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...alike) },
  { weight: 2, arbitrary: fc.constantFrom(...extreme) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 6 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 6 }) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(...alike), fc.constantFrom(...alike))
      .map((pair) => pair.join('')),
  },
)

export const text = texts.map((value) => JSON.stringify(value))

/** Joins two texts, so that few results are too short. */
const line = fc.tuple(texts, texts).map((pair) => JSON.stringify(pair.join('')))

/** Mostly valid names from a small pool, so that creates succeed and names collide. */
export const name = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .constantFrom('a', 'A', 'a ', 'b', '\u00e9', 'e\u0301', '\u00df', 'SS', '\u{1f389}')
      .map((value) => JSON.stringify(value)),
  },
  { weight: 2, arbitrary: text },
)

const anyFloat = fc
  .double({ noNaN: true, min: -1e15, max: 1e15 })
  .map((value) => JSON.stringify(value))

/** Generators for each field type. */
export const valid = {
  text,
  line,
  long: fc.oneof({ weight: 6, arbitrary: text }, { weight: 1, arbitrary: inOrder('long') }),
  int: inOrder('int'),
  size: inOrder('size'),
  float: fc.oneof({ weight: 4, arbitrary: inOrder('float') }, { weight: 1, arbitrary: anyFloat }),
  decimal: inOrder('decimal'),
  rate: inOrder('rate'),
  bool: inOrder('bool'),
  date: inOrder('date'),
  datetime: inOrder('datetime'),
  uuid: inOrder('uuid'),
  json: fc.oneof(
    { weight: 6, arbitrary: inOrder('json') },
    { weight: 1, arbitrary: fc.json({ maxDepth: 3 }) },
  ),
  email: inOrder('email'),
  enum: inOrder('enum'),
} as const

/** Mostly valid values of a type, with a few invalid ones. */
function inOrder(type: keyof typeof pools): fc.Arbitrary<JsonText> {
  const { good, bad } = pools[type]
  return fc.oneof(
    { weight: 24, arbitrary: fc.constantFrom(...good) },
    { weight: 1, arbitrary: fc.constantFrom(...bad) },
  )
}

const wrong = fc.constantFrom(
  ...'null true false 0 1 "" "1" "x" [] ["x"] {} {"$gt":""} {"toString":1} 1e400'.split(' '),
)

/** Mostly values of the given generator, with a few values of a wrong type. */
export function mostly(arbitrary: fc.Arbitrary<JsonText>): fc.Arbitrary<JsonText> {
  return fc.oneof({ weight: 40, arbitrary }, { weight: 1, arbitrary: wrong })
}

/** Like `mostly`, with some null values. */
export function orNull(arbitrary: fc.Arbitrary<JsonText>): fc.Arbitrary<JsonText> {
  return fc.oneof(
    { weight: 8, arbitrary: mostly(arbitrary) },
    { weight: 1, arbitrary: fc.constant('null') },
  )
}

/** References to created records as placeholders such as `<labels 2>`, and a few invalid ids. */
export function idOf(plural: string): fc.Arbitrary<JsonText> {
  const wrong = [
    '0',
    '-1',
    '1.5',
    '2147483648',
    '4294967295',
    '9007199254740993',
    '"1"',
    'null',
    '[]',
  ]
  return fc.oneof(
    { weight: 30, arbitrary: placeOf(plural) },
    { weight: 2, arbitrary: fc.constantFrom('2147483647', '900000041') },
    { weight: 1, arbitrary: fc.constantFrom(...wrong) },
  )
}

/** A placeholder. An index beyond the last created record wraps around. */
export function placeOf(plural: string): fc.Arbitrary<string> {
  return fc.integer({ min: 0, max: 5 }).map((at) => `<${plural} ${at}>`)
}
