import { expect, test } from 'vitest'
import { blog, modelOf } from '../../../../test/support/generator/migrate/migrate.ts'
import { StrataError } from '../../errors.ts'
import { refuseCascadePaths } from './sqlserver-cascades.ts'

test.each([
  { Post: 'title:string', Comment: 'post_id:uint:fk:cascade', Like: 'comment_id:uint:fk:cascade' },
  { A: 'x:int', B: 'a_id:uint:fk(A):cascade', C: 'a_id:uint:fk(A):cascade,b_id:uint:fk(B)' },
  { Tag: 'x:int', Post: 'tags:many(Tag),main_id:uint:fk(Tag)' },
  { Tag: 'x:int', Post: 'x:int,tags:many(Tag),others:many(Tag)' },
  { Node: 'parent_id:uint:optional:fk(Node)' },
])('accepts cascades by one path: %j', (features) => {
  expect(() => refuseCascadePaths(modelOf('sqlserver', features))).not.toThrow()
})

test('accepts the cascades of the blog', () => {
  expect(() => refuseCascadePaths(blog('sqlserver'))).not.toThrow()
})

test.each([
  [
    {
      A: 'x:int',
      B: 'a_id:uint:fk(A):cascade',
      C: 'a_id:uint:fk(A):cascade,b_id:uint:fk(B):cascade',
    },
    'B.a_id, C.b_id, C.a_id',
  ],
  [
    { Tag: 'x:int', Post: 'tags:many(Tag),main_id:uint:fk(Tag):cascade' },
    'Post.main_id, Post.tags',
  ],
  [{ Node: 'parent_id:uint:optional:fk(Node):cascade' }, 'Node.parent_id'],
])('refuses cascades by two paths or in a cycle: %j', (features, places) => {
  expect(() => refuseCascadePaths(modelOf('sqlserver', features))).toThrow(
    new StrataError(
      'usage',
      `sqlserver allows no cascade by two paths or in a cycle: ${places}; remove :cascade from one of these fields, or use another kind of store`,
    ),
  )
})
