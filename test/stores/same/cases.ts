import { alike, extreme, pools } from './pools.ts'
import { encode, type Step } from './steps.ts'

const words = [...alike, ...extreme]

/** A field of samples for each type. */
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

/** Sequences that chance seldom makes: what falls with what, and how far. */
export const cases: readonly (readonly [title: string, steps: readonly Step[]])[] = [
  [
    'a record that falls along with the one it holds',
    [
      ...shelfWithNote(),
      make('holds', '{"note_id":<notes 0>,"shelf_id":<shelves 0>}'),
      ...removals('shelves', 0),
      ...['books', 'notes', 'holds'].map(get),
    ],
  ],
  [
    'a record that refers to itself, alone and with another that refers to it',
    [
      make('nodes', '{"name":"a"}'),
      put('nodes/<nodes 0>', '{"parent_id":<nodes 0>}'),
      make('nodes', '{"name":"b","parent_id":<nodes 0>}'),
      ...removals('nodes', 0, 1, 0),
    ],
  ],
  [
    'records that hold each other',
    [
      make('nodes', '{"name":"a"}'),
      make('nodes', '{"name":"b","parent_id":<nodes 0>}'),
      put('nodes/<nodes 0>', '{"parent_id":<nodes 1>}'),
      ...removals('nodes', 0, 1),
      get('nodes'),
    ],
  ],
  [
    'records that are parts of each other',
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
    'parts twenty levels deep, the last of them held for a while',
    [
      ...shelfWithNote(),
      ...twigs(20, (at) => at - 1),
      make('notes', '{"said":"m","book_id":<books 0>,"twig_id":<twigs 19>}'),
      make('holds', '{"note_id":<notes 1>}'),
      ...removals('twigs', 0),
      get('twigs'),
      ...removals('holds', 0),
      ...removals('twigs', 0),
      ...['twigs', 'notes'].map(get),
    ],
  ],
  [
    'more parts than a page has',
    [...twigs(110, () => 0), get('twigs/<twigs 0>'), ...removals('twigs', 0), get('twigs')],
  ],
  [
    'values of all sorts, one after another in a record',
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
    'texts of all sorts, looked for one after another and turned over page by page',
    [
      ...words.map((word) => make('samples', JSON.stringify({ word, about: `a ${word}.` }))),
      ...words.map((word) => get(`samples?page_size=100&search=${encode(word)}`)),
      ...[1, 2, 3, 7, 12, 13].map((page) => get(`samples?page_size=9&page=${page}`)),
    ],
  ],
  [
    'links to what has names of all sorts',
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
    'changes of one record at once, each of another field',
    [
      make('samples', '{"word":"w"}'),
      atOnce(changes.map((change) => put('samples/<samples 0>', change))),
      get('samples/<samples 0>'),
    ],
  ],
  [
    'one unique value, given to many at once',
    [
      ...['a', 'b', 'c', 'd'].map((word) => make('samples', `{"word":"${word}"}`)),
      atOnce([0, 1, 2, 3].map((at) => put(`samples/<samples ${at}>`, '{"count":7}'))),
      atOnce(Array.from({ length: 12 }, () => make('badges', '{"rank":7}'))),
      get('badges'),
      atOnce(Array.from({ length: 6 }, () => removals('badges', 0)).flat()),
      atOnce(Array.from({ length: 12 }, () => make('badges', '{"rank":7}'))),
      get('badges'),
    ],
  ],
  [
    'links set at once, to the same and to none',
    [
      ...shelfWithNote(),
      ...[1, 2, 3].map((rank) => make('badges', `{"rank":${rank}}`)),
      atOnce(Array.from({ length: 8 }, () => put('books/<books 0>', allLinks))),
      get('books/<books 0>'),
      atOnce(Array.from({ length: 8 }, () => put('books/<books 0>', '{"labels":[],"badges":[]}'))),
      get('books/<books 0>'),
      ...removals('badges', 1),
      put('books/<books 0>', allLinks),
    ],
  ],
]

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

function atOnce([first, ...beside]: readonly Step[]): Step {
  if (first === undefined) throw new Error('nothing is asked')
  return { ...first, beside }
}
