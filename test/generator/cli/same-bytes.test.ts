import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { addFeature, done, project, temporaryFolder } from '../../support/generator/folders.ts'
import { refused } from '../../support/generator/refusal.ts'
import { hashTree, treeFiles } from '../../support/tree.ts'

const init = ['init', 'shop', '--no-install', '--no-git']
const book = 'Book title:string:max=80 isbn:string:unique state:enum(draft|live):default=draft'

test('repeating strata feature reports nothing to do and changes no byte', async () => {
  const root = await project(book)
  const before = hashTree(root)
  expect(await addFeature(root, book)).toBe(
    'nothing to do: Book already has these fields and options\n',
  )
  expect(await addFeature(root, `${book} --dry-run`)).toBe(
    'nothing to do: Book already has these fields and options\n',
  )
  expect(await addFeature(root, book.replace('Book', 'book'))).toContain('nothing to do')
  expect(hashTree(root)).toBe(before)
})

test('repeating strata init is refused because the folder is taken', async () => {
  const folder = temporaryFolder()
  await done(folder, ...init)
  await refused(folder, init, 3)
})

test('the same commands give the same bytes in another folder, except the password', async () => {
  const roots = await Promise.all(
    [0, 1].map(async () => {
      const folder = temporaryFolder()
      await done(folder, ...init, '--database', 'postgres')
      await addFeature(join(folder, 'shop'), book)
      return join(folder, 'shop')
    }),
  )
  const [one = '', other = ''] = roots
  expect(treeFiles(one).get('.env')).not.toBe(treeFiles(other).get('.env'))
  expect(statSync(join(one, '.env')).mode & 0o777).toBe(0o600)
  const [password = ''] = /(?<=POSTGRES_PASSWORD=).+/.exec(treeFiles(one).get('.env') ?? '') ?? []
  const texts = [...treeFiles(one, { ignore: ['.env'] }).values()]
  expect(texts.filter((text) => text.includes(password))).toEqual([])
  expect(hashTree(one, { ignore: ['.env'] })).toBe(hashTree(other, { ignore: ['.env'] }))
})

test('an existing empty folder becomes the same project as a missing one', async () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'shop'))
  await done(folder, ...init)
  expect(treeFiles(join(folder, 'shop'))).toEqual(treeFiles(await project()))
})

test('fields as arguments, as a list and in any order of modifiers give the same project', async () => {
  const root = await project('Book title:string:optional:max=80 price:decimal(6,2):default=1.5')
  const before = treeFiles(root)
  for (const fields of [
    ['--fields', 'title:string:optional:max=80,price:decimal(6,2):default=1.5'],
    ['--fields= title : string : max=80 : optional , price : decimal( 6, 2 ) : default=1.50'],
  ]) {
    const other = await project()
    await done(other, 'feature', 'Book', ...fields)
    expect(treeFiles(other)).toEqual(before)
  }
})

test('any spelling of an entity and of its fields gives the same project', async () => {
  const before = treeFiles(await project('BlogPost first_name:string'))
  for (const line of ['blog_post firstName:string', 'blogPost firstName:string']) {
    const root = await project()
    await addFeature(root, line)
    expect(treeFiles(root)).toEqual(before)
  }
})
