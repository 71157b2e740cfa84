import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { StrataError } from '../errors.ts'
import { entityNames } from './names.ts'

describe('an entity name', () => {
  test.each(['blog_post', 'blogPost', 'blog-post', 'BlogPost', 'Blog_Post', 'BLOG_POST'])(
    'is the same in the spelling %s',
    (input) => {
      expect(entityNames(input)).toEqual(entityNames('BlogPost'))
    },
  )

  test('gives every spelling, singular and plural', () => {
    expect(entityNames('HTTPServer')).toEqual({
      pascal: 'HttpServer',
      camel: 'httpServer',
      kebab: 'http-server',
      snake: 'http_server',
      words: 'http server',
      type: 'HttpServer',
      plural: {
        pascal: 'HttpServers',
        camel: 'httpServers',
        kebab: 'http-servers',
        snake: 'http_servers',
        words: 'http servers',
      },
    })
  })

  test.each([
    ['Category', 'categories'],
    ['Person', 'people'],
    ['News', 'news'],
    ['Status', 'statuses'],
    ['BlogPost', 'blog-posts'],
    ['SalesPerson', 'sales-people'],
    ['Html5', 'html5s'],
    ['New', 'news'],
  ])('the entity %s has the plural %s', (input, plural) => {
    expect(entityNames(input).plural.kebab).toBe(plural)
  })

  test('accepts a custom plural in any spelling', () => {
    expect(entityNames('News', { plural: 'newsItems' }).plural.kebab).toBe('news-items')
  })

  test.each(
    `Widget Type Map Http Json Router Response Object News Status Person BlogPost Post Class
     Function New Default Delete Error Errors Container Config Prisma Store App Index Constructor
     Order Group User Key Table Select`.split(/\s+/),
  )('accepts the entity name %s', (input) => {
    expect(entityNames(input).pascal).toBe(input)
  })

  test.each([
    ['', undefined],
    ['../Post', 0],
    ['blog/post', 4],
    ['blog post', 4],
    ['blog _post', 4],
    ['_post', 0],
    ['post_', 4],
    ['blog__post', 4],
    ['1post', 0],
    ['post_1', 4],
    ['Café', 3],
    ['Post\n', 4],
  ])('refuses %j, and the error marks the invalid part', (input, start) => {
    const error = failureOf(() => entityNames(input))
    expect(error.kind).toBe('usage')
    expect(error.place?.start).toBe(start)
  })

  test('is refused with the nearest valid name', () => {
    expect(failureOf(() => entityNames('blog post')).message).toBe(
      '"blog post" is not an entity name: use ASCII letters, and digits after a letter, as in BlogPost',
    )
  })

  test('is refused if SQLite reserves the name of its table', () => {
    expect(failureOf(() => entityNames('SqliteMaster')).message).toContain('sqlite_masters')
    expect(entityNames('SqliteMaster', { plural: 'masters' }).plural.snake).toBe('masters')
  })

  test('is refused if the name of the primary key is longer than 63 bytes', () => {
    const longest = `A${'a'.repeat(56)}`
    expect(entityNames(longest).plural.snake).toHaveLength(58)
    expect(failureOf(() => entityNames(`${longest}a`)).message).toContain(
      'has 64 characters, and PostgreSQL allows 63',
    )
  })

  test('gives the same names from each of its spellings', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[A-Za-z][A-Za-z0-9]{0,9}([_-][A-Za-z][A-Za-z0-9]{0,6}){0,3}$/),
        (input) => {
          fc.pre(!input.toLowerCase().startsWith('sqlite'))
          const names = entityNames(input)
          const plural = { plural: names.plural.kebab }
          for (const spelling of [names.pascal, names.camel, names.kebab, names.snake]) {
            expect(entityNames(spelling, plural)).toEqual(names)
          }
        },
      ),
      { numRuns: 500 },
    )
  })

  test('from any string is parsed, or refused with a span inside the string', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (input) => {
        try {
          expect(entityNames(input).pascal).toMatch(/^[A-Z][A-Za-z0-9]*$/)
        } catch (error) {
          if (!(error instanceof StrataError)) throw error
          const { start, length } = error.place ?? { start: 0, length: 0 }
          expect(start + length).toBeLessThanOrEqual(input.length)
        }
      }),
    )
  })
})

function failureOf(run: () => unknown): StrataError {
  try {
    run()
  } catch (error) {
    if (error instanceof StrataError) return error
    throw error
  }
  throw new Error('nothing was refused')
}
