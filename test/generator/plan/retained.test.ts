import { expect, test } from 'vitest'
import { createModel, withoutFeature } from '../../../src/generator/model/build.ts'
import type { Model } from '../../../src/generator/model/model.ts'
import type { Plan } from '../../../src/generator/plan/plan.ts'
import { retainedPath, retainTables, withoutTable } from '../../../src/generator/plan/retained.ts'
import {
  addFeature,
  changeModel,
  featureOf,
  modelOf,
  newTree,
  type Tree,
} from '../../support/generator/memory-project.ts'

const shop = createModel({ name: 'shop', module: 'shop', database: 'postgres', auth: false })

test('a removed feature with a retained table writes no migration, and its return alters the table', async () => {
  const tree = await project('Post title:string:max=50')
  const { actions } = await remove(tree, 'Post')
  expect(actions.filter(({ path }) => path.endsWith('migration.sql'))).toEqual([])
  // Biome, which lints the project, demands short lists on one line.
  expect(tree.get(retainedPath)).toBe(
    '{\n  "tables": {\n    "Post": {\n      "fields": ["title:string:max=50"]\n    }\n  }\n}\n',
  )
  await addFeature(tree, featureOf('Post title:string:max=80 views:int:default=0'))
  expect(tree.get(retainedPath)).toBe(undefined)
  expect(lastMigration(tree)).toBe(`-- AlterTable
ALTER TABLE "posts" ADD COLUMN     "views" INTEGER NOT NULL DEFAULT 0,
ALTER COLUMN "title" SET DATA TYPE VARCHAR(80) COLLATE "C";
`)
})

test('a feature that returns with fewer fields names the columns that it would drop', async () => {
  const tree = await project('Post title:string secret:string')
  await remove(tree, 'Post')
  await expect(addFeature(tree, featureOf('Post title:string'))).rejects.toMatchObject({
    kind: 'conflict',
    details: ['posts.secret is dropped with its values'],
  })
})

test('a retained table is dropped later, with its name in the plan', async () => {
  const tree = await project('Post title:string')
  await remove(tree, 'Post')
  const plan = await changeModel(
    tree,
    modelOf(tree),
    { allowDestructive: true },
    { retain: (retained) => withoutTable(retained, 'Post') },
  )
  expect(plan.losses).toEqual(['table posts is dropped with all its rows'])
  expect(tree.get(retainedPath)).toBe(undefined)
  expect(lastMigration(tree)).toContain('DROP TABLE "posts"')
})

test('a table that a retained table refers to is not dropped', async () => {
  const tree = await project('Author name:string', 'Post author_id:uint:fk')
  await remove(tree, 'Post')
  await expect(
    changeModel(tree, withoutFeature(modelOf(tree), 'Author'), { allowDestructive: true }),
  ).rejects.toThrow('drop a retained table with strata remove <Entity> --allow-destructive')
})

test('a feature with the plural of a retained table is refused', async () => {
  const tree = await project('Post title:string')
  await remove(tree, 'Post')
  await expect(
    addFeature(tree, { ...featureOf('Entry title:string'), entity: plural('Entry') }),
  ).rejects.toThrow('Post')
})

function plural(pascal: string) {
  const { entity } = featureOf(`${pascal} title:string`)
  return { ...entity, plural: featureOf('Post title:string').entity.plural }
}

async function project(...features: readonly string[]): Promise<Tree> {
  const tree = await newTree(shop)
  for (const line of features) await addFeature(tree, featureOf(line))
  return tree
}

function remove(tree: Tree, pascal: string): Promise<Plan> {
  const before: Model = modelOf(tree)
  const features = before.features.filter(({ entity }) => entity.pascal === pascal)
  return changeModel(
    tree,
    withoutFeature(before, pascal),
    {},
    { retain: (retained) => retainTables(retained, before, features) },
  )
}

function lastMigration(tree: Tree): string | undefined {
  const paths = [...tree.keys()].filter((path) => path.endsWith('migration.sql')).toSorted()
  return tree.get(paths.at(-1) ?? '')
}
