import { describe, expect, test } from 'vitest'
import { blog, modelOf } from '../../../test/support/generator/migrate/migrate.ts'
import { collectionsOf } from './collections.ts'

describe('the collections of a copy', () => {
  test('follow the records that they refer to', () => {
    const names = collectionsOf(blog('sqlite')).map(({ name }) => name)
    expect(names).toEqual(['users', 'tags', 'posts', 'comments', 'profiles'])
  })

  test('are sorted by references, not by the order of addition', () => {
    const model = modelOf('sqlite', {
      Comment: 'post_id:uint:fk(Post)',
      Post: 'tags:many(Tag),title:string',
      Tag: 'name:string',
    })
    expect(collectionsOf(model).map(({ name }) => name)).toEqual(['tags', 'posts', 'comments'])
    expect(collectionsOf(model).flatMap(({ held }) => held)).toEqual([])
  })

  test('hold back references to their own records', () => {
    const posts = collectionsOf(blog('sqlite')).find(({ name }) => name === 'posts')
    expect(posts?.held).toEqual(['parent_id'])
  })

  test('hold back the optional reference of a cycle, and never a required one', () => {
    const model = modelOf('sqlite', {
      Team: 'lead_id:uint:fk(Player):optional',
      Player: 'team_id:uint:fk(Team)',
    })
    const held = collectionsOf(model).map(({ name, held }) => [name, held])
    expect(held).toEqual([
      ['teams', ['lead_id']],
      ['players', []],
    ])
  })

  test('describe users with their credentials, and searched texts with their folded column', () => {
    const [users, , posts] = collectionsOf(blog('sqlite'))
    const names = users?.fields.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['password_hash', 'role', 'token_version']))
    expect(posts?.fields.find(({ name }) => name === 'title')?.folded).toBe('titleSearch')
  })
})
