import { expect, test } from 'vitest'
import { mergeProjectFiles } from './merge-project-file.ts'

const file = (features: object, database = 'sqlite') =>
  JSON.stringify({ strata: 1, database, features })
const post = (...fields: string[]) => ({ Post: { fields } })

test('both branches add a field to the same entity', () => {
  const { text, conflicts } = mergeProjectFiles({
    base: file(post('title:string')),
    ours: file(post('title:string', 'views:uint')),
    theirs: file(post('title:string:max=80', 'state:string')),
  })
  expect(conflicts).toEqual([])
  expect(JSON.parse(text).features).toEqual(
    post('title:string:max=80', 'views:uint', 'state:string'),
  )
})

test('both branches add an entity, and one removes another', () => {
  const [tag, note] = [{ fields: ['name:string'] }, { fields: ['text:text'] }]
  const { text, conflicts } = mergeProjectFiles({
    base: file(post('title:string')),
    ours: file({ ...post('title:string'), Tag: tag }),
    theirs: file({ Note: note }),
  })
  expect(conflicts).toEqual([])
  expect(JSON.parse(text).features).toEqual({ Tag: tag, Note: note })
})

test('a field that both branches change, and another database, must be decided', () => {
  const { conflicts } = mergeProjectFiles({
    base: file(post('title:string')),
    ours: file(post('title:string:max=80'), 'postgres'),
    theirs: file(post('title:text'), 'mysql'),
  })
  expect(conflicts).toEqual([
    'database: this branch says "postgres", the merged one "mysql"',
    'Post.title: this branch says "title:string:max=80", the merged one "title:text"',
  ])
})

test('a feature that one branch removes and the other changes must be decided', () => {
  const { conflicts } = mergeProjectFiles({
    base: file(post('title:string')),
    ours: file({}),
    theirs: file(post('title:text')),
  })
  expect(conflicts).toEqual([
    'Post: this branch says removed, the merged one {"fields":["title:text"]}',
  ])
})

test('a conflict takes the value that a person decided, otherwise that of this branch', () => {
  const files = {
    base: file(post('title:string', 'note:string')),
    ours: file(post('title:string:max=80')),
    theirs: file(post('title:text', 'note:int'), 'mysql'),
  }
  const merged = (...decided: string[]) =>
    JSON.parse(mergeProjectFiles({ ...files, decided: file(post(...decided), 'mysql') }).text)
  expect(merged('title:string:max=80', 'note:int').features).toEqual(
    post('title:string:max=80', 'note:int'),
  )
  expect(merged('title:text').features).toEqual(post('title:text'))
  expect(merged('title:date').features).toEqual(post('title:string:max=80'))
})
