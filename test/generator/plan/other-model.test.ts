import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createModel, withoutFeature } from '../../../src/generator/model/build.ts'
import type { Model } from '../../../src/generator/model/model.ts'
import { wholeProject } from '../../../src/generator/plan/affected-files.ts'
import { availableKinds, storeOf } from '../../../src/generator/stores/stores.ts'
import {
  addFeature,
  changeModel,
  featureOf,
  modelOf,
  newTree,
  type Tree,
} from '../../support/generator/memory-project.ts'
import { models } from '../../support/generator/properties/arbitraries.ts'

const shop = createModel({ name: 'shop', module: 'shop', database: 'sqlite', auth: false })
const blog = createModel({ ...shop, auth: true })
const book = featureOf('Book title:string isbn:string:unique')
const author = featureOf('Author name:string')

/** Models that every store kind accepts. */
const common = models('sqlserver', 3).filter(fitsSqlite)

function fitsSqlite(model: Model): boolean {
  try {
    storeOf('sqlite').files({ ...model, database: 'sqlite' })
    return true
  } catch {
    return false
  }
}

/** Returns every file except migrations and settings, which depend on the project's history. */
function emitted(tree: Tree): Map<string, string> {
  const own = (path: string) =>
    path.startsWith('.strata/') || /^(prisma\/migrations\/\d|\.env$|strata\.json$)/.test(path)
  return new Map([...tree].filter(([path]) => !own(path)).toSorted())
}

async function written(model: Model): Promise<Tree> {
  const tree = await newTree({ ...model, features: [] })
  for (const feature of model.features) await addFeature(tree, feature)
  return tree
}

test.each(availableKinds)(
  'a project moved to %s equals a new one of that kind, and moved back equals the original',
  async (database) => {
    await fc.assert(
      fc.asyncProperty(common, async (model) => {
        const tree = await written({ ...model, database: 'postgres' })
        const before = emitted(tree)
        await changeModel(tree, { ...modelOf(tree), database })
        expect(modelOf(tree)).toEqual({ ...model, database })
        const whole = await wholeProject({ ...model, database })
        expect(emitted(tree)).toEqual(new Map([...whole].toSorted()))
        await changeModel(tree, { ...modelOf(tree), database: 'postgres' })
        expect(emitted(tree)).toEqual(before)
      }),
      { numRuns: 3 },
    )
  },
)

test('planning all features at once gives the same files as one by one', async () => {
  await fc.assert(
    fc.asyncProperty(models('sqlite', 4), async (model) => {
      const tree = await newTree({ ...model, features: [] })
      await changeModel(tree, model)
      expect(emitted(tree)).toEqual(emitted(await written(model)))
    }),
    { numRuns: 8 },
  )
})

test('removing a feature restores the project without that feature', async () => {
  const tree = await newTree(shop)
  await addFeature(tree, book)
  const before = new Map(tree)
  await addFeature(tree, author)
  await changeModel(tree, withoutFeature(modelOf(tree), 'Author'), { allowDestructive: true })
  const migrations = [...tree.keys()].filter((path) => !before.has(path))
  expect(migrations).toEqual([
    'prisma/migrations/0002_create_authors/migration.sql',
    'prisma/migrations/0003_drop_authors/migration.sql',
  ])
  for (const path of migrations) tree.delete(path)
  expect(tree).toEqual(before)
})

test('a removed feature keeps an edited file, unless an option allows the removal', async () => {
  const path = 'src/use-cases/author.service.ts'
  const tree = await newTree(shop)
  await addFeature(tree, author)
  tree.set(path, `${tree.get(path)}// mine\n`)
  const without = withoutFeature(modelOf(tree), 'Author')
  const refused = changeModel(tree, without, { allowDestructive: true })
  await expect(refused).rejects.toMatchObject({
    kind: 'conflict',
    details: [
      `${path}: is no longer generated, and you changed it: move your code to another file`,
    ],
  })
  const kept = new Map(tree)
  await changeModel(kept, without, { allowDestructive: true, keep: true })
  expect(kept.get(path)).toBe(tree.get(path))
  await changeModel(tree, without, { allowDestructive: true, theirs: [path] })
  expect(tree.has(path)).toBe(false)
})

test('edited wiring keeps its edits if one feature is removed and two are added', async () => {
  const path = 'src/routes.ts'
  const tree = await newTree(shop)
  await addFeature(tree, book)
  await addFeature(tree, author)
  tree.set(
    path,
    (tree.get(path) ?? '').replace('const api = Router()', 'const api = Router() // mine'),
  )
  const { features, ...rest } = withoutFeature(modelOf(tree), 'Author')
  const added = [featureOf('Shelf name:string'), featureOf('Note said:text')]
  await changeModel(
    tree,
    { ...rest, features: [...features, ...added] },
    { allowDestructive: true },
  )
  const routes = tree.get(path) ?? ''
  expect(routes).toContain('// mine')
  expect([...routes.matchAll(/api\.use\('(.*?)'/g)].map(([, url]) => url)).toEqual([
    '/books',
    '/shelves',
    '/notes',
  ])
  expect(routes).toMatch(/\[bookDoc, shelfDoc, noteDoc\]/)
  expect(routes).not.toContain('uthor')
})

test('a move to another store adds its settings and comments out the previous ones', async () => {
  const tree = await newTree({ ...blog, database: 'postgres' })
  tree.set('.env', 'JWT_SECRET=mine\nexport DATABASE_URL=postgres://me:pw@db/app')
  const { actions } = await changeModel(tree, { ...modelOf(tree), database: 'mysql' })
  expect(tree.get('.env')).toBe(
    [
      'JWT_SECRET=mine',
      '# export DATABASE_URL=postgres://me:pw@db/app',
      'MYSQL_PASSWORD=secret',
      'DATABASE_URL=mysql://app:secret@localhost:3306/app',
      '',
    ].join('\n'),
  )
  expect(actions.find(({ path }) => path === '.env')).toMatchObject({ secret: true })
})

test('adding --auth later adds its secret and keeps the other settings', async () => {
  const tree = await newTree({ ...shop, database: 'postgres' })
  const before = tree.get('.env')
  await changeModel(tree, { ...modelOf(tree), auth: true })
  expect(tree.get('.env')).toBe(`${before}JWT_SECRET=secret\n`)
  expect(emitted(tree)).toEqual(emitted(await newTree({ ...blog, database: 'postgres' })))
})

test('a move to another store removes the migrations and the generated code', async () => {
  const tree = await newTree(shop)
  await addFeature(tree, book)
  tree.set('src/generated/prisma/client.ts', 'made by prisma generate')
  await changeModel(tree, { ...modelOf(tree), database: 'dynamodb' })
  expect([...tree.keys()].filter((path) => /^(prisma|src\/generated)/.test(path))).toEqual([])
  await changeModel(tree, { ...modelOf(tree), database: 'mysql' })
  expect(tree.get('prisma/migrations/0001_create_books/migration.sql')).toContain('AUTO_INCREMENT')
})

test('a feature is removed from wiring with other names and a chain of routes', async () => {
  const tree = await newTree(shop)
  await addFeature(tree, book)
  const container = (tree.get('src/container.ts') ?? '').replace(/\brepositories(?=[.:])/g, 'repos')
  const routes = (tree.get('src/routes.ts') ?? '')
    .replace('const api = Router()', 'return Router()')
    .replace('  api.use', '    .use')
    .replace('  return api\n', '')
  expect(routes).toContain('return Router()\n    .use(')
  tree.set('src/container.ts', container).set('src/routes.ts', routes)
  await addFeature(tree, author)
  expect(tree.get('src/routes.ts')).toContain("\n    .use('/authors', createAuthorRouter(")
  await changeModel(tree, withoutFeature(modelOf(tree), 'Book'), { allowDestructive: true })
  for (const path of ['src/container.ts', 'src/routes.ts']) {
    expect(tree.get(path)).not.toMatch(/book/i)
    expect(tree.get(path)).toMatch(/author/i)
  }
})
