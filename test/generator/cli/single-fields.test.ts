import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { addFeature, done, project, sharedProject } from '../../support/generator/folders.ts'
import { marked, refused } from '../../support/generator/refusal.ts'
import { strata } from '../../support/generator/strata.ts'

const blog = ['Tag name:string', 'Post title:string body:text tags:many(Tag) --search title,body']

describe('--add and --drop', () => {
  test('change single fields and keep the others, with their options', async () => {
    const root = await project(...blog)
    await addFeature(
      root,
      'Post --add subtitle:string:optional views:int:default=0 --add slug:uuid:optional',
    )
    expect(fieldsOf(root)).toEqual([
      'title:string',
      'body:text',
      'subtitle:string:optional',
      'views:int:default=0',
      'slug:uuid:optional',
      'tags:many(Tag)',
    ])
    await addFeature(
      root,
      'Post --drop body,slug tags --add title:string:max=500 --allow-destructive',
    )
    expect(fieldsOf(root)).toEqual([
      'title:string:max=500',
      'subtitle:string:optional',
      'views:int:default=0',
    ])
    expect(featureIn(root).search).toEqual(['title'])
  })

  test('of the same fields again change nothing', async () => {
    const root = await project(...blog)
    await addFeature(root, 'Post --add views:int:default=0')
    expect(await addFeature(root, 'Post --add views:int:default=0')).toBe(
      'nothing to do: Post already has these fields and options\n',
    )
  })

  test('ask for --allow-destructive and name the dropped column', async () => {
    const lines = await refused(
      await sharedProject(...blog),
      ['feature', 'Post', '--drop', 'body'],
      3,
    )
    expect(lines).toContain('posts.body is dropped with its values')
  })

  test.each([
    [['Post', '--drop', 'bodi'], 'there is no field "bodi" to drop: did you mean body?', '«bodi»'],
    [['Post', '--add', 'views:itn'], 'unknown type "itn": did you mean int?', 'views:«itn»'],
    [
      ['Post', 'title:string', '--add', 'views:int'],
      'a list of fields replaces all fields: pass it alone, or change single fields with --add and --drop',
      undefined,
    ],
    [
      ['Pots', '--add', 'views:int'],
      'there is no feature Pots to change: did you mean Post? the features are Tag, Post',
      undefined,
    ],
  ])('%j is refused', async (args, sentence, place) => {
    const lines = await refused(await sharedProject(...blog), ['feature', ...args], 2)
    expect(lines[0]).toContain(sentence)
    expect(marked(lines)).toBe(place)
  })
})

test('options alone keep the fields', async () => {
  const root = await project(...blog)
  await addFeature(root, 'Post --search title')
  expect(featureIn(root)).toEqual({
    fields: ['title:string', 'body:text', 'tags:many(Tag)'],
    search: ['title'],
  })
})

describe('another --plural', () => {
  test('renames the table with its rows', async () => {
    const root = await project('Post title:string')
    expect(await addFeature(root, 'Post --plural articles')).toContain('GET /api/v1/articles')
    const migration = join(root, 'prisma/migrations/0002_rename_posts_to_articles/migration.sql')
    const sql = readFileSync(migration, 'utf8')
    expect(sql).toContain('ALTER TABLE "posts" RENAME TO "articles"')
    expect(sql).not.toContain('DROP TABLE')
    expect(featureIn(root)).toEqual({ plural: 'articles', fields: ['title:string'] })
    expect(await addFeature(root, 'Post --plural articles')).toMatch(/^nothing to do/)
  })

  test('together with another change is refused', async () => {
    const args = ['feature', 'Post', '--plural', 'articles', '--add', 'views:int']
    const lines = await refused(await sharedProject(...blog), args, 2)
    expect(lines[0]).toContain(
      'another plural renames the table of Post: change the plural alone first, with strata feature Post --plural articles',
    )
  })
})

describe('a list that replaces fields', () => {
  const list = ['feature', 'Tag', 'name:string:max=300', 'color:string:default=red']

  test('names the replaced fields first, with --json on stderr', async () => {
    const root = await project('Tag name:string note:text')
    const sentence =
      'the list replaces the fields of Tag: drops note; name:string becomes name:string:max=300 (--add and --drop change single fields)'
    const json = await strata(root, [...list, '--allow-destructive', '--dry-run', '--json'])
    expect(json).toMatchObject({ code: 0, stderr: `${sentence}\n` })
    expect(JSON.parse(json.stdout)).toMatchObject({ root })
    const output = await done(root, ...list, '--allow-destructive')
    expect(output.split('\n').slice(0, 2)).toEqual([sentence, 'wrote Tag'])
  })

  test('says nothing if it only adds fields', async () => {
    const root = await project('Tag name:string')
    expect(await addFeature(root, 'Tag name:string note:text:optional')).toMatch(/^wrote Tag\n/)
  })
})

function featureIn(root: string) {
  return JSON.parse(readFileSync(join(root, 'strata.json'), 'utf8')).features.Post
}

function fieldsOf(root: string): readonly string[] {
  return featureIn(root).fields
}
