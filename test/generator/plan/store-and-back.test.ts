import { DatabaseSync } from '@photostructure/sqlite'
import { expect, test } from 'vitest'
import { StrataError } from '../../../src/generator/errors.ts'
import { createModel } from '../../../src/generator/model/build.ts'
import {
  addFeature,
  changeModel,
  featureOf,
  modelOf,
  newTree,
  type Tree,
} from '../../support/generator/memory-project.ts'

const shop = createModel({ name: 'shop', module: 'shop', database: 'sqlite', auth: false })
const mine = 'prisma/migrations/0003_mine/migration.sql'

/** Applies the migrations that the database has not applied, like the app at its start. */
function migrate(database: InstanceType<typeof DatabaseSync>, tree: Tree, applied: Set<string>) {
  const paths = [...tree.keys()].filter((path) => /^prisma\/migrations\/.*\.sql$/.test(path))
  for (const path of paths.toSorted()) {
    if (applied.has(path)) continue
    database.exec(tree.get(path) ?? '')
    applied.add(path)
  }
}

async function library(): Promise<Tree> {
  const tree = await newTree(shop)
  await addFeature(tree, featureOf('Author name:string'))
  await addFeature(tree, featureOf('Book title:string author_id:uint:fk'))
  tree.set(mine, 'CREATE TABLE notes (text TEXT);\n')
  return tree
}

test('a database of the first kind starts again after any number of moves, with its rows', async () => {
  const tree = await library()
  const database = new DatabaseSync(':memory:')
  const applied = new Set<string>()
  migrate(database, tree, applied)
  database.exec("INSERT INTO authors (name) VALUES ('Ada')")
  for (const field of ['born', 'died']) {
    await changeModel(tree, { ...modelOf(tree), database: 'postgres' })
    expect(tree.has(mine)).toBe(false)
    expect([...tree.keys()].filter((path) => /^prisma\/migrations\/\d/.test(path))[0]).toMatch(
      /0001_/,
    )
    const fields = field === 'born' ? 'born:date:optional' : 'born:date:optional died:date:optional'
    await addFeature(tree, featureOf(`Author name:string ${fields}`))
    await changeModel(tree, { ...modelOf(tree), database: 'sqlite' })
    expect(tree.get(mine)).toBe('CREATE TABLE notes (text TEXT);\n')
    migrate(database, tree, applied)
    expect(database.prepare(`SELECT name, ${field} AS field FROM authors`).all()).toEqual([
      { name: 'Ada', field: null },
    ])
  }
  expect([...tree.keys()].filter((path) => path.startsWith('.strata/stores/sqlite'))).toEqual([])
  database.close()
})

test('a move names a migration of your own, and keeps it as a file', async () => {
  const tree = await library()
  const { actions } = await changeModel(tree, { ...modelOf(tree), database: 'postgres' })
  const marked = actions.filter((action) => 'risk' in action && action.risk === 'review')
  expect(marked).toMatchObject([
    {
      path: '.strata/stores/sqlite/migrations/0003_mine/migration.sql',
      reason: 'your own file, kept here: port it to postgres',
    },
  ])
})

test('a move back asks before it drops a column that the old store has', async () => {
  const tree = await library()
  await changeModel(tree, { ...modelOf(tree), database: 'mysql' })
  await addFeature(tree, featureOf('Author full:string:optional'), { allowDestructive: true })
  const back = { ...modelOf(tree), database: 'sqlite' as const }
  const refused = await changeModel(tree, back).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(StrataError)
  expect(refused).toMatchObject({ details: [expect.stringContaining('authors.name')] })
  await changeModel(tree, back, { allowDestructive: true })
})

test('strata.json with CRLF keeps CRLF', async () => {
  const tree = await library()
  tree.set('strata.json', (tree.get('strata.json') ?? '').replaceAll('\n', '\r\n'))
  await changeModel(tree, { ...modelOf(tree), database: 'postgres' })
  expect(tree.get('strata.json')).toContain('"database": "postgres",\r\n')
  expect(tree.get('strata.json')?.replaceAll('\r\n', '')).not.toContain('\n')
})

test('git does not ignore the kept migrations and the version', async () => {
  const lines = ((await library()).get('.gitignore') ?? '').split('\n')
  expect(lines).toEqual(expect.arrayContaining(['!.strata/stores/', '!.strata/version']))
})

test('models of your own are kept while the store has no schema file, and return with the kind', async () => {
  const tree = await library()
  const schema = 'prisma/schema.prisma'
  const own = 'model Mine {\n  id Int @id\n\n  @@map("mine")\n}\n'
  tree.set(schema, `${tree.get(schema)}\n${own}`)
  const plan = await changeModel(tree, { ...modelOf(tree), database: 'mongodb' })
  expect(tree.has(schema)).toBe(false)
  const kept = '.strata/stores/sqlite/own-schema.prisma'
  expect(plan.actions.find(({ path }) => path === kept)?.reason).toBe(
    'your models, kept here: port them to mongodb',
  )
  await addFeature(tree, featureOf('Author name:string born:date:optional'))
  await changeModel(tree, { ...modelOf(tree), database: 'sqlite' })
  expect(tree.get(schema)).toContain(own)
  expect(tree.get(schema)).toMatch(/born +DateTime\?/)
  expect(tree.has(kept)).toBe(false)
})
