import { describe, expect, test } from 'vitest'
import { createModel } from '../../src/generator/model/build.ts'
import type { StoreKind } from '../../src/generator/model/store-kinds.ts'
import { isBasePath } from '../../src/generator/plan/base.ts'
import { addFeature, featureOf, newTree, type Tree } from '../support/generator/memory-project.ts'

const markKinds = ['mongodb', 'elasticsearch', 'dynamodb'] as const
const documentKinds = [...markKinds, 'postgres-json'] as const

const plain = 'Task title:string done:bool:default=false'
const grown = [
  'Label name:string code:string:optional:unique',
  'Task title:string done:bool:default=false notes:json:optional board_id:uint:fk:optional labels:many(Label) --search=title',
]

const markFiles = ['removal', 'references', 'undo', 'reader'].map(
  (name) => `src/repositories/document-${name}.ts`,
)

describe.each(documentKinds)('on %s', (kind) => {
  test('a project without relations has no code for them', async () => {
    const tree = await projectOf(kind, [plain])
    expect(markFiles.filter((path) => tree.has(path))).toEqual([])
    expect(tree.has('src/repositories/document-values.ts')).toBe(false)
    expect(tree.get('src/repositories/document-store.ts')).not.toMatch(/mark|readBy|contains/)
  })

  test('a project that grows equals a project that had the relations from the start', async () => {
    const tree = await projectOf(kind, ['Board name:string', 'Label name:string', plain])
    for (const line of grown) await addFeature(tree, featureOf(line))
    const fresh = await projectOf(kind, ['Board name:string', ...grown])
    expect(scriptsOf(tree)).toEqual(scriptsOf(fresh))
  })
})

test.each(markKinds)('the first relation adds marks on %s', async (kind) => {
  const tree = await projectOf(kind, ['Board name:string', ...grown])
  expect(markFiles.filter((path) => !tree.has(path))).toEqual([])
  expect(tree.get('src/repositories/document-store.ts')).toContain('removeMarked(')
})

test('claims of unique values come to Elasticsearch with the first unique field', async () => {
  const claims = 'src/infra/unique-values.ts'
  const tree = await projectOf('elasticsearch', [plain])
  expect(tree.has(claims)).toBe(false)
  await addFeature(tree, featureOf('Label name:string:unique'))
  expect(tree.has(claims)).toBe(true)
})

test('an edit of the store survives the first relation', async () => {
  const tree = await projectOf('dynamodb', ['Board name:string', 'Label name:string', plain])
  const path = 'src/repositories/dynamodb.ts'
  const text = tree.get(path) ?? ''
  tree.set(path, text.replace('async takeId(', '// Ours.\n    async takeId('))
  for (const line of grown) await addFeature(tree, featureOf(line))
  expect(tree.get(path)).toContain('// Ours.\n    async takeId(')
  expect(tree.get(path)).toContain('async readBy(')
})

async function projectOf(database: StoreKind, features: readonly string[]): Promise<Tree> {
  const tree = await newTree(createModel({ name: 'shop', module: 'shop', database, auth: false }))
  for (const line of features) await addFeature(tree, featureOf(line))
  return tree
}

function scriptsOf(tree: Tree) {
  const scripts = [...tree].filter(([path]) => path.startsWith('src/') && !isBasePath(path))
  return Object.fromEntries(scripts.sort(([one], [other]) => one.localeCompare(other)))
}
