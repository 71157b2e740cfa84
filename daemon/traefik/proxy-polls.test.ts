import { beforeEach, expect, test } from 'vitest'
import {
  createFakeClock,
  type FakeClock,
  settled,
} from '../../test/support/daemon/app/fake-clock.ts'
import { createProxyPolls } from './proxy-polls.ts'

let clock: FakeClock
let version: number
beforeEach(() => {
  clock = createFakeClock()
  version = 1
})

const create = (waitMs?: number) => createProxyPolls({ version: () => version, clock, waitMs })
const never = new AbortController().signal

test('nobody waits for a proxy that was never seen, nor for a person who reads once', async () => {
  const polls = create()
  expect(await polls.acknowledged(never)).toEqual({ kind: 'none' })
  polls.note('person', 1)
  version = 2
  expect(await polls.acknowledged(never)).toEqual({ kind: 'none' })
  expect(polls.read()).toEqual({ proxies: 0, silentMs: undefined })
})

test('a wait ends when every polling proxy has read the newest routes', async () => {
  const polls = create()
  for (const reader of ['one', 'two', 'one', 'two']) polls.note(reader, 1)
  expect(await polls.acknowledged(never)).toEqual({ kind: 'acknowledged' })
  version = 2
  let answer: unknown
  const wait = polls.acknowledged(never).then((result) => {
    answer = result
  })
  polls.note('one', 2)
  // A configuration that was rendered before the change.
  polls.note('two', 1)
  await settled()
  expect(answer).toBeUndefined()
  polls.note('two', 2)
  await wait
  expect(answer).toEqual({ kind: 'acknowledged' })
})

test('a wait ends after its limit if a polling proxy does not read the new routes', async () => {
  const polls = create()
  polls.note('one', 1)
  polls.note('one', 1)
  version = 2
  const wait = polls.acknowledged(never)
  await clock.advance(10_000)
  expect(await wait).toEqual({ kind: 'late', waitMs: 10_000 })
})

test('nobody waits for a proxy that has stopped to poll, and its silence is known', async () => {
  const polls = create()
  polls.note('one', 1)
  polls.note('one', 1)
  await clock.advance(61_000)
  version = 2
  expect(await polls.acknowledged(never)).toEqual({ kind: 'silent', silentMs: 61_000 })
  expect(polls.read()).toEqual({ proxies: 0, silentMs: 61_000 })
})

test('a configured limit waits for a proxy that was never seen; 0 never waits', async () => {
  const wait = create(3_000).acknowledged(never)
  await clock.advance(3_000)
  expect(await wait).toEqual({ kind: 'late', waitMs: 3_000 })
  const off = create(0)
  off.note('one', 1)
  off.note('one', 1)
  version = 2
  expect(await off.acknowledged(never)).toEqual({ kind: 'none' })
})

test('a wait ends when its deploy is aborted', async () => {
  const abort = new AbortController()
  const wait = create(60_000).acknowledged(abort.signal)
  abort.abort()
  expect(await wait).toEqual({ kind: 'late', waitMs: 60_000 })
})

test('readers without a second poll are forgotten from a number on', () => {
  const polls = create()
  for (let index = 0; index < 150; index += 1) polls.note(`reader ${index}`, 1)
  polls.note('reader 0', 1)
  expect(polls.read().proxies).toBe(0)
  polls.note('reader 149', 1)
  expect(polls.read().proxies).toBe(1)
})
