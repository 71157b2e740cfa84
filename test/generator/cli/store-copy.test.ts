import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { done, project, sharedProject } from '../../support/generator/folders.ts'
import { refused } from '../../support/generator/refusal.ts'
import { hashTree } from '../../support/tree.ts'

const book = 'Book title:string'

test('strata store --copy asks for the URL of a store with a server', async () => {
  const lines = await refused(await sharedProject(book), ['store', 'mongodb', '--copy'], 2)
  expect(lines).toEqual([
    'error: --copy needs the URL of a running, empty mongodb store',
    'strata store mongodb --copy --to mongodb://localhost/app',
  ])
})

test('strata store --copy refuses a URL of another kind of store', async () => {
  const lines = await refused(
    await sharedProject(book),
    ['store', 'mongodb', '--copy', '--to', 'postgres://localhost/app'],
    2,
  )
  expect(lines[0]).toBe('error: --to must be a mongodb:// URL with a database')
})

test('strata store refuses --to without --copy', async () => {
  const lines = await refused(
    await sharedProject(book),
    ['store', 'mongodb', '--to', 'mongodb://localhost/app'],
    2,
  )
  expect(lines[0]).toBe('error: --to names the store for --copy: add --copy')
})

test('strata store --copy names the kind that no test has copied', async () => {
  const url = 'sqlserver://localhost;database=app'
  const root = await project(book)
  const lines = await refused(root, ['store', 'sqlserver', '--copy', '--to', url], 2)
  expect(lines[0]).toContain('--copy does not support sqlserver')
  await done(root, 'store', 'sqlserver', '--no-install')
  expect((await refused(root, ['store', 'sqlite', '--copy'], 2))[0]).toContain(
    '--copy does not support sqlserver',
  )
})

test('strata store --copy moves from and to Kysely', async () => {
  const root = await project(book)
  await done(root, 'store', 'sqlite', '--orm', 'kysely', '--no-install')
  const to = ['--copy', '--to', 'postgres://localhost/app', '--dry-run']
  for (const orm of ['kysely', 'prisma'])
    expect(await done(root, 'store', 'postgres', '--orm', orm, ...to)).toContain(
      'and would copy the data of sqlite first',
    )
})

test('strata store --copy refuses a SQLite file that exists', async () => {
  const root = await project(book)
  await done(root, 'store', 'mongodb', '--no-install')
  mkdirSync(join(root, 'data'))
  writeFileSync(join(root, 'data/app.db'), '')
  const lines = await refused(root, ['store', 'sqlite', '--copy'], 3)
  expect(lines[0]).toContain('file:./data/app.db exists, and a copy needs a new file')
})

test('strata store --copy --dry-run prints the plan and changes nothing', async () => {
  const root = await sharedProject(book)
  const before = hashTree(root)
  const url = 'mongodb://localhost/app'
  const said = await done(root, 'store', 'mongodb', '--copy', '--to', url, '--dry-run')
  expect(said).toMatch(/^would write the project for mongodb\n/)
  expect(said).toContain('and would copy the data of sqlite first')
  expect(said).toMatch(/ {2}(create|edit) {4}?\.env/)
  expect(said).not.toContain(url)
  expect(hashTree(root)).toBe(before)
})

test('strata store --copy to the current kind does nothing', async () => {
  const said = await done(await sharedProject(book), 'store', 'sqlite', '--copy')
  expect(said).toBe('nothing to do: the store is already sqlite\n')
})
