import { expect, test } from 'vitest'
import { createModel, withoutFeature } from '../../../src/generator/model/build.ts'
import {
  addFeature,
  changeModel,
  featureOf,
  modelOf,
  newTree,
} from '../../support/generator/memory-project.ts'

const fields = 'src/http/fields.ts'

test('a project without features has no code of features', async () => {
  const tree = await newTree(shop())
  expect(tree.has(fields)).toBe(false)
  expect(tree.has('src/http/crud-doc.ts')).toBe(false)
})

test('a feature that needs more functions adds them to an edited file, and a removed feature takes its own', async () => {
  const tree = await newTree(shop())
  await addFeature(tree, featureOf('Note body:string'))
  expect(tree.get(fields)).not.toContain('function decimal')
  const edited = tree.get(fields)?.replace('must be well-formed text without NUL', 'is not text')
  tree.set(fields, edited ?? '')

  await addFeature(tree, featureOf('Product price:decimal(8,2)'))
  expect(tree.get(fields)).toContain('is not text')
  expect(tree.get(fields)).toContain('export function decimal')

  await changeModel(tree, withoutFeature(modelOf(tree), 'Product'), { allowDestructive: true })
  expect(tree.get(fields)).toContain('is not text')
  expect(tree.get(fields)).not.toContain('function decimal')
})

function shop() {
  return createModel({ name: 'shop', module: 'shop', database: 'sqlite', auth: false })
}
