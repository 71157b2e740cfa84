import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { addFeature, done, project, sharedProject } from '../../support/generator/folders.ts'
import { refused } from '../../support/generator/refusal.ts'
import { hashTree, treeFiles } from '../../support/tree.ts'

const book = 'Book title:string'
const note = 'Note book_id:uint:fk said:text'

const plan = z.object({ actions: z.array(z.object({ path: z.string(), action: z.string() })) })

test('strata remove removes an entity and keeps its table', async () => {
  const root = await project(book, 'Author name:string')
  const said = await done(root, 'remove', 'author')
  expect(said).toMatch(/^removed Author\n/)
  expect(said).toMatch(/ {2}delete {2}src\/domain\/author\.ts\n/)
  expect(said).toContain('Table authors stays in the database with its rows')
  const left = [...treeFiles(root).keys()].filter((path) => /author/.test(path))
  expect(left).toEqual(['prisma/migrations/0002_create_authors/migration.sql'])
  expect(existsSync(join(root, 'src/domain/book.ts'))).toBe(true)
  const dropped = await done(root, 'remove', 'Author', '--allow-destructive')
  expect(dropped).toMatch(/ {2}create {2}prisma\/migrations\/0003_drop_authors\/migration\.sql/)
  expect(existsSync(join(root, 'prisma/migrations/retained.json'))).toBe(false)
})

test('strata remove --allow-destructive names the rows before it drops them', async () => {
  const root = await sharedProject(book, 'Author name:string')
  const said = await done(root, 'remove', 'Author', '--allow-destructive', '--dry-run')
  expect(said).toContain('  table authors is dropped with all its rows\n')
  const json = await done(root, 'remove', 'Author', '--allow-destructive', '--dry-run', '--json')
  expect(JSON.parse(json)).toMatchObject({
    losses: ['table authors is dropped with all its rows'],
    deploy: { bothVersions: false },
  })
})

test('a dry run of a destructive change names the column', async () => {
  const root = await sharedProject('Post title:string secret:string')
  const change = ['feature', 'Post', 'title:string', '--dry-run']
  const lines = await refused(root, change, 3)
  expect(lines.join('\n')).toContain('posts.secret is dropped with its values')
  const said = await done(root, ...change, '--allow-destructive')
  expect(said).toContain('  posts.secret is dropped with its values\n')
  expect(said).toContain('cannot run at once:\n  posts.secret is dropped: the previous version')
})

test('--in-two-steps keeps the column until strata sync --second-step', async () => {
  const root = await project('Post title:string secret:string')
  const first = await done(root, 'feature', 'Post', 'title:string', '--in-two-steps')
  expect(first).toContain('can run at once.\n')
  expect(first).toContain('completes the change:\n  Post.secret is dropped from the database\n')
  const reminder = await done(root, 'sync')
  expect(reminder).toMatch(/^nothing to do: .*\n\nAfter the deploy of this version/)
  await refused(root, ['sync', '--second-step'], 3)
  const second = await done(root, 'sync', '--second-step', '--allow-destructive')
  expect(second).toContain('  posts.secret is dropped with its values\n')
  expect(await done(root, 'sync', '--second-step')).toBe(
    'nothing to do: no change waits for its second step\n',
  )
})

test('--in-two-steps refuses a change without a first step', async () => {
  const root = await sharedProject('Post title:string:unique')
  const lines = await refused(root, ['feature', 'Post', 'name:string', '--in-two-steps'], 3)
  expect(lines.join('\n')).toContain('posts.title becomes optional: the previous version')
})

test('strata remove refuses an entity that another one refers to', async () => {
  const root = await sharedProject(book, note)
  const lines = await refused(root, ['remove', 'Book'], 3)
  expect(lines).toEqual([
    'error: other features refer to Book (Note.book_id): change or remove those first',
  ])
})

test('strata remove --keep names the files that stay, and their uses of removed code', async () => {
  const root = await project(book)
  const handler = join(root, 'src/handlers/book.handler.ts')
  writeFileSync(handler, `${readFileSync(handler, 'utf8')}export const mine = 1\n`)
  writeFileSync(
    join(root, 'src/mine.ts'),
    "import type { Book } from './domain/book.js'\nexport type Mine = Book\n",
  )
  const routes = join(root, 'src/routes.ts')
  const mine = '\n  api.get("/mine", async (_req, res) => res.json(await container.books.get(1)))'
  writeFileSync(routes, readFileSync(routes, 'utf8').replace('Router()\n', `Router()\n${mine}\n`))
  const said = await done(root, 'remove', 'Book', '--keep', '--dry-run')
  expect(said).toMatch(/ {2}src\/routes\.ts:\d+: container\.books\n/)
  expect(said).toContain('  skip    src/handlers/book.handler.ts  (kept because of --keep)\n')
  expect(said).toContain('does not compile until you change these uses of removed code:\n')
  expect(said).toContain('  src/mine.ts:1: ./domain/book.js\n')
  expect(said).toMatch(
    / {2}src\/handlers\/book\.handler\.ts:\d+: \.\.\/use-cases\/book\.service\.js\n/,
  )
})

test('strata remove names the nearest entity for an unknown one', async () => {
  const root = await sharedProject(book)
  const lines = await refused(root, ['remove', 'Bok'], 2)
  expect(lines[0]).toBe('error: there is no feature Bok: did you mean Book? the features are Book')
})

test('one strata sync after an edit of strata.json equals one strata feature per entity', async () => {
  const root = await project()
  const wanted = await sharedProject(book, note)
  writeFileSync(join(root, 'strata.json'), readFileSync(join(wanted, 'strata.json')))
  expect(await done(root, 'sync')).toMatch(/^wrote the changes of strata\.json\n/)
  const code = (folder: string) =>
    [...treeFiles(folder)].filter(([path]) => !path.startsWith('prisma/migrations/'))
  expect(code(root)).toEqual(code(wanted))
  const before = hashTree(root)
  expect(await done(root, 'sync')).toBe('nothing to do: the project matches strata.json\n')
  expect(hashTree(root)).toBe(before)
})

test('strata sync names the data that would be lost and requires --allow-destructive', async () => {
  const root = await project(book, 'Author name:string')
  const path = join(root, 'strata.json')
  const { Author: _, ...features } = JSON.parse(readFileSync(path, 'utf8')).features
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), features }))
  const lines = await refused(root, ['sync'], 3)
  expect(lines.join('\n')).toContain('table authors is dropped with all its rows')
  await done(root, 'sync', '--allow-destructive')
  expect(existsSync(join(root, 'src/domain/author.ts'))).toBe(false)
})

test('moving a project to another store and back restores it, except its migrations', async () => {
  const root = await project(book, note)
  const own = () =>
    [...treeFiles(root)].filter(([path]) => !/^(prisma\/migrations|\.env$)/.test(path))
  const before = own()
  const said = await done(root, 'store', 'mongodb', '--no-install')
  expect(said).toContain('The new store is empty: the data stays in sqlite.')
  expect(readFileSync(join(root, 'package.json'), 'utf8')).not.toMatch(/prisma/)
  await done(root, 'store', 'sqlite', '--no-install')
  expect(own()).toEqual(before)
  await addFeature(root, 'Author name:string')
})

test('the built program merges an edited package.json', async () => {
  const root = await project(book)
  const path = join(root, 'package.json')
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, text.replace('"scripts": {', '"scripts": {\n    "mine": "node mine.js",'))
  expect(await done(root, 'store', 'postgres', '--dry-run')).toMatch(/edit +package\.json .*merged/)
})

test('strata store refuses a kind that can not hold the model', async () => {
  const root = await sharedProject('Thing data:json')
  const lines = await refused(root, ['store', 'sqlserver', '--no-install'], 2)
  expect(lines[0]).toContain("sqlserver can't hold Thing.data")
  expect((await refused(root, ['store', 'oracle'], 2))[0]).toContain('unknown store kind "oracle"')
})

test.each([
  ['remove', 'Note'],
  ['store', 'postgres', '--no-install'],
])('strata %s %s --dry-run changes nothing and prints the plan', async (...args) => {
  const root = await project(book, note)
  const before = hashTree(root)
  const previewed = plan.parse(JSON.parse(await done(root, ...args, '--dry-run', '--json')))
  expect(hashTree(root)).toBe(before)
  expect(plan.parse(JSON.parse(await done(root, ...args, '--json')))).toEqual(previewed)
})

test('strata remove refuses an entity with an edited file', async () => {
  const root = await project(book)
  const path = 'src/domain/book.ts'
  writeFileSync(join(root, path), `${readFileSync(join(root, path), 'utf8')}// mine\n`)
  const lines = await refused(root, ['remove', 'Book'], 3)
  expect(lines[1]).toContain(`${path}: is no longer generated, and you changed it`)
  await done(root, 'remove', 'Book', '--theirs', path)
  expect(existsSync(join(root, path))).toBe(false)
})

test('the same model in another form is nothing to do', async () => {
  const root = await project(book, 'Author name:string')
  const path = join(root, 'strata.json')
  const { features: written, ...settings } = JSON.parse(readFileSync(path, 'utf8'))
  const features = {
    Author: {
      private: false,
      protect: 'none',
      search: [],
      plural: 'Authors',
      fields: ['name : string'],
    },
    Book: written.Book,
  }
  writeFileSync(path, JSON.stringify({ features, ...settings }))
  const before = hashTree(root)
  expect(await done(root, 'sync')).toBe('nothing to do: the project matches strata.json\n')
  expect(hashTree(root)).toBe(before)
})

test('strata sync with another database says that the data stays behind', async () => {
  const root = await project(book)
  const path = join(root, 'strata.json')
  writeFileSync(path, readFileSync(path, 'utf8').replace('"sqlite"', '"postgres"'))
  expect(await done(root, 'sync')).toContain('The new store is empty: the data stays in sqlite.')
})

test('a changed auth in strata.json is applied by strata sync, and not undone by strata feature', async () => {
  const root = await project(book)
  const path = join(root, 'strata.json')
  writeFileSync(path, readFileSync(path, 'utf8').replace('"auth": false', '"auth": true'))
  const lines = await refused(root, ['feature', 'Author', 'name:string'], 3)
  expect(lines[0]).toContain('strata.json has manual changes (auth) that are not applied')
})

test('an unknown key of deploy can be corrected in a project of a former version', async () => {
  const root = await project(book)
  const path = join(root, 'strata.json')
  const text = readFileSync(path, 'utf8')
  writeFileSync(join(root, '.strata/strata.json'), text.replace('"health"', '"helth"'))
  expect(await done(root, 'sync')).toBe('nothing to do: the project matches strata.json\n')
})

test('strata sync with another plural renames the table with its rows', async () => {
  const root = await project(book)
  const path = join(root, 'strata.json')
  writeFileSync(path, readFileSync(path, 'utf8').replace('"fields"', '"plural": "tomes", "fields"'))
  await done(root, 'sync')
  const migration = join(root, 'prisma/migrations/0002_rename_books_to_tomes/migration.sql')
  expect(readFileSync(migration, 'utf8')).toContain('ALTER TABLE "books" RENAME TO "tomes"')
  expect(await done(root, 'sync')).toBe('nothing to do: the project matches strata.json\n')
})

test('strata sync asks for an installation if package.json changes', async () => {
  const root = await project('Post title:string')
  const file = join(root, 'strata.json')
  writeFileSync(file, readFileSync(file, 'utf8').replace('"auth": false', '"auth": true'))
  expect(await done(root, 'sync')).toMatch(
    /package\.json has other packages\. Next:\n {2}npm install\n$/,
  )
})
