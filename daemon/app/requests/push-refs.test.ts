import { describe, expect, test } from 'vitest'
import type { BranchChange, HostedBranches } from '../../ports.ts'
import { acceptedChange, branchOfRef, refusalOf, settledChange } from './push-refs.ts'

const [a, b, c] = ['a', 'b', 'c'].map((digit) => digit.repeat(40)) as [string, string, string]
const absent = '0'.repeat(40)

type Refs = Readonly<Record<string, string>>
function branches(refs: { heads?: Refs; pending?: Refs; before?: Refs } = {}): HostedBranches {
  const mapOf = (given: Refs = {}) => new Map(Object.entries(given))
  return {
    defaultBranch: 'main',
    heads: mapOf(refs.heads),
    pending: mapOf(refs.pending),
    before: mapOf(refs.before),
  }
}

/** Returns the branches after a change, as the repository stores it. */
function changed(state: HostedBranches, change: BranchChange | undefined): HostedBranches {
  if (!change) return state
  const apply = (map: ReadonlyMap<string, string>, value: string | null | undefined) => {
    const next = new Map(map)
    if (value === null) next.delete(change.branch)
    if (value) next.set(change.branch, value)
    return next
  }
  return {
    ...state,
    heads: apply(state.heads, change.head),
    pending: apply(state.pending, change.pending),
    before: apply(state.before, change.before),
  }
}

const push = (state: HostedBranches, oldId: string, newId: string) =>
  changed(state, acceptedChange({ ref: 'refs/heads/main', oldId, newId }, state, true))
const settle = (state: HostedBranches, commitSha: string, isOk: boolean) =>
  changed(state, settledChange(state, { branch: 'main', commitSha, isOk }))

describe('refusalOf', () => {
  const refuse = (ref: string, newId = a) => refusalOf({ ref, oldId: absent, newId }, branches())

  test('accepts branches and refuses tags and other refs', () => {
    expect(refuse('refs/heads/main')).toBeUndefined()
    expect(refuse('refs/heads/feature/login')).toBeUndefined()
    for (const ref of ['refs/tags/v1', 'refs/strata/before/main', 'refs/for/main', 'refs/heads']) {
      expect(refuse(ref), ref).toBe('only branches can be pushed here')
    }
  })

  test('refuses names that git refuses for branches, and long names', () => {
    for (const name of ['-x', 'a..b', 'a b', 'a.lock', 'HEAD', '', 'a\u0001', 'x'.repeat(256)]) {
      expect(refuse(`refs/heads/${name}`), name).toBe('invalid branch name')
    }
  })

  test('refuses to delete the default branch only', () => {
    expect(refuse('refs/heads/main', absent)).toMatch(/default branch/)
    expect(refuse('refs/heads/topic', absent)).toBeUndefined()
  })
})

describe('a branch of a hosted repository', () => {
  test('stays at the pushed commit if its deploy succeeds', () => {
    const ended = settle(push(branches({ heads: { main: a } }), a, b), b, true)
    expect(ended).toEqual(branches({ heads: { main: b } }))
  })

  test('goes back to the commit before the push if its deploy fails', () => {
    const ended = settle(push(branches({ heads: { main: a } }), a, b), b, false)
    expect(ended).toEqual(branches({ heads: { main: a } }))
  })

  test('disappears if the deploy of its first push fails', () => {
    expect(settle(push(branches(), absent, a), a, false)).toEqual(branches())
  })

  test('goes back past every failed push to the last deployed commit', () => {
    const both = push(push(branches({ heads: { main: a } }), a, b), b, c)
    const afterFirst = settle(both, b, false)
    expect(afterFirst.heads.get('main')).toBe(c)
    expect(settle(afterFirst, c, false)).toEqual(branches({ heads: { main: a } }))
  })

  test('goes back to an earlier push that succeeded meanwhile', () => {
    const both = push(push(branches({ heads: { main: a } }), a, b), b, c)
    expect(settle(settle(both, b, true), c, false)).toEqual(branches({ heads: { main: b } }))
  })

  test('goes back to an earlier push that still runs if the newer one leaves the queue', () => {
    const both = push(push(branches(), absent, a), a, b)
    const removed = { branch: 'main', commitSha: b, isOk: false, running: a }
    const state = changed(both, settledChange(both, removed))
    expect(state).toEqual(branches({ heads: { main: a }, pending: { main: a } }))
    expect(settle(state, a, true)).toEqual(branches({ heads: { main: a } }))
    expect(settle(state, a, false)).toEqual(branches())
  })

  test('is not touched by a deploy that no push has caused', () => {
    const state = branches({ heads: { main: b } })
    expect(settle(state, a, false)).toBe(state)
    expect(settle(state, b, false)).toBe(state)
  })

  test('changes only from the commit that the pusher has seen', () => {
    const update = { ref: 'refs/heads/topic', oldId: a, newId: b }
    expect(acceptedChange(update, branches(), true).expected).toBe(a)
    expect(acceptedChange({ ...update, oldId: absent }, branches(), true).expected).toBeNull()
  })

  test('that the filters exclude is stored and not pending', () => {
    const update = { ref: 'refs/heads/topic', oldId: absent, newId: b }
    const stored = changed(branches(), acceptedChange(update, branches(), false))
    expect(stored).toEqual(branches({ heads: { topic: b } }))
  })
})

test('branchOfRef returns undefined for what is no branch', () => {
  expect(branchOfRef('refs/heads/a/b')).toBe('a/b')
  expect(branchOfRef('refs/tags/a')).toBeUndefined()
})
