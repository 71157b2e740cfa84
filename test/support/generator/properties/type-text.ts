import fc from 'fast-check'
import type { FieldKind } from '../../../../src/generator/model/field-kinds.ts'
import { printValue } from '../../../../src/generator/spec/field-value.ts'

/** Generates the text of a type with modifiers, which is sometimes invalid. */
export function typeText(kind: FieldKind): fc.Arbitrary<string> {
  const keyed = fc.subarray(['optional', 'unique', 'index'])
  const plain = fc.subarray(['optional'])
  const modifiers = kind === 'text' || kind === 'json' ? plain : kind === 'bool' ? plain : keyed
  return fc
    .tuple(types[kind], modifiers, bounds(kind), initial(kind))
    .map(([type, words, limits, value]) => {
      const hasDefault = value !== undefined && !words.includes('unique')
      return [type, ...words, ...limits, ...(hasDefault ? [`default=${value}`] : [])].join(':')
    })
}

const types: Readonly<Record<FieldKind, fc.Arbitrary<string>>> = {
  string: fc.constant('string'),
  text: fc.constant('text'),
  int: fc.constant('int'),
  uint: fc.constant('uint'),
  bool: fc.constant('bool'),
  float: fc.constant('float'),
  decimal: fc
    .constantFrom([1, 0], [1, 1], [5, 0], [10, 2], [38, 0], [38, 38], [20, 19], [3, 1])
    .map((size) => `decimal(${size.join(',')})`),
  date: fc.constant('date'),
  datetime: fc.constant('datetime'),
  uuid: fc.constant('uuid'),
  json: fc.constant('json'),
  email: fc.constant('email'),
  enum: fc
    .uniqueArray(fc.oneof(fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9_]{0,20}$/), treacherousValues()), {
      minLength: 1,
      maxLength: 12,
      selector: (value) => value.toLowerCase(),
    })
    .map((values) => `enum(${values.join('|')})`),
}

function treacherousValues(): fc.Arbitrary<string> {
  return fc.constantFrom('n', 'default', 'null', 'class', 'true', 'constructor', 'x'.repeat(63))
}

function bounds(kind: FieldKind): fc.Arbitrary<string[]> {
  const pair = limits[kind]
  if (pair === undefined) return fc.constant([])
  return fc.tuple(fc.subarray(['min', 'max']), fc.tuple(pair, pair)).map(([names, values]) => {
    const [min, max] = values.toSorted((a, b) => a - b)
    return names.map((name) => `${name}=${plain((name === 'min' ? min : max) ?? 0)}`)
  })
}

const whole = [0, 1, 2, 7, 99, 100, 101, 65_535, 2_147_483_647]

const limits: Partial<Record<FieldKind, fc.Arbitrary<number>>> = {
  string: fc.constantFrom(0, 1, 2, 7, 8, 12, 99, 100, 255, 256, 768, 769, 65_535),
  text: fc.constantFrom(0, 1, 3, 200, 999_999, 1_000_000),
  int: fc.constantFrom(...whole, -1, -100, -2_147_483_648),
  uint: fc.constantFrom(...whole),
  float: fc.constantFrom(0, 0.1, -0.5, 1e-7, -1e21, 1e21, Number.MAX_VALUE, -3.25, 1000),
  decimal: fc.constantFrom(0, 1, -1, 0.5, 9, -9, 0.1, 99_999, 12_345_678),
}

/** Prints a number like JavaScript, except the forms that the grammar does not accept. */
function plain(value: number): string {
  return Number.isInteger(value) && Math.abs(value) < 1e15 ? value.toFixed(0) : String(value)
}

function initial(kind: FieldKind): fc.Arbitrary<string | undefined> {
  return fc.option(defaults[kind], { nil: undefined })
}

/** Texts that end a string, a comment or a template, or that a formatter treats specially. */
const fragments =
  `' " \\ \` \${ {{ }} {{{x}}} */ /* // <!-- </script> -- ; \\n \\' \\u0041 %s $1 $& é 日 😀 é x`
    .split(' ')
    .concat(' ', '\n', '\t', '\u2028', '\u2029', '\u00a0', '\ufeff', '\u200d', '\u202e')

const nasty = fc
  .array(fc.oneof(fc.constantFrom(...fragments), fc.string({ unit: 'grapheme', maxLength: 4 })), {
    maxLength: 30,
  })
  .map((parts) => parts.join(''))

const defaults: Readonly<Record<FieldKind, fc.Arbitrary<string>>> = {
  string: nasty.map(printValue),
  text: nasty.map(printValue),
  int: fc.constantFrom('0', '-0', '7', '-2147483648', '2147483647'),
  uint: fc.constantFrom('0', '1', '2147483647'),
  bool: fc.constantFrom('true', 'false'),
  float: fc.constantFrom('0', '-0.5', '1e-7', '1e21', '+2.50', '1.7976931348623157e308', '1E5'),
  decimal: fc.constantFrom('0', '0.1', '-0.9', '1', '7', '9', '99999', '-12.50'),
  date: fc.constantFrom('now', '2026-01-31', '9999-12-31', '1000-01-01'),
  datetime: fc.constantFrom('now', '"2026-01-31T12:00:00.5+01:00"', '"1999-12-31T00:00:00Z"'),
  uuid: fc.uuid(),
  json: fc.oneof(json(fc.json({ maxDepth: 3 })), json(fc.constantFrom(...trickyJson()))),
  email: fc.constantFrom('a@b.example', 'first.last+tag@sub.example.co'),
  enum: fc.constantFrom('n', 'default', 'null', 'class', 'true', 'constructor'),
}

function json(text: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return text.map(printValue)
}

function trickyJson(): readonly string[] {
  return [
    '{"class":1,"a-b":2,"1":3,"0x1":4,"":5,"é":6,"1e3":7,"01":8}',
    '{"a":{"b":{"c":[[],{},[{}]]}}}',
    `{"'":"'","\\"":"\\"","\`":"\${x}"}`,
    '[1e21,1e-7,-0,12345678901234567890,0.1]',
    '"*/ {{x}} \\\\ \\u2028"',
    JSON.stringify(Array.from({ length: 40 }, (_, i) => i)),
    JSON.stringify(Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`key_${i}`, i]))),
  ]
}
