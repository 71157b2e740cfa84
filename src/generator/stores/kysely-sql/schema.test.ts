import { expect, test } from 'vitest'
import { blog, modelOf } from '../../../../test/support/generator/migrate/migrate.ts'
import { kyselySchema } from './schema.ts'

test('lists the columns of each table, and the types that the store keeps in another form', () => {
  const fields = 'title:string,price:decimal(8,2),is_open:bool,code:uuid:optional:unique'
  expect(schemaOf(modelOf('sqlite', { BlogPost: fields }))).toEqual({
    blog_posts: {
      columns: {
        title: { name: 'title' },
        price: { name: 'price', type: 'decimal', scale: 2, filter: true },
        isOpen: { name: 'is_open', type: 'bool', filter: true },
        code: { name: 'code', optional: true, unique: true },
      },
    },
  })
})

test('lists references, links with their join table, and parts', () => {
  const { posts, comments } = schemaOf(blog('sqlite'))
  expect(posts).toMatchObject({
    words: 'post',
    references: [
      { key: 'authorId', to: 'users', as: 'author', label: 'name' },
      { key: 'parentId', to: 'posts', as: 'parent', label: 'title' },
    ],
    many: [
      {
        ...{ field: 'tags', path: 'tags', to: 'tags', key: 'slug', filter: 'tag' },
        ...{ links: '_posts_tags', holder: 'A', target: 'B' },
      },
    ],
    children: [{ field: 'comments', total: 'commentsTotal', of: 'comments', key: 'postId' }],
  })
  expect(comments).not.toHaveProperty('children')
})

/** Evaluates the data of the text. The emitted project's compiler checks its type. */
function schemaOf(model: Parameters<typeof kyselySchema>[0]): Record<string, object> {
  const [, data] = kyselySchema(model).split('export const schema: Schema = ')
  const read = new Function(`return ${data}`) as () => Record<string, object>
  return read()
}
