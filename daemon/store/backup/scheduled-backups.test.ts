import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { eventually } from '../../../test/support/apps/eventually.ts'
import { tempFolder } from '../../../test/support/daemon/store/temp-store.ts'
import type { Clock } from '../../ports.ts'
import { timeName } from './paths.ts'
import { startScheduledBackups } from './scheduled-backups.ts'

const hour = 3_600_000
const start = Date.UTC(2026, 0, 1)

test('writes a backup each interval, keeps the newest and leaves other files alone', async () => {
  const { folder, clock, run } = await build()
  writeFileSync(join(folder, 'notes.txt'), 'mine')
  const scheduled = run({ keep: 2 })
  for (let n = 1; n <= 4; n += 1) {
    const made = `strata-backup-${timeName(clock.now())}.tar`
    expect(await eventually(() => readdirSync(folder).includes(made), 5_000)).toBe(true)
    await clock.pass(hour)
  }
  await scheduled.stop()
  const tars = readdirSync(folder).filter((name) => name.endsWith('.tar'))
  expect(tars.length).toBeGreaterThanOrEqual(2)
  expect(tars.length).toBeLessThanOrEqual(3)
  expect(tars).not.toContain(`strata-backup-${timeName(start)}.tar`)
  expect(readdirSync(folder)).toContain('notes.txt')
})

test('waits for the rest of the interval after a restart', async () => {
  const { folder, clock, run } = await build()
  const newest = join(folder, `strata-backup-${timeName(start - hour / 2)}.tar`)
  writeFileSync(newest, '')
  utimesSync(newest, (start - hour / 2) / 1000, (start - hour / 2) / 1000)
  const scheduled = run({})
  expect(await eventually(() => clock.waits[0] !== undefined, 5_000)).toBe(true)
  expect(clock.waits[0]).toBe(hour / 2)
  await scheduled.stop()
  expect(readdirSync(folder)).toHaveLength(1)
})

test('reports a failed backup, removes its file and retries after a minute', async () => {
  const { folder, clock, run } = await build()
  const failures: unknown[] = []
  let isBroken = true
  const scheduled = run({
    failed: (error) => failures.push(error),
    create: async () => ({
      fileName: `strata-backup-${timeName(clock.now())}.tar`,
      body: isBroken ? broken() : Readable.from([Buffer.from('tar')]),
      skipped: () => 0,
    }),
  })
  expect(await eventually(() => clock.waits.length === 1, 5_000)).toBe(true)
  expect(failures).toHaveLength(1)
  expect(clock.waits).toEqual([60_000])
  expect(readdirSync(folder)).toEqual([])
  isBroken = false
  await clock.pass(60_000)
  expect(await eventually(() => readdirSync(folder).length === 1, 5_000)).toBe(true)
  await scheduled.stop()
})

function broken(): Readable {
  return Readable.from(
    (async function* () {
      yield 'half of it'
      throw new Error('the disk is full')
    })(),
  )
}

async function build() {
  const dataDir = tempFolder()
  const folder = join(dataDir, 'backups')
  mkdirSync(folder)
  const clock = manualClock()
  const run = (changes: Partial<Parameters<typeof startScheduledBackups>[0]>) =>
    startScheduledBackups({
      create: async () => ({
        fileName: `strata-backup-${timeName(clock.now())}.tar`,
        body: Readable.from([Buffer.from('tar')]),
        skipped: () => 0,
      }),
      dataDir,
      intervalMs: hour,
      keep: 7,
      clock,
      failed: (error) => {
        throw error
      },
      ...changes,
    })
  return { folder, clock, run }
}

/** A clock that the test advances. */
function manualClock(): Clock & { pass(ms: number): Promise<void>; waits: number[] } {
  let now = start
  const sleepers = new Set<() => void>()
  const waits: number[] = []
  return {
    waits,
    now: () => now,
    monotonic: () => now,
    wait(ms, signal) {
      waits.push(ms)
      return new Promise((resolve, reject) => {
        sleepers.add(resolve)
        signal?.addEventListener('abort', () => reject(signal.reason))
      })
    },
    async pass(ms) {
      if (!(await eventually(() => sleepers.size > 0, 5_000)))
        throw new Error('nothing waits for the clock')
      now += ms
      for (const wake of sleepers) wake()
      sleepers.clear()
    },
  }
}
