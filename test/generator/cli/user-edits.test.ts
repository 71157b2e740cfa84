import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { addFeature, done, project } from '../../support/generator/folders.ts'
import { refused } from '../../support/generator/refusal.ts'
import { treeFiles } from '../../support/tree.ts'

const domain = 'src/domain/book.ts'
const withPages = ['feature', 'Book', 'title:string', 'pages:uint:default=0']

test('adding a feature leaves an edited file of another one unchanged', async () => {
  const root = await project('Book title:string')
  const edited = append(root, domain, '\nexport const mine = 1\n')
  await addFeature(root, 'Author name:string')
  expect(read(root, domain)).toBe(edited)
})

test("changed fields are merged with a person's edit elsewhere in the file", async () => {
  const root = await project('Book title:string')
  append(root, domain, '\nexport const mine = 1\n')
  expect(await done(root, ...withPages)).toContain(`edit    ${domain}  (merged with your changes)`)
  const plain = await project('Book title:string pages:uint:default=0')
  expect(read(root, domain)).toBe(`${read(plain, domain)}\nexport const mine = 1\n`)
})

test('an edit of a changed line causes a conflict that shows both sides', async () => {
  const root = await project('Book title:string')
  edit(root, domain, 'title: string', 'title: Uppercase<string>')
  const lines = await refused(root, optionalTitle, 3)
  expect(lines).toEqual([
    'error: your edits conflict with generated files, so nothing was changed: keep your edits with --keep, or take a generated file with --theirs <path>; strata resolve before the command asks about each place',
    `${domain}: you and the generator changed the same lines`,
    '<<<<<<< yours',
    'Uppercase<string>',
    '=======',
    'string | null',
    '>>>>>>> generated',
  ])
  expect(await refused(root, [...optionalTitle, '--dry-run'], 3)).toEqual(lines)
})

test('--keep keeps the edit in a conflict, also in later runs', async () => {
  const root = await project('Book title:string')
  const edited = edit(root, domain, 'title: string', 'title: Uppercase<string>')
  await done(root, ...optionalTitle, '--keep')
  expect(read(root, domain)).toBe(edited)
  expect(read(root, 'src/handlers/book.schema.ts')).toContain('.nullable()')
  expect(await done(root, ...optionalTitle)).toContain('nothing to do')
  await addFeature(root, 'Author name:string')
  expect(read(root, domain)).toBe(edited)
})

test('--theirs takes the generated text of the named file only', async () => {
  const root = await project('Book title:string')
  const handler = 'src/use-cases/book.service.ts'
  edit(root, domain, 'title: string', 'title: Uppercase<string>')
  const edited = append(root, handler, '// mine\n')
  await done(root, ...optionalTitle, '--theirs', domain)
  const plain = await project('Book title:string:optional')
  expect(read(root, domain)).toBe(read(plain, domain))
  expect(read(root, handler)).toBe(edited)
})

test('--theirs accepts a path that starts with ./', async () => {
  const root = await project('Book title:string')
  edit(root, domain, 'title: string', 'title: Uppercase<string>')
  await done(root, ...optionalTitle, '--theirs', `./${domain}`)
  expect(read(root, domain)).toContain('title: string | null')
})

test('--theirs for one of two files leaves the conflict of the other', async () => {
  const root = await project('Book title:string')
  const sample = 'test/samples/book.sample.ts'
  edit(root, domain, 'title: string', 'title: Uppercase<string>')
  edit(root, 'src/handlers/book.schema.ts', '  title: text(', '  title: mine(')
  const lines = await refused(root, [...optionalTitle, '--theirs', domain], 3)
  expect(lines[1]).toBe('src/handlers/book.schema.ts: you and the generator changed the same lines')
  expect(lines.join('\n')).not.toContain(domain)
  expect(existsSync(join(root, sample))).toBe(true)
})

test('a deleted file stays deleted', async () => {
  const root = await project('Book title:string')
  const path = 'test/book.http.test.ts'
  rmSync(join(root, path))
  const lacks = `  skip    ${path}  (deleted or moved by you, lacks this change)\n`
  for (const run of [withPages, ['feature', 'Author', 'name:string']]) {
    const said = await done(root, ...run)
    expect(said.includes(lacks)).toBe(run === withPages)
    expect(existsSync(join(root, path))).toBe(false)
  }
})

test('a dropped field is refused with its losses, and migrated with --allow-destructive', async () => {
  const root = await project('Book title:string isbn:string')
  const dropped = ['feature', 'Book', 'title:string']
  const lines = await refused(root, dropped, 3)
  expect(lines[0]).toBe(
    'error: stored data would be lost or no longer fit, so nothing was changed: to accept this, pass --allow-destructive',
  )
  expect(lines[1]).toContain('books.isbn')
  expect(lines).toHaveLength(2)
  expect(await refused(root, [...dropped, '--dry-run'], 3)).toEqual(lines)

  const printed = await done(root, ...dropped, '--allow-destructive')
  const migration = 'prisma/migrations/0002_change_books/migration.sql'
  expect(printed).toContain(`create  ${migration}`)
  expect(read(root, migration)).toContain('DROP COLUMN "isbn"')
  const isCode = (path: string) => /^(src|test|client)\//.test(path)
  const code = (from: string) => [...treeFiles(from)].filter(([path]) => isCode(path))
  expect(code(root)).toEqual(code(await project('Book title:string')))
})

test('a field that becomes required is refused unless it has a default', async () => {
  const root = await project('Book title:string isbn:string:optional')
  const lines = await refused(root, ['feature', 'Book', 'title:string', 'isbn:string'], 3)
  expect(lines.slice(1).join('\n')).toContain('books.isbn')
  await done(root, 'feature', 'Book', 'title:string', 'isbn:string:optional', 'n:int:default=1')
})

test('the deploy section of strata.json keeps its exact text', async () => {
  const root = await project('Book title:string')
  const deploy = '{ "build": ["make"],\n     "env": {"A" : "1"} }'
  edit(root, 'strata.json', '{ "health": "/ready", "env": { "TRUST_PROXY": 1 } }', deploy)
  await addFeature(root, 'Author name:string')
  expect(read(root, 'strata.json')).toContain(`"deploy": ${deploy}\n}\n`)
  expect(Object.keys(JSON.parse(read(root, 'strata.json')).features)).toEqual(['Book', 'Author'])
})

const optionalTitle = ['feature', 'Book', 'title:string:optional']

function read(root: string, path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

function write(root: string, path: string, text: string): string {
  writeFileSync(join(root, path), text)
  return text
}

function append(root: string, path: string, text: string): string {
  return write(root, path, read(root, path) + text)
}

function edit(root: string, path: string, from: string, to: string): string {
  expect(read(root, path)).toContain(from)
  return write(root, path, read(root, path).replace(from, to))
}

test('a feature added to strata.json by hand is reported and not overwritten', async () => {
  const root = await project('Book title:string')
  const path = join(root, 'strata.json')
  const said = JSON.parse(readFileSync(path, 'utf8'))
  said.features.Hand = { fields: ['a:int'] }
  writeFileSync(path, JSON.stringify(said))
  const lines = await refused(root, ['feature', 'Author', 'name:string'], 3)
  expect(lines[0]).toContain('strata.json has manual changes (Hand)')
})

test('features of two merged branches can be changed further', async () => {
  const root = await project('Book title:string')
  const other = await project('Book title:string', 'Author name:string')
  await addFeature(root, 'Tag label:string')
  // Simulates a merge that takes our side of files changed on both, and adds their new files.
  for (const [file, text] of treeFiles(other)) {
    const target = join(root, file)
    if (existsSync(target)) continue
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, text)
  }
  const model = JSON.parse(readFileSync(join(root, 'strata.json'), 'utf8'))
  model.features.Author = { fields: ['name:string'] }
  writeFileSync(join(root, 'strata.json'), JSON.stringify(model, null, 2))
  await addFeature(root, 'Shelf place:string')
  const container = readFileSync(join(root, 'src/container.ts'), 'utf8')
  expect(container).toContain('authors:')
  expect(container).toContain('shelves:')
})

test('a project without .strata can be changed further', async () => {
  const root = await project('Book title:string')
  rmSync(join(root, '.strata'), { recursive: true })
  await addFeature(root, 'Author name:string')
  await addFeature(root, 'Book title:string pages:int:optional')
  expect(readFileSync(join(root, 'src/domain/book.ts'), 'utf8')).toContain('pages')
})
