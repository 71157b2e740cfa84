import { expect, test } from 'vitest'
import { createModel, withFeature, withoutFeature } from '../../../src/generator/model/build.ts'
import type { Model } from '../../../src/generator/model/model.ts'
import type { StoreKind } from '../../../src/generator/model/store-kinds.ts'
import { wholeProject } from '../../../src/generator/plan/affected-files.ts'
import { basePath } from '../../../src/generator/plan/base.ts'
import { changedSharedTexts, sharedTexts } from '../../../src/generator/render/render.ts'
import {
  addFeature,
  changeModel,
  featureOf,
  modelOf,
  newTree,
  type Tree,
} from '../../support/generator/memory-project.ts'

const first = ['Author name:string', 'Tag label:string:unique', 'Note said:text']

test.each<StoreKind>(['sqlite', 'mongodb'])(
  'each change on %s leaves the files of a project that is rendered whole',
  async (database) => {
    const tree = await project(database, first)
    const steps = [
      'Book title:string price:decimal(8,2) author_id:uint:fk',
      'Book title:string author_id:uint:fk tags:many(Tag) --search=title',
      'Note said:text day:date state:enum(a|b)',
      'Part note_id:uint:fk:cascade at:datetime meta:json',
      'Note said:text',
    ]
    for (const line of steps) {
      await addFeature(tree, featureOf(line), { allowDestructive: true })
      await expectWhole(tree, line)
    }
    for (const pascal of ['Part', 'Book', 'Tag']) {
      await changeModel(tree, withoutFeature(modelOf(tree), pascal), { allowDestructive: true })
      await expectWhole(tree, `-${pascal}`)
    }
  },
  60_000,
)

test('a feature with known and new functions is planned without rendering the others', async () => {
  const tree = await project('sqlite', first)
  const before = modelOf(tree)
  const after = withFeature(before, featureOf('Book title:string price:decimal(8,2)'))
  const texts = changed(tree, before, after, 'Book')
  expect(texts?.next).toEqual(sharedTexts(after))
  expect(texts?.old).toEqual(sharedTexts(before))
})

test('a removed feature that used the same functions as others is planned without rendering all', async () => {
  const tree = await project('sqlite', [...first, 'Place name:string'])
  const before = modelOf(tree)
  const after = withoutFeature(before, 'Place')
  expect(changed(tree, before, after, 'Place')?.next).toEqual(sharedTexts(after))
})

test('a function that is no longer in use, and an edited base text, need the whole project', async () => {
  const tree = await project('sqlite', [...first, 'Place price:decimal(8,2)'])
  const before = modelOf(tree)
  expect(changed(tree, before, withoutFeature(before, 'Place'), 'Place')).toBe(undefined)
  const path = basePath('src/http/fields.ts')
  tree.set(path, `${tree.get(path)}\nexport const mine = 1\n`)
  expect(changed(tree, before, withoutFeature(before, 'Author'), 'Author')).toBe(undefined)
})

function changed(tree: Tree, before: Model, after: Model, pascal: string) {
  const named = ({ features }: Model) => features.filter(({ entity }) => entity.pascal === pascal)
  const differing = { before: named(before), after: named(after) }
  return changedSharedTexts({
    before,
    after,
    differing,
    baseOf: (path) => tree.get(basePath(path)),
  })
}

async function project(database: StoreKind, features: readonly string[]): Promise<Tree> {
  const tree = await newTree(createModel({ name: 'shop', module: 'shop', database, auth: false }))
  for (const line of features) await addFeature(tree, featureOf(line))
  return tree
}

async function expectWhole(tree: Tree, step: string): Promise<void> {
  for (const [path, text] of await wholeProject(modelOf(tree))) {
    expect(tree.get(basePath(path)), `${path} after ${step}`).toBe(text)
  }
}
