import { describe, expect, test } from 'vitest'
import {
  blog,
  everything,
  modelOf,
  searched,
} from '../../../../test/support/generator/migrate/migrate.ts'
import { documentSchema } from './schema.ts'

describe('the schema of the document stores', () => {
  test('lists each field with its stored name, type and properties', () => {
    const fields = 'title:string,price:decimal(8,2):default=9.50,is_open:bool:default=true:index'
    const model = modelOf('mongodb', { BlogPost: `${fields},code:uuid:optional:unique` })
    expect(schemaOf(searched(model, { BlogPost: ['title'] }))).toEqual({
      blog_posts: {
        words: 'blog post',
        fields: {
          title: { name: 'title', type: 'string', search: true },
          price: { name: 'price', type: 'decimal', scale: 2, range: true, default: '9.5' },
          isOpen: {
            ...{
              name: 'is_open',
              type: 'bool',
              index: true,
              filter: true,
              sort: true,
              default: true,
            },
          },
          code: { name: 'code', type: 'uuid', optional: true, unique: true, sort: true },
        },
      },
    })
  })

  test('lists references, links and parts', () => {
    const { users, tags, posts, comments } = schemaOf(blog('mongodb'))
    expect(posts).toMatchObject({
      references: [
        { key: 'authorId', to: 'users', as: 'author', label: 'name' },
        { key: 'parentId', to: 'posts', as: 'parent', label: 'title' },
      ],
      many: [{ field: 'tags', name: 'tags', to: 'tags', key: 'slug', filter: 'tag' }],
      children: [{ field: 'comments', of: 'comments', key: 'postId' }],
    })
    expect(comments.references).toMatchObject([
      { key: 'postId', to: 'posts', cascade: true },
      { key: 'authorId', to: 'users' },
    ])
    expect(Object.keys(tags)).toEqual(['words', 'fields'])
    expect(users.fields.email).toMatchObject({ name: 'email', type: 'email', unique: true })
  })

  test('lists stored defaults, and `now` for the current time', () => {
    const { fields } = schemaOf(everything('mongodb')).blog_posts
    const defaults = Object.entries(fields).flatMap(([key, field]) =>
      field.default === undefined ? [] : [[key, field.default]],
    )
    expect(Object.fromEntries(defaults)).toEqual({
      note: 'it\'s a "q" \\ é',
      footer: "it's",
      views: 0,
      low: -5,
      tiny: 1e-7,
      huge: 1e22,
      tax: '-0.25',
      whole: '7',
      live: true,
      gone: false,
      state: 'draft',
      since: '2020-02-29',
      today: { now: 'date' },
      first: '2020-02-29T12:30:00.120Z',
      last: { now: 'datetime' },
      options: '{"a":[1,"it\'s"]}',
    })
  })

  test('is empty without features', () => {
    expect(documentSchema(modelOf('mongodb', {}))).toContain('export const schema: Schema = {}\n')
  })
})

interface Collection {
  readonly fields: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly references?: unknown
}

/** Evaluates the data of the text. The emitted project's compiler checks its type. */
function schemaOf(model: Parameters<typeof documentSchema>[0]) {
  const [, data] = documentSchema(model).split('export const schema: Schema = ')
  const read = new Function(`return ${data}`) as () => unknown
  return read() as Record<string, Collection> &
    Record<'posts' | 'users' | 'tags' | 'comments' | 'blog_posts', Collection>
}
