import { describe, expect, test } from 'vitest'
import { storeKinds } from '../../../src/generator/model/store-kinds.ts'
import { availableKinds } from '../../../src/generator/stores/stores.ts'
import { starters } from './kinds.ts'

describe('the store tests', () => {
  test.each(storeKinds)('start the server of %s or name the reason why not', (kind) => {
    const starter = starters[kind]
    if (typeof starter !== 'function') expect(starter.skipped).toMatch(/\S+ \S+/)
  })

  test('have a starter for each kind that can be generated', () => {
    const without = availableKinds.filter((kind) => typeof starters[kind] !== 'function')
    expect(without).toEqual([])
  })
})
