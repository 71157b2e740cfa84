import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventually } from '../../../test/support/apps/eventually.ts'
import { temporaryPlace } from '../../../test/support/daemon/runtime/apps.ts'
import { readUsages } from './usage.ts'

let place: ReturnType<typeof temporaryPlace>
beforeEach(() => {
  place = temporaryPlace()
})
afterEach(() => place.remove())

/** Holds 64 MiB in a child process, and keeps one processor busy until it has used it for a second. */
const hungry = `
const { spawn } = require('node:child_process')
spawn(process.execPath, ['-e', 'globalThis.held = Buffer.alloc(64 * 2 ** 20, 1); setInterval(() => {}, 1000)'])
const turn = () => { if (process.cpuUsage().user < 1e6) { for (let n = 0; n < 1e6; n += 1); setImmediate(turn) } }
turn()
setInterval(() => {}, 1000)
`

test('the use of an app includes its children, and an ended app has none', async () => {
  const { runtime } = place.open()
  await runtime.start(place.app(7, hungry))
  const isFull = async () => {
    const usage = (await runtime.usage.read()).get(7)
    // The leader alone has less: its program is shared with every Node process of this host.
    return usage !== undefined && usage.memoryBytes > 66 * 2 ** 20 && usage.cpuMs >= 500
  }
  expect(await eventually(isFull, 30_000)).toBe(true)
  const { memoryBytes = 0 } = (await runtime.usage.read()).get(7) ?? {}
  // Two Node processes share their program: twice its size would be counted without the division.
  expect(memoryBytes).toBeLessThan(260 * 2 ** 20)
  await runtime.stop('strata-7', 0)
  expect((await runtime.usage.read()).size).toBe(0)
})

test('a control group that counts everything is taken as it is, and a missing count comes from the processes', async () => {
  const identity = { pid: process.pid, startTime: 0, mark: '', group: 'app' }
  const apps = [{ environmentId: 1, identity }]
  const measure = (usage: { memoryBytes: number | null; cpuMs: number | null }) =>
    readUsages(apps, { usage: () => usage, members: () => [process.pid] })
  expect((await measure({ memoryBytes: 5, cpuMs: 6 })).get(1)).toEqual({ memoryBytes: 5, cpuMs: 6 })
  const { memoryBytes, cpuMs = 0 } = (await measure({ memoryBytes: 5, cpuMs: null })).get(1) ?? {}
  expect(memoryBytes).toBe(5)
  expect(cpuMs).toBeGreaterThan(0)
})
