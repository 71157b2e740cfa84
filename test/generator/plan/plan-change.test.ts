import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createModel } from '../../../src/generator/model/build.ts'
import type { Feature, Model } from '../../../src/generator/model/model.ts'
import { basePath } from '../../../src/generator/plan/base.ts'
import { renderFeature, renderProject } from '../../../src/generator/render/render.ts'
import { readModel } from '../../../src/generator/spec/project-file.ts'
import { availableKinds } from '../../../src/generator/stores/stores.ts'
import { addFeature, featureOf, newTree, planFor } from '../../support/generator/memory-project.ts'
import { models } from '../../support/generator/properties/arbitraries.ts'

const shop = createModel({ name: 'shop', module: 'shop', database: 'sqlite', auth: false })
const book = featureOf('Book title:string isbn:string:unique')

test.each(availableKinds)(
  'a new %s project has a base copy of each file except secrets',
  async (database) => {
    const tree = await newTree(createModel({ ...shop, database }))
    const files = [...tree.keys()].filter((path) => !path.startsWith('.strata/'))
    const withBase = files.filter((path) => tree.get(basePath(path)) === tree.get(path))
    const own = database === 'sqlite' ? [] : ['.env']
    expect(files.filter((path) => !withBase.includes(path))).toEqual(own)
  },
)

test('features added one by one give the same files as the whole model', async () => {
  await fc.assert(
    fc.asyncProperty(models('sqlite', 4), async (model) => {
      const tree = await newTree(shop)
      for (const feature of model.features) await addFeature(tree, feature)
      expect(readModel(tree.get('strata.json') ?? '')).toEqual(model)
      for (const [path, text] of await wholeOf(model)) {
        expect([path, tree.get(path)]).toEqual([path, text])
        expect([path, tree.get(basePath(path))]).toEqual([path, text])
      }
    }),
    { numRuns: 8 },
  )
})

test('an unchanged feature is planned as skips only', async () => {
  await fc.assert(
    fc.asyncProperty(models('postgres', 3), async (model) => {
      const tree = await newTree({ ...shop, database: 'postgres' })
      for (const feature of model.features) await addFeature(tree, feature)
      for (const feature of model.features) {
        const { actions } = await planFor(tree, feature)
        expect(actions.filter(({ kind }) => kind !== 'skip')).toEqual([])
      }
    }),
    { numRuns: 8 },
  )
})

test('planning changes nothing and gives sorted actions, one per path', async () => {
  const tree = await newTree(shop)
  const before = new Map(tree)
  const { actions } = await planFor(tree, book)
  const paths = actions.map(({ path }) => path)
  expect(paths).toEqual([...new Set(paths)].toSorted())
  expect(tree).toEqual(before)
})

test('changing fields back restores the files and adds two migrations', async () => {
  const tree = await newTree(shop)
  await addFeature(tree, book)
  const before = new Map(tree)
  await addFeature(tree, featureOf('Book title:string isbn:string:unique pages:uint:optional'))
  await addFeature(tree, book, { allowDestructive: true })
  const added = [...tree.keys()].filter((path) => !before.has(path))
  expect(added).toEqual([
    'prisma/migrations/0002_change_books/migration.sql',
    'prisma/migrations/0003_change_books/migration.sql',
  ])
  for (const [path, text] of before) expect([path, tree.get(path)]).toEqual([path, text])
})

test("a person's line anywhere in a file survives a change of fields", async () => {
  const path = 'src/domain/book.ts'
  const changed = featureOf('Book title:string isbn:string:unique pages:uint:default=0')
  const plain = await newTree(shop)
  await addFeature(plain, book)
  const lines = (plain.get(path) ?? '').split('\n')
  for (let at = 0; at < lines.length; at++) {
    const tree = new Map(plain)
    tree.set(path, lines.toSpliced(at, 0, '// mine').join('\n'))
    const outcome = await addFeature(tree, changed).catch((error: unknown) => error)
    if (outcome instanceof Error) {
      // The order of a person's line next to the new field is ambiguous.
      expect(outcome.message).toMatch(/^your edits conflict with generated files/)
      expect(lines[at]).toMatch(/createdAt/)
    } else {
      expect(tree.get(path)).toContain('// mine')
      expect(tree.get(path)).toContain('pages: number')
    }
  }
})

test('a project file with another layout but the same meaning stays unchanged', async () => {
  const tree = await newTree(shop)
  await addFeature(tree, book)
  const compact = JSON.stringify(JSON.parse(tree.get('strata.json') ?? ''))
  tree.set('strata.json', compact)
  await addFeature(tree, book)
  expect(tree.get('strata.json')).toBe(compact)
})

/** Renders all files of a model, except those of `init` and migrations. */
async function wholeOf(model: Model): Promise<Map<string, string>> {
  const own = await Promise.all(
    model.features.map((feature: Feature) => renderFeature(model, feature)),
  )
  return new Map([...(await renderProject(model)), ...own.flatMap((files) => [...files])])
}
