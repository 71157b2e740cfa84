import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { expect, test } from 'vitest'
import { done, project, sharedProject } from '../../support/generator/folders.ts'
import { refused } from '../../support/generator/refusal.ts'
import { hashTree, treeFiles } from '../../support/tree.ts'

const book = 'Book title:string:index --search title'
const note = 'Note book_id:uint:fk:cascade said:text'

const report = `import type { Book } from '../domain/book.js'

export function titles(books: Book[]): string[] {
  return books.map((book) => book.title)
}
`

test('strata rename keeps rows, own code and own indexes, and can be undone', async () => {
  const root = await project(book, note)
  write(root, 'src/use-cases/report.ts', report)
  write(
    root,
    'prisma/migrations/0003_mine/migration.sql',
    'CREATE INDEX "mine" ON "books"("title", "id");\nCREATE VIEW "shown" AS SELECT "title" FROM "books";\n',
  )
  const database = new DatabaseSync(':memory:')
  const applied = new Set<string>()
  const migrate = () => applyMigrations(root, database, applied)
  migrate()
  database.exec(`INSERT INTO "books" ("title", "title_search") VALUES ('One', 'one'), ('Two', 'two');
    INSERT INTO "notes" ("book_id", "said") VALUES (2, 'Yes');`)
  const before = ownFiles(root)

  const said = await done(root, 'rename', 'Book.title', 'name')
  expect(said).toMatch(/^renamed Book\.title to name\n/)
  expect(said).toContain('The migration keeps every row.')
  await done(root, 'rename', 'Book', 'Volume')
  migrate()
  expect(rows(database, 'SELECT id, name, name_search FROM volumes')).toEqual([
    { id: 1, name: 'One', name_search: 'one' },
    { id: 2, name: 'Two', name_search: 'two' },
  ])
  expect(rows(database, 'SELECT volume_id, said FROM notes')).toEqual([
    { volume_id: 2, said: 'Yes' },
  ])
  expect(rows(database, "SELECT name FROM pragma_index_info('mine')")).toEqual([
    { name: 'name' },
    { name: 'id' },
  ])
  expect(rows(database, 'SELECT * FROM shown')).toHaveLength(2)
  expect(readFileSync(join(root, 'src/use-cases/report.ts'), 'utf8')).toBe(
    report
      .replace('Book }', 'Volume }')
      .replace('domain/book.js', 'domain/volume.js')
      .replace('books: Book[]', 'books: Volume[]')
      .replace('book.title', 'book.name'),
  )

  await done(root, 'rename', 'Volume', 'Book')
  await done(root, 'rename', 'Book.name', 'title')
  migrate()
  expect(rows(database, 'SELECT id, title FROM books')).toHaveLength(2)
  expect(ownFiles(root)).toEqual(before)
  database.close()
})

test('strata rename --dry-run changes no byte, and a second rename does nothing', async () => {
  const root = await project(book)
  const before = hashTree(root)
  expect(await done(root, 'rename', 'Book', 'Volume', '--dry-run')).toMatch(
    /^would rename Book to Volume\n[\s\S]* {2}create {2}src\/domain\/volume\.ts/,
  )
  expect(hashTree(root)).toBe(before)
  await done(root, 'rename', 'Book', 'Volume')
  const after = hashTree(root)
  expect(await done(root, 'rename', 'Book', 'Volume')).toBe(
    'nothing to do: Book is already named Volume\n',
  )
  expect(hashTree(root)).toBe(after)
})

test('strata rename lists the places that it can not change', async () => {
  const root = await project(book)
  write(root, 'test/fixtures/books.json', '{ "books": [\n  { "title": "One" }\n] }\n')
  const said = await done(root, 'rename', 'Book.title', 'name')
  expect(said).toContain('These places contain the previous name and were not changed:\n')
  expect(said).toContain('  test/fixtures/books.json:2: { "title": "One" }\n')
})

test('strata rename names the nearest field for an unknown one', async () => {
  const root = await sharedProject(book)
  expect(await refused(root, ['rename', 'Book.titel', 'name'], 2)).toEqual([
    'error: there is no field titel in Book: did you mean title? its fields are title',
  ])
})

function write(root: string, path: string, text: string): void {
  mkdirSync(join(root, path, '..'), { recursive: true })
  writeFileSync(join(root, path), text)
}

/** Applies the migrations of a project that `applied` lacks. */
function applyMigrations(root: string, database: DatabaseSyncInstance, applied: Set<string>): void {
  const folder = join(root, 'prisma/migrations')
  const names = readdirSync(folder).filter((name) => /^\d/.test(name) && !applied.has(name))
  for (const name of names.sort()) {
    database.exec(readFileSync(join(folder, name, 'migration.sql'), 'utf8'))
    applied.add(name)
  }
}

function rows(database: DatabaseSyncInstance, sql: string): readonly unknown[] {
  return database
    .prepare(sql)
    .all()
    .map((row: unknown) => ({ ...(row as object) }))
}

/** Returns all files except the migrations that strata writes for a rename. */
function ownFiles(root: string): ReadonlyMap<string, unknown> {
  return new Map([...treeFiles(root)].filter(([path]) => !/_rename_/.test(path)))
}

test('strata rename --alias says how to remove the alias, and strata feature removes it', async () => {
  const root = await project(book, note)
  const said = await done(root, 'rename', 'Book', 'Volume', '--alias')
  expect(said).toContain('The app still serves /api/v1/books, as an alias of /api/v1/volumes.')
  expect(said).toContain('strata feature Volume --alias none')
  const model = () => JSON.parse(readFileSync(join(root, 'strata.json'), 'utf8')).features.Volume
  expect(model().aliases).toEqual(['books'])
  expect(await done(root, 'sync')).toMatch(/^nothing to do/)
  await done(root, 'feature', 'Volume', '--alias', 'books,tomes')
  expect(model().aliases).toEqual(['books', 'tomes'])
  await done(root, 'feature', 'Volume', '--alias', 'none')
  expect(model().aliases).toBeUndefined()
  expect(treeFiles(root)).not.toContain('src/http/aliases.ts')
})

test('a link to the settings of a formatter does not stop a run', async () => {
  const root = await project(book)
  symlinkSync('../elsewhere', join(root, '.prettierrc'))
  expect(await done(root, 'feature', 'Tag', 'name:string')).toMatch(/^wrote Tag/)
})
