import { describe, expect, test } from 'vitest'
import { fieldKinds } from '../../../src/generator/model/model.ts'
import { basePath, isBasePath } from '../../../src/generator/plan/base.ts'
import { modifierNames } from '../../../src/generator/spec/modifiers.ts'
import { cases, render, storedFiles } from './cases.ts'
import { readSnapshot } from './folder.ts'

const update = 'if that is meant, run: npm run snapshots, and read the diff'

describe.each(cases)('$name', (each) => {
  test('emits the files that are stored, byte for byte', async () => {
    const emitted = storedFiles(await render(each))
    const stored = readSnapshot(each.name)
    const paths = [...new Set([...emitted.keys(), ...stored.keys()])].toSorted()
    const first = paths.find((path) => emitted.get(path) !== stored.get(path))
    if (first === undefined) return
    const what = `${each.name}/${first} ${difference(emitted.has(first), stored.has(first))}`
    expect(emitted.get(first), `${what}; ${update}`).toBe(stored.get(first))
  })

  test('keeps as base what it emits', async () => {
    const tree = await render(each)
    const bases = [...tree].filter(([path]) => isBasePath(path))
    const own = ['.env']
    const expected = [...tree].filter(
      ([path]) => !isBasePath(path) && !own.includes(path) && !path.endsWith('/migration.sql'),
    )
    expect(new Map(bases)).toEqual(new Map(expected.map(([path, text]) => [basePath(path), text])))
  })
})

test('the cases have every type, every modifier and both relations', () => {
  const words = new Set(cases.flatMap(({ features }) => features.join(' ').split(/[ :=(]/)))
  expect([...fieldKinds, ...modifierNames, 'many'].filter((word) => !words.has(word))).toEqual([])
})

function difference(isEmitted: boolean, isStored: boolean): string {
  if (!isStored) return 'is emitted and not stored'
  return isEmitted ? 'differs' : 'is stored and no longer emitted'
}
