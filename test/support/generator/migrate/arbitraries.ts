import fc from 'fast-check'
import type { FieldKind } from '../../../../src/generator/model/field-kinds.ts'
import type {
  DefaultValue,
  Feature,
  Field,
  FieldType,
} from '../../../../src/generator/model/model.ts'
import { feature } from './migrate.ts'

/** Small related features with few names, so that two drawn lists differ in every possible way. */
export function features(
  entities: readonly string[],
  options: { dateDefaults: boolean },
): fc.Arbitrary<readonly Feature[]> {
  const fields = fc
    .tuple(...names.map((name) => fc.option(field(name, options), { nil: undefined })))
    .map((all) => all.filter((each) => each !== undefined))
    .filter((all) => all.length > 0)
  return fc
    .tuple(...entities.map(() => fc.option(fields, { nil: undefined, freq: 3 })))
    .map((all) =>
      all.flatMap((own, i) =>
        own === undefined ? [] : [feature(entities[i] ?? '', { fields: own, many: [] })],
      ),
    )
    .chain((all) => fc.tuple(...all.map((own) => related(own, all))))
}

/** Adds foreign keys to any of `all`, itself included, a many-to-many relation and a search to a feature. */
function related(own: Feature, all: readonly Feature[]): fc.Arbitrary<Feature> {
  const others = all.filter((each) => each !== own)
  const grouped = own.fields
    .filter(({ type, unique }) => type.kind !== 'text' && type.kind !== 'json' && !unique)
    .map(({ name }) => name)
  const texts = own.fields.filter(({ type }) => searchable.has(type.kind)).map(({ name }) => name)
  return fc
    .record({
      keys: fc.tuple(...keyNames.map((name) => fc.option(key(name, own, all), { nil: undefined }))),
      target: others.length === 0 ? fc.constant(null) : fc.option(fc.constantFrom(...others)),
      search: fc.oneof(fc.constant([]), fc.subarray(texts)),
      unique: group(grouped),
      index: group(grouped),
    })
    .map(({ keys, target, search, unique, index }) => ({
      ...own,
      fields: [...own.fields, ...keys.filter((each) => each !== undefined)],
      many: target ? [{ name: 'links', camel: 'links', target: target.entity.pascal }] : [],
      search,
      ...(unique && { unique: [unique] }),
      ...(index && index.join() !== unique?.join() && { index: [index] }),
    }))
}

/** Two or three of the fields, or none. */
function group(names: readonly string[]): fc.Arbitrary<readonly string[] | null> {
  if (names.length < 2) return fc.constant(null)
  return fc.option(
    fc.shuffledSubarray([...names], { minLength: 2, maxLength: Math.min(names.length, 3) }),
  )
}

const keyNames = ['owner', 'parent'] as const
const searchable = new Set<FieldKind>(['string', 'text', 'email'])

function key(name: string, own: Feature, all: readonly Feature[]): fc.Arbitrary<Field> {
  return fc
    .record({
      target: fc.constantFrom(...all.map(({ entity }) => entity.pascal)),
      optional: fc.boolean(),
      cascade: fc.boolean(),
      unique: fc.boolean(),
    })
    .map(({ target, optional, cascade, unique }) => ({
      name: `${name}_id`,
      camel: `${name}Id`,
      type: { kind: 'uint' },
      optional: optional || target === own.entity.pascal,
      unique,
      index: false,
      references: { target, cascade },
    }))
}

const names = ['order', 'first_name', 'group', 'at', 'x2'] as const

const decimals: readonly FieldType[] = [
  { kind: 'decimal', precision: 10, scale: 2 },
  { kind: 'decimal', precision: 12, scale: 2 },
  { kind: 'decimal', precision: 8, scale: 0 },
]
const enumeration: FieldType = { kind: 'enum', values: ['draft', 'live'] }
const plainKinds = [
  'string',
  'text',
  'int',
  'uint',
  'bool',
  'float',
  'date',
  'datetime',
  'uuid',
  'json',
  'email',
] as const

const types: fc.Arbitrary<FieldType> = fc.constantFrom(
  ...plainKinds.map((kind): FieldType => ({ kind })),
  ...decimals,
  enumeration,
)

const defaults: Readonly<Record<FieldKind, readonly (string | number | boolean)[]>> = {
  string: ['', "it's", '"q" \\ é'],
  text: ['', 'a\nb'],
  int: [0, -5, 2_147_483_647],
  uint: [0, 7],
  bool: [true, false],
  float: [0, 1.5, 1e-7, -1e21],
  decimal: ['0', '12', '-7'],
  date: ['2020-02-29'],
  datetime: ['2020-02-29T12:30:00.120Z', '1999-12-31T00:00:00.000Z'],
  uuid: ['0190f6d6-7a3c-7cc0-b0d5-6a4bb3a3a1c4'],
  json: ['{"a":[1,"it\'s"]}', '1', '"x"', '[]'],
  email: ['a@b.example'],
  enum: ['draft', 'live'],
}

const neverUnique = new Set<FieldKind>(['text', 'json', 'bool', 'enum'])
const neverIndexed = new Set<FieldKind>(['text', 'json'])

function field(name: string, { dateDefaults }: { dateDefaults: boolean }): fc.Arbitrary<Field> {
  return types.chain((type) => {
    const isDate = type.kind === 'date' || type.kind === 'datetime'
    const values: DefaultValue[] = defaults[type.kind].map((value) => ({ kind: 'literal', value }))
    if (isDate) values.push({ kind: 'now' })
    const hasDefault = dateDefaults || !(isDate || type.kind === 'json')
    const initial = hasDefault
      ? fc.option(fc.constantFrom(...values), { nil: undefined, freq: 2 })
      : fc.constant(undefined)
    return fc
      .record({ optional: fc.boolean(), key: fc.constantFrom('unique', 'index', ''), initial })
      .map(({ optional, key, initial }) => ({
        name,
        camel: name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
        type,
        optional,
        unique: key === 'unique' && !neverUnique.has(type.kind),
        index: key === 'index' && !neverIndexed.has(type.kind),
        ...(initial && key !== 'unique' && { default: initial }),
      }))
      .chain((made) =>
        type.kind === 'string'
          ? fc.constantFrom(made, { ...made, max: 20 }, { ...made, max: 60 })
          : fc.constant(made),
      )
  })
}
