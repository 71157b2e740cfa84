import { describe, expect, test } from 'vitest'
import { markMatches } from './highlight.ts'
import { createLineRing } from './line-ring.ts'
import { createLogSearch, patternOf } from './search.ts'

function ringOf(texts: readonly string[], maxLines = 1000) {
  const ring = createLineRing(maxLines, 2 ** 20)
  const push = (text: string) =>
    ring.push({ id: ring.end(), ts: '2026-01-31T12:00:00.000Z', stream: 'stdout', text })
  for (const text of texts) push(text)
  return { ring, push }
}

describe('a search', () => {
  test('finds lines regardless of case, takes the text literally, and wraps around', () => {
    const { ring } = ringOf(['Error: a.b', 'fine', 'error: axb', 'ERROR: A.B'])
    const search = createLogSearch()
    search.setQuery('a.b')
    expect(search.scan(ring, 100)).toBe(true)
    expect(search.count()).toBe(2)
    expect([search.next(0), search.next(3), search.previous(3), search.previous(0)]).toEqual([
      3, 0, 0, 3,
    ])
    expect([search.positionOf(0), search.positionOf(1), search.positionOf(3)]).toEqual([1, 0, 2])
  })

  test('scans in portions, and continues with lines that arrive later', () => {
    const { ring, push } = ringOf(Array.from({ length: 25 }, (_, at) => `line ${at}`))
    const search = createLogSearch()
    search.setQuery('line')
    expect([search.scan(ring, 10), search.count()]).toEqual([false, 10])
    expect([search.scan(ring, 10), search.scan(ring, 10), search.count()]).toEqual([
      false,
      true,
      25,
    ])
    push('another line')
    expect([search.scan(ring, 10), search.count()]).toEqual([true, 26])
  })

  test('forgets lines that the ring dropped', () => {
    const { ring, push } = ringOf(['x', 'x', 'x'], 3)
    const search = createLogSearch()
    search.setQuery('x')
    search.scan(ring, 100)
    push('y')
    push('x')
    search.scan(ring, 100)
    expect(search.count()).toBe(2)
    expect(search.next(4)).toBe(2)
    expect(search.positionOf(2)).toBe(1)
  })

  test('of an empty text finds nothing', () => {
    const { ring } = ringOf(['x'])
    const search = createLogSearch()
    search.setQuery('')
    expect([search.scan(ring, 10), search.count(), search.next(0), search.previous(0)]).toEqual([
      true,
      0,
      undefined,
      undefined,
    ])
  })
})

describe('highlighting', () => {
  const parts = (query: string, ...texts: string[]) =>
    markMatches(
      texts.map((text, at) => ({ text, className: `c${at}` })),
      patternOf(query),
    ).map(({ text, className, isMatch }) => `${className}:${isMatch ? `[${text}]` : text}`)

  test('splits segments at the borders of matches', () => {
    expect(parts('b', 'abc')).toEqual(['c0:a', 'c0:[b]', 'c0:c'])
    expect(parts('bb', 'aBBbb')).toEqual(['c0:a', 'c0:[BB]', 'c0:[bb]'])
  })

  test('marks a match that spans segments', () => {
    expect(parts('error', 'an er', 'ror', ' here')).toEqual([
      'c0:an ',
      'c0:[er]',
      'c1:[ror]',
      'c2: here',
    ])
  })

  test('leaves segments as they are without a query', () => {
    expect(parts('', 'abc', 'd')).toEqual(['c0:abc', 'c1:d'])
  })
})
