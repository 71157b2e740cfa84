import { describe, expect, test } from 'vitest'
import { fieldKinds } from '../../../src/generator/model/field-kinds.ts'
import { basePath, isBasePath } from '../../../src/generator/plan/base.ts'
import { modifierNames } from '../../../src/generator/spec/modifiers.ts'
import { cases, emittedTrees, render } from './cases.ts'
import { differences } from './differences.ts'
import { restore, store } from './layout.ts'
import { readExample, readStored } from './storage.ts'

const names = cases.map(({ name }) => name)
const shownDifferences = 10

test('every case emits the stored files, byte for byte', async () => {
  const emitted = await emittedTrees()
  const found = differences(emitted, restore(readStored(), names, readExample))
  for (const { path, cases, emitted, stored } of found.slice(0, shownDifferences)) {
    const message = `${path} of ${cases.join(', ')} differs from the snapshot`
    expect.soft(emitted, message).toBe(stored)
  }
  const update = 'if the changes are intended, run "npm run snapshots" and read the git diff'
  expect(found.length, `${found.length} emitted files differ; ${update}`).toBe(0)
})

test('every file is stored once, in the folder of its cases', async () => {
  const canonical = store(await emittedTrees(), readExample)
  expect([...readStored().keys()].toSorted()).toEqual([...canonical.keys()].toSorted())
})

describe.each(cases)('the project $name', (each) => {
  test('keeps a base copy of every emitted file but secrets and migrations', async () => {
    const tree = await render(each)
    const bases = [...tree].filter(([path]) => isBasePath(path))
    const expected = [...tree].filter(
      ([path]) =>
        !path.startsWith('.strata/') && path !== '.env' && !path.endsWith('/migration.sql'),
    )
    expect(new Map(bases)).toEqual(new Map(expected.map(([path, text]) => [basePath(path), text])))
  })
})

test('the cases cover every field type, every modifier and both kinds of relation', () => {
  const words = new Set(cases.flatMap(({ features }) => features.join(' ').split(/[ :=(]/)))
  expect([...fieldKinds, ...modifierNames, 'many'].filter((word) => !words.has(word))).toEqual([])
})
