import { expect, test } from 'vitest'
import { overlapFaults } from '../../../src/generator/migrate/overlap.ts'
import { createModel, withFeature } from '../../../src/generator/model/build.ts'
import { readRetained, withRetained } from '../../../src/generator/plan/retained.ts'
import { firstStep, secondStep, withoutSecondSteps } from '../../../src/generator/plan/two-steps.ts'
import {
  addFeature,
  changeModel,
  featureOf,
  modelOf,
  newTree,
  type Tree,
} from '../../support/generator/memory-project.ts'

const shop = createModel({ name: 'shop', module: 'shop', database: 'postgres', auth: false })

test('the first step keeps the column of a dropped field, with a default for new records', async () => {
  const tree = await project('Post title:string secret:string')
  const plan = await begin(tree, 'Post title:string')
  expect(plan.overlapFaults).toEqual([])
  expect(plan.losses).toBe(undefined)
  expect(plan.secondSteps).toEqual(['Post.secret is dropped from the database'])
  expect(lastMigration(tree)).toBe(`-- AlterTable
ALTER TABLE "posts" ALTER COLUMN "secret" SET DEFAULT '-';
`)
  expect(tree.get('prisma/schema.prisma')).not.toContain('secret')
})

test('the second step drops the column only with --allow-destructive', async () => {
  const tree = await project('Post title:string secret:string')
  await begin(tree, 'Post title:string')
  await expect(complete(tree, false)).rejects.toMatchObject({
    details: ['posts.secret is dropped with its values'],
  })
  const plan = await complete(tree, true)
  expect(plan.overlapFaults).toEqual([])
  expect(plan.secondSteps).toBe(undefined)
  expect(lastMigration(tree)).toContain('DROP COLUMN "secret"')
})

test('a new required field is optional until the second step', async () => {
  const tree = await project('Post title:string')
  const plan = await begin(tree, 'Post title:string author:string')
  expect(plan.overlapFaults).toEqual([])
  expect(plan.secondSteps).toEqual(['Post.author becomes required'])
  expect(modelOf(tree).features[0]?.fields[1]?.optional).toBe(true)
  await complete(tree, true)
  expect(modelOf(tree).features[0]?.fields[1]?.optional).toBe(false)
  expect(lastMigration(tree)).toContain('ALTER COLUMN "author" SET NOT NULL')
})

test('a field that returns before the second step alters its column', async () => {
  const tree = await project('Post title:string secret:string')
  await begin(tree, 'Post title:string')
  const plan = await addFeature(tree, featureOf('Post title:string secret:string'))
  expect(plan.secondSteps).toBe(undefined)
  expect(lastMigration(tree)).toContain('ALTER COLUMN "secret" DROP DEFAULT')
})

test.each([
  'a:string',
  'a:text',
  'a:string:max=1',
  'a:int:min=3',
  'a:uint',
  'a:float:max=-2',
  'a:decimal(5,2)',
  'a:bool',
  'a:date',
  'a:datetime',
  'a:uuid',
  'a:json',
  'a:email',
  'a:enum(x|y)',
  'a:string:optional:unique',
])('the column of a dropped %s stays readable for the previous version', (field) => {
  const before = withFeature(shop, featureOf(`Post title:string ${field}`))
  const { model, retain } = firstStep(before, withFeature(before, featureOf('Post title:string')))
  const database = withRetained(model, retain({}))
  expect(overlapFaults({ before, after: model, database }, true)).toEqual([])
})

test.each(['a:string:unique', 'a:string:min=5'])(
  'a dropped %s has no value that the previous version can read',
  (field) => {
    const before = withFeature(shop, featureOf(`Post title:string ${field}`))
    const { model, retain } = firstStep(before, withFeature(before, featureOf('Post title:string')))
    const database = withRetained(model, retain({}))
    expect(overlapFaults({ before, after: model, database }, true)).toEqual([
      "posts.a becomes optional: the previous version can't read records without it",
    ])
  },
)

async function project(line: string): Promise<Tree> {
  const tree = await newTree(shop)
  await addFeature(tree, featureOf(line))
  return tree
}

function begin(tree: Tree, line: string) {
  const before = modelOf(tree)
  const { model, retain } = firstStep(before, withFeature(before, featureOf(line)))
  return changeModel(tree, model, {}, { retain })
}

function complete(tree: Tree, allowDestructive: boolean) {
  const after = secondStep(
    modelOf(tree),
    readRetained((path) => tree.get(path)),
  )
  return changeModel(tree, after, { allowDestructive }, { retain: withoutSecondSteps })
}

function lastMigration(tree: Tree): string | undefined {
  const paths = [...tree.keys()].filter((path) => path.endsWith('migration.sql')).toSorted()
  return tree.get(paths.at(-1) ?? '')
}
