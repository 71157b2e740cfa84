import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createModel } from '../../../src/generator/model/build.ts'
import type { Feature, Model } from '../../../src/generator/model/model.ts'
import { basePath, isBasePath } from '../../../src/generator/plan/base.ts'
import { renderFeature, renderProject } from '../../../src/generator/render/render.ts'
import { readModel } from '../../../src/generator/spec/project-file.ts'
import { availableKinds } from '../../../src/generator/stores/stores.ts'
import { featureOf, newTree, planFor, put } from '../../support/generator/memory-project.ts'
import { models } from '../../support/generator/properties/arbitraries.ts'

const shop = createModel({ name: 'shop', module: 'shop', database: 'sqlite', auth: false })
const book = featureOf('Book title:string isbn:string:unique')

test.each(availableKinds)(
  'a new %s project has a base for each file but its secrets',
  async (database) => {
    const tree = await newTree(createModel({ ...shop, database }))
    const files = [...tree.keys()].filter((path) => !isBasePath(path))
    const withBase = files.filter((path) => tree.get(basePath(path)) === tree.get(path))
    const own = database === 'sqlite' ? [] : ['.env']
    expect(files.filter((path) => !withBase.includes(path))).toEqual(own)
  },
)

test('features added one by one give what the whole model gives', async () => {
  await fc.assert(
    fc.asyncProperty(models('sqlite', 4), async (model) => {
      const tree = await newTree(shop)
      for (const feature of model.features) await put(tree, feature)
      expect(readModel(tree.get('strata.json') ?? '')).toEqual(model)
      for (const [path, text] of await wholeOf(model)) {
        expect([path, tree.get(path)]).toEqual([path, text])
        expect([path, tree.get(basePath(path))]).toEqual([path, text])
      }
    }),
    { numRuns: 8 },
  )
})

test('what a project says already is planned as nothing but skips', async () => {
  await fc.assert(
    fc.asyncProperty(models('postgres', 3), async (model) => {
      const tree = await newTree({ ...shop, database: 'postgres' })
      for (const feature of model.features) await put(tree, feature)
      for (const feature of model.features) {
        const { actions } = await planFor(tree, feature)
        expect(actions.filter(({ kind }) => kind !== 'skip')).toEqual([])
      }
    }),
    { numRuns: 8 },
  )
})

test('a plan is sorted, names no path twice and reads nothing it does not ask for', async () => {
  const tree = await newTree(shop)
  const before = new Map(tree)
  const { actions } = await planFor(tree, book)
  const paths = actions.map(({ path }) => path)
  expect(paths).toEqual([...new Set(paths)].toSorted())
  expect(tree).toEqual(before)
})

test('fields changed there and back give the old files, and two migrations', async () => {
  const tree = await newTree(shop)
  await put(tree, book)
  const before = new Map(tree)
  await put(tree, featureOf('Book title:string isbn:string:unique pages:uint:optional'))
  await put(tree, book, { allowDestructive: true })
  const added = [...tree.keys()].filter((path) => !before.has(path))
  expect(added).toEqual([
    'prisma/migrations/0002_change_books/migration.sql',
    'prisma/migrations/0003_change_books/migration.sql',
  ])
  for (const [path, text] of before) expect([path, tree.get(path)]).toEqual([path, text])
})

test('a line that a person adds anywhere in a file survives a change of fields', async () => {
  const path = 'src/domain/book.ts'
  const changed = featureOf('Book title:string isbn:string:unique pages:uint:default=0')
  const plain = await newTree(shop)
  await put(plain, book)
  const lines = (plain.get(path) ?? '').split('\n')
  for (let at = 0; at < lines.length; at++) {
    const tree = new Map(plain)
    tree.set(path, lines.toSpliced(at, 0, '// mine').join('\n'))
    const outcome = await put(tree, changed).catch((error: unknown) => error)
    if (outcome instanceof Error) {
      // Beside the new field nobody can know which of the two lines comes first.
      expect(outcome.message).toMatch(/^your changes stand in the way/)
      expect(lines[at]).toMatch(/createdAt/)
    } else {
      expect(tree.get(path)).toContain('// mine')
      expect(tree.get(path)).toContain('pages: number')
    }
  }
})

test('a project file that says the same in other words is left as it is written', async () => {
  const tree = await newTree(shop)
  await put(tree, book)
  const compact = JSON.stringify(JSON.parse(tree.get('strata.json') ?? ''))
  tree.set('strata.json', compact)
  await put(tree, book)
  expect(tree.get('strata.json')).toBe(compact)
})

/** The files of a model at once, but for what no run but `init` or a migration writes. */
async function wholeOf(model: Model): Promise<Map<string, string>> {
  const own = await Promise.all(
    model.features.map((feature: Feature) => renderFeature(model, feature)),
  )
  return new Map([...(await renderProject(model)), ...own.flatMap((files) => [...files])])
}
