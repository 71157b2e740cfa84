import { expect, test } from 'vitest'
import { createModel } from '../../src/generator/model/build.ts'
import { addFeature, featureOf, newTree, type Tree } from '../support/generator/memory-project.ts'

const removals = 'src/infra/deep-removals.ts'
const store = 'src/infra/store.ts'
const reply = 'Reply text:string reply_id:uint:fk:optional:cascade'

test('a project on MySQL without relations has no code for deep cascades', async () => {
  const tree = await project()
  await addFeature(tree, featureOf('Task title:string'))
  expect(tree.has(removals)).toBe(false)
  expect(tree.get(store)).not.toMatch(/removals/i)
})

test('the first relation adds the code for deep cascades, and keeps edits', async () => {
  const tree = await project()
  await addFeature(tree, featureOf('Task title:string'))
  const edited = '// Ours.\nconst maxConnections = 20'
  tree.set(store, tree.get(store)?.replace('const maxConnections = 10', edited) ?? '')
  await addFeature(tree, featureOf(reply))
  expect(tree.has(removals)).toBe(true)
  expect(tree.get(store)).toContain(edited)
  expect(tree.get(store)).toContain("import { withDeepRemovals } from './deep-removals.js'")
  expect(tree.get(store)).toContain('withOutageErrors(withDeepRemovals(adapter, pool))')
})

test('a project with users has the code for deep cascades', async () => {
  expect((await project(true)).has(removals)).toBe(true)
})

function project(auth = false): Promise<Tree> {
  return newTree(createModel({ name: 'shop', module: 'shop', database: 'mysql', auth }))
}
