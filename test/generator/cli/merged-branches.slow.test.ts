import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { describe, expect, test } from 'vitest'
import { applyMigrations } from '../../../examples/blog-app/src/infra/migrations.ts'
import { addFeature, done, project, temporaryFolder } from '../../support/generator/folders.ts'
import { refused } from '../../support/generator/refusal.ts'
import { strata } from '../../support/generator/strata.ts'
import { hashTree, treeFiles } from '../../support/tree.ts'

const book = 'Book title:string note:text:optional'
const tag = 'Tag name:string'

interface Merge {
  readonly ours: string
  readonly theirs: string
  /** A value that each branch stores in its own column, as `column=value`. */
  readonly values?: readonly [string, string]
}

const merges: readonly Merge[] = [
  { ours: 'Author name:string', theirs: 'Shelf name:string' },
  { ours: 'Author name:string', theirs: 'Loan until:date book_id:uint:fk' },
  { ours: `${book} pages:uint:optional`, theirs: `${tag} color:string:optional` },
  { ours: `${tag} at:datetime:default=now`, theirs: 'Author name:string' },
  {
    ours: `${book} pages:uint:optional`,
    theirs: `${book} isbn:string:optional`,
    values: ['pages=42', "isbn='x'"],
  },
  {
    ours: `${book} pages:uint:default=1`,
    theirs: `${book} at:datetime:default=now`,
    values: ['pages=42', "at='2026-01-01T00:00:00.000+00:00'"],
  },
  {
    ours: `${book} at:datetime:default=now`,
    theirs: `${book} pages:uint:default=1`,
    values: ["at='2026-01-01T00:00:00.000+00:00'", 'pages=42'],
  },
  {
    ours: `${book} at:datetime:default=now`,
    theirs: `${book} day:date:default=now`,
    values: ["at='2026-01-01T00:00:00.000+00:00'", "day='2026-01-01T00:00:00.000+00:00'"],
  },
  {
    ours: `${book} tag_id:uint:fk:optional`,
    theirs: `${book} pages:uint:optional:index`,
    values: ['tag_id=NULL', 'pages=42'],
  },
  { ours: `${book} tags:many(Tag)`, theirs: `${tag} at:datetime:default=now` },
]

function git(root: string, ...args: readonly string[]): void {
  execFileSync(
    'git',
    ['-C', root, '-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args],
    {
      stdio: 'ignore',
    },
  )
}

function commit(root: string, name: string): void {
  git(root, 'add', '-A')
  git(root, 'commit', '--allow-empty', '-qm', name)
}

/** Creates a repository with two branches, and the database of each. Git merges `theirs` into `ours`, with or without conflicts. */
async function branches({ ours, theirs, values }: Merge): Promise<{ root: string; data: string }> {
  const root = await project(book, tag)
  const data = temporaryFolder()
  git(root, 'init', '-qb', 'main')
  commit(root, 'base')
  for (const [index, [name, line]] of Object.entries({ ours, theirs }).entries()) {
    git(root, 'checkout', '-qb', name, 'main')
    await addFeature(root, line)
    commit(root, name)
    const database = open(root, data, name)
    const [column = 'note', value = "'n'"] = values?.[index]?.split('=') ?? []
    database.exec(`INSERT INTO books (title, ${column}) VALUES ('kept', ${value})`)
    database.close()
  }
  git(root, 'checkout', '-q', 'ours')
  try {
    git(root, 'merge', '--no-edit', '-q', 'theirs')
  } catch {
    // strata sync resolves the conflicts.
  }
  return { root, data }
}

/** Starts an app's store: applies the pending migrations of the project. */
function open(root: string, data: string, name: string) {
  const database = new DatabaseSync(`${join(data, name)}.db`)
  applyMigrations(database, join(root, 'prisma/migrations'))
  return database
}

function columnsOf(root: string, data: string, name: string): string[] {
  const client = open(root, data, name)
  const rows = client
    .prepare(
      `SELECT tables.name || '.' || columns.name || columns.type || columns."notnull" AS name
     FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns WHERE tables.type = 'table'`,
    )
    .all()
  client.close()
  return rows.map((row) => String((row as { name: string }).name)).toSorted()
}

describe.each(merges)('git merges $theirs into $ours', (merge) => {
  test('strata sync gives the files of a new project, and both databases keep their rows', async () => {
    const { root, data } = await branches(merge)
    await done(root, 'sync')
    const emitted = (folder: string) =>
      [...treeFiles(folder)].filter(([path]) => !/^(\.git|prisma\/migrations)\//.test(path))
    const fresh = await project()
    writeFileSync(join(fresh, 'strata.json'), readFileSync(join(root, 'strata.json')))
    await done(fresh, 'sync')
    expect(emitted(root)).toEqual(emitted(fresh))
    const expected = columnsOf(fresh, data, 'fresh')
    for (const [index, name] of ['ours', 'theirs'].entries()) {
      expect(columnsOf(root, data, name)).toEqual(expected)
      const [column = 'note', value = "'n'"] = merge.values?.[index]?.split('=') ?? []
      const client = open(root, data, name)
      const rows = client
        .prepare(`SELECT title FROM books WHERE ${column} IS ${value} AND title = 'kept'`)
        .all()
      client.close()
      expect(rows).toHaveLength(1)
    }
    expect(columnsOf(root, data, 'new')).toEqual(expected)
    commit(root, 'merged')
    const before = hashTree(root, { ignore: ['.git'] })
    expect(await done(root, 'sync')).toBe('nothing to do: the project matches strata.json\n')
    expect(hashTree(root, { ignore: ['.git'] })).toBe(before)
  })
})

test('without strata sync, an app refuses to drop a column of its branch, and keeps its rows', async () => {
  const { root, data } = await branches({
    ours: `${book} at:datetime:default=now`,
    theirs: `${book} pages:uint:default=1`,
    values: ["at='2026-01-01T00:00:00.000+00:00'", 'pages=42'],
  })
  const merged = join(temporaryFolder(), 'migrations')
  cpSync(join(root, 'prisma/migrations'), merged, { recursive: true })
  for (const [name, branch] of [
    ['0003_change_books', 'ours'],
    ['0003_change_books_2', 'theirs'],
  ] as const) {
    mkdirSync(join(merged, name), { recursive: true })
    const sql = execFileSync('git', [
      '-C',
      root,
      'show',
      `${branch}:prisma/migrations/0003_change_books/migration.sql`,
    ])
    writeFileSync(join(merged, name, 'migration.sql'), sql)
  }
  const client = new DatabaseSync(`${join(data, 'theirs')}.db`)
  expect(() => applyMigrations(client, merged)).toThrow(
    'books.pages would be lost: run strata sync after a merge of branches',
  )
  expect(client.prepare('SELECT pages FROM books').all()).toMatchObject([{ pages: 42 }])
  client.close()
  rmSync(merged, { recursive: true })
})

test('strata sync names what two branches say about one field, and writes nothing', async () => {
  const { root } = await branches({
    ours: 'Tag name:string:max=300 color:string:optional',
    theirs: 'Tag name:string:max=400 color:string:optional',
  })
  const before = hashTree(root, { ignore: ['.git'] })
  const lines = await refused(root, ['sync'], 3)
  expect(lines[0]).toContain('write what you want into strata.json')
  expect(lines[1]).toBe(
    'Tag.name: this branch says "name:string:max=300", the merged one "name:string:max=400"',
  )
  expect(hashTree(root, { ignore: ['.git'] })).toBe(before)
})

test.each([['sqlite'], ['postgres']])(
  'a field for an entity that the other branch renames is refused, until it is taken back (%s)',
  async (database) => {
    const root = join(temporaryFolder(), 'shelf')
    mkdirSync(root)
    await done(root, 'init', 'app', '--database', database, '--no-install', '--no-git')
    const app = join(root, 'app')
    await addFeature(app, book)
    git(app, 'init', '-qb', 'main')
    commit(app, 'base')
    git(app, 'checkout', '-qb', 'field')
    await addFeature(app, `${book} pages:uint:optional`)
    commit(app, 'field')
    git(app, 'checkout', '-q', 'main')
    await done(app, 'rename', 'Book', 'Novel')
    commit(app, 'rename')
    expect(() => git(app, 'merge', 'field')).toThrow()
    const before = hashTree(app, { ignore: ['.git'] })
    const { code, stderr } = await strata(app, ['sync'])
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: expect.stringContaining(
        "a database of this branch can't apply prisma/migrations/0002_change_books/migration.sql",
      ),
    })
    expect(hashTree(app, { ignore: ['.git'] })).toBe(before)

    git(app, 'merge', '--abort')
    git(app, 'checkout', '-q', 'field')
    git(app, 'revert', '--no-edit', 'HEAD')
    git(app, 'checkout', '-q', 'main')
    git(app, 'merge', '--no-edit', 'field')
    expect((await strata(app, ['sync'])).stdout).toContain('nothing to do')
  },
)

test('edits of both branches in emitted files with conflicts stay', async () => {
  const root = await project(book, tag)
  git(root, 'init', '-qb', 'main')
  commit(root, 'base')
  for (const [name, line] of [
    ['ours', 'Author name:string'],
    ['theirs', 'Shelf name:string'],
  ] as const) {
    git(root, 'checkout', '-qb', name, 'main')
    await addFeature(root, line)
    const path = join(root, 'src/routes.ts')
    const text = readFileSync(path, 'utf8')
    const at = name === 'ours' ? 'import ' : '/** The parts'
    writeFileSync(path, text.replace(at, `/* an edit on ${name} */\n${at}`))
    commit(root, name)
  }
  git(root, 'checkout', '-q', 'ours')
  expect(() => git(root, 'merge', 'theirs')).toThrow()
  expect((await strata(root, ['sync'])).code).toBe(0)
  const routes = readFileSync(join(root, 'src/routes.ts'), 'utf8')
  for (const text of [
    'an edit on ours',
    'an edit on theirs',
    'createAuthorRouter(',
    'createShelfRouter(',
  ])
    expect(routes).toContain(text)
  expect(readdirSync(join(root, 'prisma/migrations'))).toEqual(
    expect.arrayContaining(['0003_create_authors', '0003_create_shelves']),
  )
})
