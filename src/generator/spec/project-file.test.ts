import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { StrataError } from '../errors.ts'
import { createFeature, createModel, withFeature } from '../model/build.ts'
import { entityNames } from '../model/names.ts'
import { storeKinds } from '../model/store-kinds.ts'
import { parseFieldArgs } from './field-list.ts'
import { printModel, readModel } from './project-file.ts'

const text = `{
  "strata": 1,
  "name": "shop",
  "module": "@acme/shop",
  "database": "sqlite",
  "auth": false,
  "features": {
    "BlogPost": {
      "fields": [
        "title:string:max=120",
        "views:uint:default=0"
      ]
    },
    "News": {
      "plural": "news-items",
      "fields": [
        "body:text"
      ]
    }
  }
}
`

describe('strata.json', () => {
  test('is parsed into the model', () => {
    const empty = createModel({
      name: 'shop',
      module: '@acme/shop',
      database: 'sqlite',
      auth: false,
    })
    const post = createFeature({
      entity: entityNames('BlogPost'),
      ...parseFieldArgs(['title:string:max=120', 'views:uint:default=0']),
    })
    const news = createFeature({
      entity: entityNames('News', { plural: 'news-items' }),
      ...parseFieldArgs(['body:text']),
    })
    expect(readModel(text)).toEqual(withFeature(withFeature(empty, post), news))
  })

  test('is printed with the same bytes after parsing', () => {
    expect(printModel(readModel(text))).toBe(text)
  })

  test('keeps the exact text of the deploy section', () => {
    const deploy = '{ "memory_mb": 1e3, "build": ["make", "all"],\n    "env": {} }'
    const before = `${text.slice(0, -3)},\n  "deploy": ${deploy}\n}\n`
    expect(printModel(readModel(before), before)).toBe(before)
  })

  test('may have a byte order mark and any line endings', () => {
    expect(readModel(`\uFEFF${text.replaceAll('\n', '\r\n')}`)).toEqual(readModel(text))
  })

  test('is parsed back to the same model, for any features', () => {
    const anyFeature = fc.record({
      name: fc.constantFrom('BlogPost', 'person', 'Map', 'news', 'Constructor', 'HTTPServer'),
      plural: fc.constantFrom(undefined, 'items', 'Things'),
      fields: fc.constantFrom(['a:int'], ['a:string:default="x, \\"y\\": z"', 'b:enum(x|y)']),
    })
    const project = fc.record({
      name: fc.constantFrom('shop', 'my-shop'),
      module: fc.constantFrom('shop', '@acme/shop'),
      database: fc.constantFrom(...storeKinds),
      auth: fc.boolean(),
    })
    const selector = ({ name, plural }: { name: string; plural: string | undefined }) =>
      plural ?? name
    fc.assert(
      fc.property(project, fc.uniqueArray(anyFeature, { selector }), (given, features) => {
        const model = features.reduce(
          (built, { name, plural, fields }) =>
            withFeature(
              built,
              createFeature({
                entity: entityNames(name, plural === undefined ? {} : { plural }),
                ...parseFieldArgs(fields),
              }),
            ),
          createModel(given),
        )
        const printed = printModel(model)
        expect(readModel(printed)).toEqual(model)
        expect(printModel(readModel(printed), printed)).toBe(printed)
      }),
    )
  })
})

describe('a fault in strata.json', () => {
  test.each([
    ['"strata": 1', '"strata": 2', 'strata: expected 1, not 2'],
    ['"name": "shop",', '', 'name: missing: write a text'],
    ['"name": "shop"', '"name": "../shop"', 'name: invalid project name "../shop": a name is not'],
    ['@acme/shop', 'Acme', 'module: invalid module name "Acme"'],
    ['"sqlite"', '"sqlit"', 'database: unknown store kind "sqlit": did you mean sqlite?'],
    ['"auth": false', '"auth": "no"', 'auth: expected true or false, not "no"'],
    ['"auth"', '"auht"', 'auth: missing: write true or false'],
    ['"auth": false', '"auth": false, "modul": 1', 'unknown key "modul": did you mean module?'],
    ['"plural"', '"plurals"', 'features.News: unknown key "plurals": did you mean plural?'],
    ['["body:text"]', '"body:text"', 'features.News.fields: expected a list, not "body:text"'],
    ['"body:text"', '1', 'features.News.fields[0]: expected a text, not 1'],
    [
      '"body:text"',
      '"body:txt"',
      'features.News.fields[0]: unknown type "txt": did you mean text?',
    ],
    ['["body:text"]', '[]', 'features.News.fields: there are no fields'],
    ['"News"', '"News!"', 'features.News!: "News!" is not an entity name'],
    ['"News"', '"blog_post"', 'features.blog_post: duplicate entity BlogPost'],
    ['"News"', '"Blogpost"', 'features.Blogpost: Blogpost differs from the existing BlogPost'],
    ['news-items', 'blog-posts', 'features.News: News and the existing BlogPost share the plural'],
    ['"News"', '"BlogPost"', 'duplicate key "BlogPost"'],
    ['"strata": 1', '"strata": 1, "deploy": []', 'deploy: expected an object, not []'],
  ])('(%s replaced by %s) is reported with its path', (part, other, message) => {
    const compact = JSON.stringify(JSON.parse(text)).replaceAll('":', '": ')
    expect(compact).toContain(part)
    const error = failureOf(() => readModel(compact.replace(part, other)))
    expect(error.kind).toBe('usage')
    expect(error.message).toMatch(/^strata\.json: /)
    expect(error.message).toContain(message)
  })

  test('in a field is reported at its position in that field', () => {
    const error = failureOf(() => readModel(text.replace('views:uint', 'views:unt')))
    expect(error.message).toContain('features.BlogPost.fields[1]: unknown type "unt"')
    expect(error.place).toEqual({ input: 'views:unt:default=0', start: 6, length: 3 })
  })

  test.each([
    ['', 1, 1, 'expected a value'],
    ['{', 1, 2, 'expected a key in double quotes'],
    ['{\n  "a": 1,\n}', 3, 1, 'expected a key in double quotes'],
    ['{\n  "a" 1\n}', 2, 7, 'expected :'],
    ['{\n  "a": [1 2]\n}', 2, 11, 'expected , or ]'],
    ['{\n  "a": tru\n}', 2, 8, 'expected a value'],
    ['{\n  "a": "b\n}', 2, 10, 'invalid or unclosed text in quotes'],
    ['{ "a": 1, "a": 2 }', 1, 11, 'duplicate key "a"'],
    ['{ "__proto__": {} }', 1, 3, 'the key "__proto__" is not allowed'],
    ['{} x', 1, 4, 'unexpected text after the last }'],
    ['{ "a": // no\n1 }', 1, 8, 'expected a value'],
  ])('in the JSON %j is reported at line %i, column %i', (broken, line, column, message) => {
    const error = failureOf(() => readModel(broken))
    expect(error.message).toBe(`strata.json: line ${line}, column ${column}: ${message}`)
    expect(error.place?.input).toBe(broken.split('\n')[line - 1])
    expect(error.place?.start).toBe(column - 1)
  })

  test('in JSON is reported if and only if JSON.parse reports one', () => {
    const piece = fc.constantFrom(
      ...'{ } [ ] , : "a" "b" " \\ \\u00e9 1 -0 01 1.5e3 . true null \n \t é \u0001 \u007f'.split(
        ' ',
      ),
      ' ',
    )
    const texts = fc.oneof(
      fc.json(),
      fc.array(piece).map((parts) => parts.join('')),
      fc.tuple(fc.json(), fc.nat(), piece).map(([json, at, extra]) => {
        const cut = at % (json.length + 1)
        return json.slice(0, cut) + extra + json.slice(cut)
      }),
    )
    fc.assert(
      fc.property(texts, (candidate) => {
        const { message, place } = failureOf(() => readModel(candidate))
        fc.pre(!message.includes('duplicate key') && !message.includes('__proto__'))
        expect(/^strata\.json: line \d/.test(message)).toBe(!isJson(candidate))
        const { input, start, length } = place ?? { input: '', start: 0, length: 0 }
        expect(start + length).toBeLessThanOrEqual(input.length)
      }),
      { numRuns: 2000 },
    )
  })
})

function isJson(candidate: string): boolean {
  try {
    JSON.parse(candidate)
    return true
  } catch {
    return false
  }
}

function failureOf(run: () => unknown): StrataError {
  try {
    run()
  } catch (error) {
    if (error instanceof StrataError) return error
    throw error
  }
  throw new Error('nothing was refused')
}
