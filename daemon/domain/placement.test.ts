import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type NodeRoom, place } from './placement.ts'

const node = (nodeId: number, changes: Partial<NodeRoom> = {}): NodeRoom => ({
  nodeId,
  isActive: true,
  memoryMb: 1000,
  committedMb: 0,
  ...changes,
})
const need = (memoryMb: number) => ({ memoryMb, from: null, aheadMb: 0 })

describe('the placement of an app', () => {
  test('chooses the node with the most free memory', () => {
    const nodes = [node(1, { committedMb: 500 }), node(2, { committedMb: 100 })]
    expect(place(need(256), nodes)).toEqual({ kind: 'placed', nodeId: 2 })
  })

  test('fills a node to its last MiB and not beyond', () => {
    expect(place(need(100), [node(1, { committedMb: 900 })])).toEqual({ kind: 'placed', nodeId: 1 })
    expect(place(need(101), [node(1, { committedMb: 900 })])).toEqual({ kind: 'wait' })
  })

  test('is never for an app larger than every node', () => {
    expect(place(need(1001), [node(1), node(2, { memoryMb: 900 })])).toEqual({
      kind: 'never',
      largestMb: 1000,
    })
  })

  test('is wait if every node is inactive or no node exists', () => {
    expect(place(need(10), [node(1, { isActive: false })])).toEqual({ kind: 'wait' })
    expect(place(need(10), [])).toEqual({ kind: 'wait' })
  })

  test('keeps a new version on the node of the old one and counts its memory as free', () => {
    const nodes = [node(1, { committedMb: 1000 }), node(2)]
    const from = { nodeId: 1, heldMb: 512 }
    expect(place({ memoryMb: 512, from, aheadMb: 0 }, nodes)).toEqual({ kind: 'placed', nodeId: 1 })
    expect(place({ memoryMb: 513, from, aheadMb: 0 }, nodes)).toEqual({ kind: 'placed', nodeId: 2 })
    const drained = [node(1, { committedMb: 512, isActive: false }), node(2)]
    expect(place({ memoryMb: 512, from, aheadMb: 0 }, drained)).toEqual({
      kind: 'placed',
      nodeId: 2,
    })
  })

  test('leaves free the memory that an older deploy waits for', () => {
    const nodes = [node(1, { committedMb: 300 })]
    expect(place({ ...need(100), aheadMb: 800 }, nodes)).toEqual({ kind: 'wait' })
    expect(place({ ...need(100), aheadMb: 600 }, nodes)).toEqual({ kind: 'placed', nodeId: 1 })
  })

  test('never overcommits a node', () => {
    const rooms = fc.array(
      fc.record({
        nodeId: fc.integer({ min: 1, max: 9 }),
        isActive: fc.boolean(),
        memoryMb: fc.integer({ min: 0, max: 4000 }),
        committedMb: fc.integer({ min: 0, max: 4000 }),
      }),
    )
    fc.assert(
      fc.property(rooms, fc.integer({ min: 1, max: 4000 }), (nodes, memoryMb) => {
        const placement = place(need(memoryMb), nodes)
        if (placement.kind !== 'placed') return
        const fits = nodes.some(
          (one) =>
            one.nodeId === placement.nodeId &&
            one.isActive &&
            one.committedMb + memoryMb <= one.memoryMb,
        )
        expect(fits).toBe(true)
      }),
    )
  })
})
