import fc from 'fast-check'
import { pools, rangeTypes } from './pools.ts'
import { plurals } from './project.ts'
import { idOf, type JsonText, mostly, name, orNull, placeOf, text, texts, valid } from './values.ts'

/**
 * One request for all applications. The placeholder `<labels 2>` is the id of the third created label, and `<last>`
 * is the complete last record read from the same resource. `<cursor>` in a path is the last cursor of the resource.
 */
export interface Step {
  readonly method: string
  /** The path after `/api/v1/`. */
  readonly path: string
  readonly body?: string
  /** The index of the user who sends the request. Anonymous if undefined. */
  readonly as?: number | undefined
  /**
   * Requests sent concurrently with this request. The answer is then the sorted list of all
   * statuses.
   */
  readonly concurrent?: readonly Step[]
}

type Fields = Readonly<Record<string, fc.Arbitrary<JsonText>>>

type Resource = (typeof plurals)[number]

const optionalId = (plural: Resource) =>
  fc.oneof({ weight: 5, arbitrary: idOf(plural) }, { weight: 2, arbitrary: fc.constant('null') })

/** The values of required and optional body fields. */
const resources: Readonly<Record<Resource, { required: Fields; optional: Fields }>> = {
  labels: { required: { name, slug: name }, optional: {} },
  badges: {
    required: { rank: fc.oneof(fc.integer({ min: 0, max: 9 }).map(String), mostly(valid.int)) },
    optional: { note: orNull(valid.text) },
  },
  samples: {
    required: { word: name },
    optional: {
      line: orNull(valid.line),
      about: mostly(valid.long),
      count: orNull(valid.int),
      size: mostly(valid.size),
      ratio: orNull(valid.float),
      near: mostly(valid.float),
      price: orNull(valid.decimal),
      rate: mostly(valid.rate),
      live: mostly(valid.bool),
      flag: orNull(valid.bool),
      day: orNull(valid.date),
      at: orNull(valid.datetime),
      code: orNull(valid.uuid),
      meta: orNull(valid.json),
      extra: mostly(valid.json),
      mail: orNull(valid.email),
      state: mostly(valid.enum),
    },
  },
  nodes: {
    required: { name },
    optional: { parent_id: optionalId('nodes'), label_id: optionalId('labels') },
  },
  twigs: { required: { name }, optional: { above_id: optionalId('twigs') } },
  shelves: { required: { name }, optional: {} },
  books: {
    required: { title: name, shelf_id: idOf('shelves'), label_id: idOf('labels') },
    optional: { live: mostly(valid.bool), labels: slugList(), badges: idList() },
  },
  notes: {
    required: { said: name, book_id: idOf('books') },
    optional: { twig_id: optionalId('twigs') },
  },
  holds: {
    required: { note_id: idOf('notes'), shelf_id: idOf('shelves') },
    optional: {
      name: mostly(valid.long),
      node_id: optionalId('nodes'),
    },
  },
}

/** Read-only keys that a body may repeat, and unknown keys. */
const others = fc.constantFrom(
  '"id":7',
  '"created_at":"x"',
  '"updated_at":null',
  '"unknown":1',
  '"user_id":1',
  '"__proto__":1',
  '"books":[]',
)

/** The resources that a sequence uses. */
const themes: readonly (readonly Resource[])[] = [
  ['samples'],
  ['labels', 'badges', 'books', 'books'],
  ['nodes', 'twigs', 'shelves', 'books', 'notes', 'holds'],
  plurals,
]

/** Generates sequences, most of which first create a few records of each resource. */
export function sequences({ longest }: { longest: number }): fc.Arbitrary<readonly Step[]> {
  const first = fc.tuple(...beginnings.map((step) => fc.option(fc.constant(step), { freq: 12 })))
  const rest = fc.oneof(
    ...themes.map((theme) => fc.array(stepOn(theme), { maxLength: longest, size: 'max' })),
  )
  return fc
    .tuple(first, rest)
    .map(([begun, steps]) => [...begun.filter((each) => each !== null), ...steps])
}

const make = (path: Resource, body: object): Step => ({
  method: 'POST',
  path,
  body: JSON.stringify(body).replaceAll(/"(<\w+ \d+>)"/g, '$1'),
  as: 0,
})

const beginnings: readonly Step[] = [
  make('labels', { name: 'Caf\u00e9', slug: 'a' }),
  make('labels', { name: 'b', slug: 'b' }),
  make('badges', { rank: 1 }),
  make('badges', { rank: 2 }),
  make('nodes', { name: 'n', label_id: '<labels 0>' }),
  make('twigs', { name: 't' }),
  make('shelves', { name: 's' }),
  make('books', {
    title: 'A b',
    shelf_id: '<shelves 0>',
    label_id: '<labels 0>',
    labels: ['b', 'a'],
    badges: ['<badges 1>'],
  }),
  make('notes', { said: '', book_id: '<books 0>', twig_id: '<twigs 0>' }),
]

const caller = fc.oneof(
  { weight: 12, arbitrary: fc.constant(0) },
  { weight: 2, arbitrary: fc.constant(1) },
  { weight: 1, arbitrary: fc.constant(undefined) },
)

function stepOn(theme: readonly Resource[]): fc.Arbitrary<Step> {
  const resource = fc.constantFrom(...theme)
  return fc.oneof(
    { weight: 8, arbitrary: resource.chain(creates) },
    { weight: 6, arbitrary: resource.chain(updates) },
    { weight: 3, arbitrary: resource.chain((path) => stepOf('GET', pathOf(path))) },
    { weight: 3, arbitrary: resource.chain((path) => stepOf('DELETE', pathOf(path))) },
    { weight: 4, arbitrary: resource.chain((path) => stepOf('GET', listOf(path))) },
    { weight: 2, arbitrary: resource.chain(odd) },
  )
}

function creates(path: Resource): fc.Arbitrary<Step> {
  const { required, optional } = resources[path]
  return stepOf('POST', fc.constant(path), bodyOf(required, optional))
}

function updates(path: Resource): fc.Arbitrary<Step> {
  const { required, optional } = resources[path]
  return stepOf('PUT', pathOf(path), bodyOf({}, { ...required, ...optional }))
}

/** Generates mostly invalid requests, and updates with a record as it was read. */
function odd(path: Resource): fc.Arbitrary<Step> {
  const { required, optional } = resources[path]
  const fewer = bodyOf({}, { ...required, ...optional })
  return fc.oneof(
    stepOf('POST', fc.constant(path), fewer),
    stepOf('PUT', pathOf(path), fc.constant('<last>')),
    stepOf('PUT', oddPathOf(path), fewer),
    stepOf('GET', oddPathOf(path)),
    stepOf('DELETE', oddPathOf(path)),
    stepOf('PATCH', pathOf(path), fewer),
    stepOf('PUT', pathOf(path), fc.constantFrom('{}', '[]', 'null', '{', '""', '')),
    stepOf('HEAD', pathOf(path)),
  )
}

function stepOf(
  method: string,
  path: fc.Arbitrary<string>,
  body?: fc.Arbitrary<string>,
): fc.Arbitrary<Step> {
  return fc.record({ method: fc.constant(method), path, as: caller, ...(body && { body }) })
}

function pathOf(path: string): fc.Arbitrary<string> {
  return placeOf(path).map((place) => `${path}/${place}`)
}

function oddPathOf(path: string): fc.Arbitrary<string> {
  return fc
    .constantFrom(
      '0',
      '-1',
      '1.0',
      '01',
      '%201',
      'abc',
      '1e0',
      '2147483647',
      '2147483648',
      '4294967295',
      '4294967296',
      '9007199254740992',
      '99999999999999999999999',
      '900000041',
      '%00',
      '%zz',
    )
    .map((id) => `${path}/${id}`)
}

function bodyOf(required: Fields, optional: Fields): fc.Arbitrary<string> {
  const named = fc.subarray(Object.keys(optional), {
    minLength: Object.keys(required).length === 0 ? 1 : 0,
  })
  return fc
    .tuple(
      named,
      fc.record({ ...required, ...optional }),
      fc.oneof({ weight: 20, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: others }),
    )
    .map(([names, values, other]) => {
      const given = [...Object.keys(required), ...names.slice(0, 4)]
      const pairs = given.map((key) => `${JSON.stringify(key)}:${values[key]}`)
      return `{${[...pairs, ...(other === null ? [] : [other])].join(',')}}`
    })
}

function slugList(): fc.Arbitrary<JsonText> {
  const slug = fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom('"a"', '"b"', '"A"', '"a "') },
    { weight: 1, arbitrary: text },
  )
  const item = fc.oneof(
    { weight: 8, arbitrary: slug },
    {
      weight: 1,
      arbitrary: fc.constantFrom('{"slug":"a"}', '{"slug":1}', '{"id":1}', 'null', '1'),
    },
  )
  return fc.oneof(
    {
      weight: 12,
      arbitrary: fc.array(item, { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
    },
    { weight: 1, arbitrary: fc.constantFrom('null', '"a"', '{}', `[${'"a",'.repeat(100)}"b"]`) },
  )
}

function idList(): fc.Arbitrary<JsonText> {
  const item = fc.oneof(
    { weight: 8, arbitrary: idOf('badges') },
    { weight: 1, arbitrary: idOf('badges').map((id) => `{"id":${id}}`) },
  )
  return fc.oneof(
    {
      weight: 12,
      arbitrary: fc.array(item, { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom('null', '"a"', '{}', `[${'<badges 0>,'.repeat(100)}<badges 1>]`),
    },
  )
}

function listOf(path: Resource): fc.Arbitrary<string> {
  const id = (plural: string) =>
    fc.oneof(
      { weight: 6, arbitrary: placeOf(plural) },
      {
        weight: 1,
        arbitrary: fc.constantFrom('0', '01', '-1', '2147483647', '2147483648', '', 'x', '1%20'),
      },
    )
  const flag = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom('true', 'false') },
    { weight: 1, arbitrary: fc.constantFrom('TRUE', '1', '0', '', 'null') },
  )
  const phrase = texts.map(encode)
  const slug = fc.oneof(fc.constantFrom('a', 'b', 'A'), phrase)
  const search = fc.oneof(
    { weight: 8, arbitrary: phrase },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        'z'.repeat(300),
        'z'.repeat(4_000),
        'y+'.repeat(500),
        '%20',
        '%20%20',
        '%F0%9F',
        '%ED%A0%BD',
      ),
    },
  )
  const state = fc.constantFrom('fresh', 'old', 'old', 'Old', '')
  const parameters: Readonly<Record<Resource, Fields>> = {
    labels: { search },
    badges: {},
    samples: { search, live: flag, flag, state, ...ranges },
    nodes: { parent_id: id('nodes'), label_id: id('labels') },
    twigs: { above_id: id('twigs') },
    shelves: { user_id: fc.constantFrom('<users 0>', '<users 1>', '2147483647') },
    books: {
      search,
      live: flag,
      shelf_id: id('shelves'),
      label_id: id('labels'),
      label: slug,
      badge: id('badges'),
    },
    notes: { book_id: id('books'), twig_id: id('twigs') },
    holds: { note_id: id('notes'), node_id: id('nodes'), shelf_id: id('shelves') },
  }
  const page = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom('1', '2', '3') },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '0',
        '-1',
        '1.5',
        '01',
        '',
        '21474837',
        '107374183',
        '4294967296',
        '9007199254740991',
        '9007199254740992',
        '%201',
        '1e1',
      ),
    },
  )
  const size = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom('1', '2', '3', '100') },
    { weight: 1, arbitrary: fc.constantFrom('0', '101', '-1', 'x', '1.0') },
  )
  const paging: Fields = { page, page_size: size, sort: sortOf(path), other: fc.constant('1') }
  const all: Fields = { ...parameters[path], ...paging }
  const byCursor = fc
    .tuple(size, fc.option(sortOf(path), { freq: 8 }))
    .map(
      ([count, sort]) =>
        `page_size=${count}&cursor=<cursor>${sort === null ? '' : `&sort=${sort}`}`,
    )
  const byPage = fc
    .tuple(
      fc.subarray(Object.keys(all), { maxLength: Math.min(6, Object.keys(all).length) }),
      fc.record(all),
    )
    .map(([names, values]) => names.map((key) => `${key}=${values[key]}`).join('&'))
  return fc
    .oneof({ weight: 4, arbitrary: byPage }, { weight: 1, arbitrary: byCursor })
    .map((query) => `${path}${query === '' ? '' : '?'}${query}`)
}

/** The fields that sort a list. Excludes `updated_at`: one application may write two records in one millisecond. */
const sortable: Readonly<Record<Resource, readonly string[]>> = {
  labels: ['slug'],
  badges: ['rank'],
  samples: ['word', 'line', 'count', 'ratio', 'price', 'day', 'at', 'code', 'mail'],
  nodes: ['parent_id', 'label_id'],
  twigs: ['above_id'],
  shelves: ['name', 'user_id'],
  books: ['shelf_id', 'label_id'],
  notes: ['book_id', 'twig_id'],
  holds: ['note_id', 'node_id', 'shelf_id'],
}

/** Generates sorts, a few of them invalid. */
function sortOf(path: Resource): fc.Arbitrary<string> {
  const name = fc.constantFrom(...sortable[path], 'id', 'created_at')
  const field = fc.tuple(fc.constantFrom('', '-'), name).map((pair) => pair.join(''))
  const fields = fc.uniqueArray(field, { minLength: 1, maxLength: 3, selector: plain })
  return fc.oneof(
    { weight: 12, arbitrary: fields.map((names) => names.join(',')) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('', '-', 'meta', 'user_id', 'id,-id', 'nope', 'ID', 'id,'),
    },
  )
}

function plain(field: string): string {
  return field.replace('-', '')
}

/** The parameters with the ranges of the resource `samples`. */
const ranges: Fields = Object.fromEntries(
  Object.entries(rangeTypes).flatMap(([name, type]) =>
    ['', '[gte]', '[gt]', '%5Blte%5D', '[lt]'].map((bound) => [`${name}${bound}`, boundOf(type)]),
  ),
)

/** Generates values of a query parameter, a few of them invalid. */
function boundOf(type: (typeof rangeTypes)[keyof typeof rangeTypes]): fc.Arbitrary<string> {
  const { good, bad } = pools[type]
  return fc
    .oneof(
      { weight: 24, arbitrary: fc.constantFrom<string>(...good) },
      { weight: 1, arbitrary: fc.constantFrom<string>(...bad) },
    )
    .map((value) => encodeURIComponent(value.replace(/^"|"$/g, '')))
}

/** URL-encodes a text. An unpaired surrogate becomes `%ED%A0%BD`, which is invalid UTF-8. */
export function encode(value: string): string {
  return value.isWellFormed()
    ? encodeURIComponent(value)
    : encodeURIComponent(value.toWellFormed()).replaceAll('%EF%BF%BD', '%ED%A0%BD')
}
