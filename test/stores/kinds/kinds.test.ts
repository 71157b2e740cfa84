import { describe, expect, test } from 'vitest'
import { storeKinds } from '../../../src/generator/model/model.ts'
import { availableKinds } from '../../../src/generator/stores/stores.ts'
import { starters } from './kinds.ts'

describe('the tests of stores', () => {
  test.each(storeKinds)('can start %s, or say why not', (kind) => {
    const starter = starters[kind]
    if (typeof starter !== 'function') expect(starter.skipped).toMatch(/\S+ \S+/)
  })

  test('have a starter for whatever can be generated', () => {
    const without = availableKinds.filter((kind) => typeof starters[kind] !== 'function')
    expect(without).toEqual([])
  })
})
