import { expect, test } from 'vitest'
import { modelOf } from '../../../test/support/generator/migrate/migrate.ts'
import { migrate } from './migrate.ts'

const before = modelOf('postgres', { User: 'name:string', Tag: 'name:string' })

test.each<[string, Readonly<Record<string, string>>]>([
  ['create_blog_posts', { User: 'name:string', Tag: 'name:string', BlogPost: 'title:string' }],
  [
    'create_posts_and_create_posts_tags',
    { User: 'name:string', Tag: 'name:string', Post: 'a:int,tags:many(Tag)' },
  ],
  ['change_users', { User: 'name:string,age:int:optional', Tag: 'name:string' }],
  ['drop_tags', { User: 'name:string' }],
  ['create_blog_posts_and_change_users_and_drop_tags', { User: 'age:int', BlogPost: 'a:int' }],
  ['create_as_and_create_bs_and_create_cs_and_2_more', { A: 'x:int', B: 'x:int', C: 'x:int' }],
])('a migration is named %s', (name, features) => {
  expect(migrate(before, modelOf('postgres', features))?.name).toBe(name)
})

test('an unchanged model needs no migration', () => {
  expect(migrate(before, modelOf('postgres', { User: 'name:string', Tag: 'name:string' }))).toBe(
    undefined,
  )
})

test('a model of another store kind counts as an empty store', () => {
  const from = modelOf('sqlite', { User: 'name:string' })
  expect(migrate(from, modelOf('postgres', { User: 'name:string' }))?.name).toBe('create_users')
})
