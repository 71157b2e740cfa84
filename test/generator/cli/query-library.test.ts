import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { done, project, temporaryFolder } from '../../support/generator/folders.ts'
import { marked, refused } from '../../support/generator/refusal.ts'

const book = 'Book title:string'

test.each([
  ['kysely', 'mysql', 'kysely is available for sqlite and postgres, not for mysql: use prisma'],
  ['kysely', 'mongodb', 'kysely is available for sqlite and postgres, not for mongodb'],
  [
    'prisma',
    'dynamodb',
    'prisma is available for sqlite, postgres, mysql and sqlserver, not for dynamodb',
  ],
  ['drizzle', 'sqlite', 'unknown query library "drizzle"'],
])('init --orm %s --database %s is refused', async (orm, database, sentence) => {
  const options = ['--orm', orm, '--database', database, '--no-install', '--no-git']
  const lines = await refused(temporaryFolder(), ['init', 'shop', ...options], 2)
  expect(lines[0]).toContain(`error: ${sentence}`)
  expect(marked(lines)).toBe(`«${orm}»`)
})

test('strata store switches the query library, and strata sync switches back', async () => {
  const root = await project(book)
  const repository = (suffix: string) => join(root, `src/repositories/book.repository.${suffix}.ts`)
  const said = await done(root, 'store', 'sqlite', '--orm', 'kysely', '--no-install')
  expect(said).toContain('wrote the project for sqlite with kysely')
  expect(said).toContain('The data stays as it is.')
  expect([existsSync(repository('kysely')), existsSync(repository('prisma'))]).toEqual([
    true,
    false,
  ])
  expect(await done(root, 'store', 'sqlite', '--no-install')).toContain(
    'nothing to do: the store is already sqlite with kysely',
  )

  const file = join(root, 'strata.json')
  writeFileSync(file, readFileSync(file, 'utf8').replace('  "orm": "kysely",\n', ''))
  await done(root, 'sync')
  expect([existsSync(repository('kysely')), existsSync(repository('prisma'))]).toEqual([
    false,
    true,
  ])
})

test('a move to a kind without Kysely needs --orm prisma, and a document kind needs no option', async () => {
  const root = await project(book)
  await done(root, 'store', 'postgres', '--orm', 'kysely', '--no-install')
  const lines = await refused(root, ['store', 'mysql', '--no-install'], 2)
  expect(lines[0]).toContain('kysely is available for sqlite and postgres, not for mysql')
  await done(root, 'store', 'mysql', '--orm', 'prisma', '--no-install')
  await done(root, 'store', 'mongodb', '--no-install')
  expect(existsSync(join(root, 'src/repositories/book.repository.document.ts'))).toBe(true)
})
