import { describe, expect, test } from 'vitest'
import { storeKinds } from '../model/store-kinds.ts'
import { parseStoreKind } from './parse-store-kind.ts'

describe('a store kind', () => {
  test.each(storeKinds)('accepts %s', (kind) => {
    expect(parseStoreKind(kind, storeKinds)).toBe(kind)
  })

  test.each([
    ['postgresql', 'unknown store kind "postgresql": did you mean postgres? the kinds are sqlite,'],
    ['SQLite', 'unknown store kind "SQLite": did you mean sqlite?'],
    ['mongo', 'did you mean mongodb?'],
    ['', 'unknown store kind "": the kinds are'],
  ])('%j is refused with the nearest kind', (input, message) => {
    expect(() => parseStoreKind(input, storeKinds)).toThrow(
      expect.objectContaining({ kind: 'usage', message: expect.stringContaining(message) }),
    )
  })

  test('that is not available yet is refused with the available kinds', () => {
    expect(() => parseStoreKind('mysql', ['sqlite', 'postgres'])).toThrow(
      'the store kind mysql is not available yet: the available kinds are sqlite, postgres',
    )
  })
})
