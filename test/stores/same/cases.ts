import { alike, extreme, pools, rangeTypes } from './pools.ts'
import { encode, type Step } from './steps.ts'

const words = [...alike, ...extreme]

/** One field of the resource `samples` for each type. */
const fieldTypes = {
  ...{ about: 'long', count: 'int', size: 'size', near: 'float', price: 'decimal', rate: 'rate' },
  ...{
    flag: 'bool',
    day: 'date',
    at: 'datetime',
    code: 'uuid',
    meta: 'json',
    mail: 'email',
    state: 'enum',
  },
} as const satisfies Record<string, keyof typeof pools>

const changes = [
  ...['"word":"x"', '"line":"xy"', '"about":"z"', '"count":1', '"size":2', '"ratio":0.5'],
  ...['"near":1.5', '"price":"2.5"', '"live":true', '"flag":false', '"day":"2020-02-29"'],
  ...['"at":"2020-02-29T12:30:00Z"', '"meta":{"a":1}', '"mail":"a@b.io"', '"state":"old"'],
].map((change) => `{${change}}`)

const allLinks = '{"labels":["a"],"badges":[<badges 0>,<badges 1>,<badges 2>]}'

/** Sequences that random generation seldom produces: cascades, self-references and concurrency. */
export const cases: readonly (readonly [title: string, steps: readonly Step[]])[] = [
  [
    'a record that cascades together with a record that it restricts',
    [
      ...shelfWithNote(),
      make('holds', '{"note_id":<notes 0>,"shelf_id":<shelves 0>}'),
      ...removals('shelves', 0),
      ...['books', 'notes', 'holds'].map(get),
    ],
  ],
  [
    'a self-referencing record, with and without another reference to it',
    [
      make('nodes', '{"name":"a"}'),
      put('nodes/<nodes 0>', '{"parent_id":<nodes 0>}'),
      make('nodes', '{"name":"b","parent_id":<nodes 0>}'),
      ...removals('nodes', 0, 1, 0),
    ],
  ],
  [
    'two records with restricting references to each other',
    [
      make('nodes', '{"name":"a"}'),
      make('nodes', '{"name":"b","parent_id":<nodes 0>}'),
      put('nodes/<nodes 0>', '{"parent_id":<nodes 1>}'),
      ...removals('nodes', 0, 1),
      get('nodes'),
    ],
  ],
  [
    'two records with cascading references to each other',
    [
      make('twigs', '{"name":"a"}'),
      make('twigs', '{"name":"b","above_id":<twigs 0>}'),
      put('twigs/<twigs 0>', '{"above_id":<twigs 1>}'),
      get('twigs/<twigs 0>'),
      ...removals('twigs', 0),
      get('twigs'),
    ],
  ],
  [
    'a cascade over twenty levels with a restricting reference at the end',
    [
      ...shelfWithNote(),
      ...twigs(20, (at) => at - 1),
      make('notes', '{"said":"m","book_id":<books 0>,"twig_id":<twigs 19>}'),
      make('holds', '{"note_id":<notes 1>,"shelf_id":<shelves 0>}'),
      ...removals('twigs', 0),
      get('twigs'),
      ...removals('holds', 0),
      ...removals('twigs', 0),
      ...['twigs', 'notes'].map(get),
    ],
  ],
  [
    'a cascade to more records than a page has',
    [...twigs(110, () => 0), get('twigs/<twigs 0>'), ...removals('twigs', 0), get('twigs')],
  ],
  [
    'valid and invalid values of every type, written to one record',
    [
      make('samples', '{"word":"w"}'),
      ...Object.entries(fieldTypes).flatMap(([field, type]) => [
        ...pools[type].good.flatMap((value) => [
          put('samples/<samples 0>', `{"${field}":${value}}`),
          get('samples/<samples 0>'),
        ]),
        ...[...pools[type].bad, 'null'].map((value) =>
          put('samples/<samples 0>', `{"${field}":${value}}`),
        ),
      ]),
    ],
  ],
  [
    'searches for many texts, page by page',
    [
      ...words.map((word) => make('samples', JSON.stringify({ word, about: `a ${word}.` }))),
      ...words.map((word) => get(`samples?page_size=100&search=${encode(word)}`)),
      ...[1, 2, 3, 7, 12, 13].map((page) => get(`samples?page_size=9&page=${page}`)),
    ],
  ],
  [
    'texts in both directions, and cursor by cursor',
    [
      ...words.map((word) => make('samples', JSON.stringify({ word, line: `${word}${word}` }))),
      ...['word', '-word', 'line,word', '-line'].flatMap((sort) => sortedPages(sort, { pages: 5 })),
    ],
  ],
  ...Object.entries(rangeTypes).map(
    ([field, type]) => [`lists by ${field}`, sortsAndRanges(field, type)] as const,
  ),
  [
    'lists by several fields, and by the time of the last update',
    [
      ...[1, 1, 2, null, 2, null].map((at, i) =>
        make('samples', JSON.stringify({ word: `w${i}`, size: i + 1, line: at && `line ${at}` })),
      ),
      ...['line,-word', '-line,word', '-line,-id', 'line,created_at'].flatMap((sort) =>
        sortedPages(sort, { pages: 3, size: 2 }),
      ),
      ...[3, 0, 5].map((at) => put(`samples/<samples ${at}>`, '{"size":9}')),
      ...['updated_at', '-updated_at'].flatMap((sort) => sortedPages(sort, { pages: 2, size: 4 })),
      get('samples?state=fresh&size[gt]=2&sort=-word'),
      get('samples?search=W&size[gte]=2&size[lt]=9&sort=line'),
    ],
  ],
  [
    'pages by cursor while records are added and removed',
    [
      ...['a', 'b', 'c', 'd', 'e', 'f'].map((word) => make('samples', `{"word":"${word}"}`)),
      ...['', '&sort=word', '&sort=-word'].flatMap((sort, i) => [
        get(`samples?page_size=2${sort}`),
        make('samples', `{"word":"aa${i}"}`),
        ...removals('samples', 1 + i),
        ...Array.from({ length: 3 }, () => get('samples?page_size=2&cursor=<cursor>')),
      ]),
      ...['&page=1', '&page=2', '&sort=id', '&sort=-word'].map((other) =>
        get(`samples?cursor=<cursor>${other}`),
      ),
      get('samples?cursor=e30'),
    ],
  ],
  [
    'many-to-many links by unusual slugs',
    [
      ...words.map((word) => make('labels', JSON.stringify({ name: word, slug: word }))),
      make('shelves', '{"name":"s"}'),
      make('books', '{"title":"b","shelf_id":<shelves 0>,"label_id":<labels 0>}'),
      ...inTens(words).flatMap((labels) => [
        put('books/<books 0>', JSON.stringify({ labels })),
        ...labels.map((label) => get(`books?label=${encode(label)}`)),
      ]),
      ...['A', 'E\u0301', 'ss '].map((label) => get(`books?label=${encode(label)}`)),
    ],
  ],
  [
    'concurrent changes of different fields of one record',
    [
      make('samples', '{"word":"w"}'),
      playConcurrently(changes.map((change) => put('samples/<samples 0>', change))),
      get('samples/<samples 0>'),
    ],
  ],
  [
    'one unique value, written to many records concurrently',
    [
      ...['a', 'b', 'c', 'd'].map((word) => make('samples', `{"word":"${word}"}`)),
      playConcurrently([0, 1, 2, 3].map((at) => put(`samples/<samples ${at}>`, '{"count":7}'))),
      playConcurrently(Array.from({ length: 12 }, () => make('badges', '{"rank":7}'))),
      get('badges'),
      playConcurrently(Array.from({ length: 6 }, () => removals('badges', 0)).flat()),
      playConcurrently(Array.from({ length: 12 }, () => make('badges', '{"rank":7}'))),
      get('badges'),
    ],
  ],
  [
    'concurrent changes of the links of one record',
    [
      ...shelfWithNote(),
      ...[1, 2, 3].map((rank) => make('badges', `{"rank":${rank}}`)),
      playConcurrently(Array.from({ length: 8 }, () => put('books/<books 0>', allLinks))),
      get('books/<books 0>'),
      playConcurrently(
        Array.from({ length: 8 }, () => put('books/<books 0>', '{"labels":[],"badges":[]}')),
      ),
      get('books/<books 0>'),
      ...removals('badges', 1),
      put('books/<books 0>', allLinks),
    ],
  ],
]

/** Lists sorted by a field, the first page by its number and the others by cursors. */
function sortedPages(
  sort: string,
  { pages, size = 30 }: { pages: number; size?: number },
): readonly Step[] {
  const next = get(`samples?page_size=${size}&cursor=<cursor>`)
  const others = Array.from({ length: pages - 1 }, () => next)
  return [get(`samples?page_size=${size}&sort=${sort}`), ...others]
}

/** Writes all values of a type to records, and lists the records in ranges that begin and end at these values. */
function sortsAndRanges(field: string, type: keyof typeof pools): readonly Step[] {
  const { good } = pools[type]
  const values = good.map((value) => encodeURIComponent(value.replaceAll('"', '')))
  // Only fields with an index sort a list.
  const isSortable = !['size', 'near', 'rate'].includes(field)
  return [
    ...[...good, 'null'].map((value, i) => make('samples', `{"word":"w${i}","${field}":${value}}`)),
    ...(isSortable
      ? [field, `-${field}`].flatMap((sort) => sortedPages(sort, { pages: 4, size: 7 }))
      : []),
    ...values.flatMap((value, i) => [
      get(`samples?${field}=${value}`),
      get(`samples?page_size=100&${field}[gte]=${value}&${field}[lt]=${values.at(i - 3)}`),
      get(`samples?page_size=100&${field}[gt]=${value}`),
      get(`samples?page_size=100&${field}%5Blte%5D=${value}`),
    ]),
  ]
}

function inTens<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  const count = Math.ceil(items.length / 10)
  return Array.from({ length: count }, (_, at) => items.slice(at * 10, at * 10 + 10))
}

function shelfWithNote(): readonly Step[] {
  return [
    make('labels', '{"name":"a","slug":"a"}'),
    make('shelves', '{"name":"s"}'),
    make('books', '{"title":"b","shelf_id":<shelves 0>,"label_id":<labels 0>}'),
    make('notes', '{"said":"n","book_id":<books 0>}'),
  ]
}

function twigs(count: number, above: (at: number) => number): readonly Step[] {
  const others = Array.from({ length: count - 1 }, (_, at) => above(at + 1))
  return [
    make('twigs', '{"name":"t"}'),
    ...others.map((at) => make('twigs', `{"name":"t","above_id":<twigs ${at}>}`)),
  ]
}

function make(path: string, body: string): Step {
  return { method: 'POST', path, body, as: 0 }
}

function put(path: string, body: string): Step {
  return { method: 'PUT', path, body, as: 0 }
}

function get(path: string): Step {
  return { method: 'GET', path, as: 0 }
}

function removals(path: string, ...places: readonly number[]): readonly Step[] {
  return places.map((at) => ({ method: 'DELETE', path: `${path}/<${path} ${at}>`, as: 0 }))
}

function playConcurrently([first, ...concurrent]: readonly Step[]): Step {
  if (first === undefined) throw new Error('a case needs at least one request')
  return { ...first, concurrent }
}
