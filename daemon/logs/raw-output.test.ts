import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, rmdirSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { eventually } from '../../test/support/apps/eventually.ts'
import { temporaryLogs, textsOf } from '../../test/support/daemon/logs/logs.ts'
import type { ProcessLogs } from './logs.ts'

let place: ReturnType<typeof temporaryLogs>
const writers: ChildProcess[] = []
beforeEach(() => {
  place = temporaryLogs()
})
afterEach(() => {
  for (const writer of writers.splice(0)) writer.kill('SIGKILL')
  place.remove()
})

const seconds = 30_000

/** Starts a process whose output goes to the log's raw files, as an app's does. */
async function writer(logs: ProcessLogs, environmentId: number, source: string) {
  const output = await logs.openRaw(environmentId)
  const child = spawn(process.execPath, ['-e', source], {
    stdio: ['ignore', output.stdout, output.stderr],
  })
  writers.push(child)
  await output.close()
  return child
}

const raw = () => statSync(join(place.folder, '1/raw/stdout'))
const writtenBytes = () => raw().blocks * 512
const segmentBytes = () =>
  readdirSync(join(place.folder, '1'))
    .filter((name) => name.endsWith('.jsonl'))
    .reduce((sum, name) => sum + statSync(join(place.folder, '1', name)).size, 0)

describe('an app that floods its output', () => {
  const flood = `
const fs = require('fs')
const line = 'x'.repeat(99) + '\\n'
const block = line.repeat(1000)
for (let n = 0; n < 3000; n += 1) fs.writeSync(1, block)
fs.writeSync(1, 'the end\\n')
`

  test('fills neither the disk nor the memory, and the log counts the dropped bytes', async () => {
    const logs = place.open({ reclaimBytes: 2 ** 20 })
    const before = process.memoryUsage()
    const child = await writer(logs, 1, flood)
    const [code] = await once(child, 'exit')
    expect(code).toBe(0)
    const { arrayBuffers } = process.memoryUsage()
    expect(arrayBuffers - before.arrayBuffers).toBeLessThan(64 * 2 ** 20)
    expect(raw().size).toBe(300_000_008)
    expect(await eventually(() => writtenBytes() < 100 * 2 ** 20, seconds)).toBe(true)
    await logs.detach(1)
    expect(raw().size).toBe(0)
    expect(segmentBytes()).toBeLessThan(11 * 2 ** 20)
    const lines = await logs.tail(1, 1_000_000)
    expect(lines.at(-1)?.line).toBe('the end')
    const dropped = lines.flatMap(
      ({ line }) => /^… (\d+) bytes of output dropped/.exec(line)?.[1] ?? [],
    )
    expect(dropped.length).toBeGreaterThan(0)
    expect(lines.every(({ line }) => /^(x{99}|the end|… .*)$/.test(line))).toBe(true)
    expect(place.openFiles()).toEqual([])
  })

  test('does not delay the stop of the daemon or the reading by the next daemon', async () => {
    const endless = flood.replace('n < 3000', 'true').replace('n += 1', '')
    const logs = place.open()
    const child = await writer(logs, 1, endless)
    expect(await eventually(async () => (await logs.tail(1, 1)).length > 0, seconds)).toBe(true)
    await logs.close()
    expect(place.openFiles()).toEqual([])
    const next = place.open()
    await next.attach(1)
    expect((await next.tail(1, 10)).length).toBe(10)
    child.kill('SIGKILL')
    await once(child, 'exit')
    await next.detach(1)
    expect(raw().size).toBe(0)
  })

  test('does not delay the output of other apps', async () => {
    const logs = place.open()
    const child = await writer(logs, 1, flood)
    const quiet = await logs.openRaw(2)
    let rounds = 0
    while (child.exitCode === null && child.signalCode === null && rounds < 20) {
      writeSync(quiet.stdout, `round ${rounds}\n`)
      const wanted = `round ${rounds}`
      const isThere = async () => (await logs.tail(2, 1))[0]?.line === wanted
      expect(await eventually(isThere, seconds, 1)).toBe(true)
      rounds += 1
    }
    expect(rounds).toBeGreaterThan(0)
    await quiet.close()
    await logs.close()
  })
})

test('an app that writes too fast is held for moments, and continues when its output is no longer read', async () => {
  const logs = place.open()
  let child: ChildProcess | undefined
  let isHeld = false
  logs.onFlood((environmentId, isNowHeld) => {
    expect(environmentId).toBe(1)
    isHeld = isNowHeld
    child?.kill(isHeld ? 'SIGSTOP' : 'SIGCONT')
  })
  const endless = `const block = ('x'.repeat(99) + '\\n').repeat(10_000)
for (;;) require('node:fs').writeSync(1, block)`
  child = await writer(logs, 1, endless)
  let holds = 0
  for (const until = Date.now() + 4_000; Date.now() < until; ) {
    if (isHeld) holds += 1
    expect(writtenBytes()).toBeLessThan(256 * 2 ** 20)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  expect(holds).toBeGreaterThan(50)
  // Two seconds' worth at once, 16 MiB a second, and the output of 100 ms at the full speed of a disk.
  expect(raw().size).toBeLessThan(512 * 2 ** 20)
  await logs.close()
  expect(isHeld).toBe(false)
})

describe('the raw files of a long-lived app', () => {
  const lines = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => `line ${from + at}\n`).join('')

  /** Writes lines in portions. Waits after each portion until the log contains it. */
  async function writePortions(logs: ProcessLogs, descriptor: number, portions: number) {
    for (let at = 0; at < portions; at += 1) {
      writeSync(descriptor, lines(at * 1000, (at + 1) * 1000))
      const last = `line ${(at + 1) * 1000 - 1}`
      const isThere = async () => (await logs.tail(1, 1))[0]?.line === last
      expect(await eventually(isThere, seconds, 1)).toBe(true)
    }
  }

  const all = (count: number) => lines(0, count).trimEnd().split('\n')

  test('free the disk space of read output while the app continues to write', async () => {
    const logs = place.open({ reclaimBytes: 16_384 })
    const output = await logs.openRaw(1)
    await writePortions(logs, output.stdout, 40)
    expect(raw().size).toBeGreaterThan(300_000)
    expect(await eventually(() => writtenBytes() < 100_000, seconds)).toBe(true)
    await output.close()
    await logs.detach(1)
    expect(textsOf(await logs.tail(1, 100_000))).toEqual(all(40_000))
  })

  test('are truncated on a host without hole support, and reading continues', async () => {
    const logs = place.open({ reclaimBytes: 16_384 }, async () => false)
    const output = await logs.openRaw(1)
    await writePortions(logs, output.stdout, 40)
    expect(raw().size).toBeLessThan(100_000)
    await logs.close()

    const next = place.open({ reclaimBytes: 16_384 }, async () => false)
    await next.attach(1)
    writeSync(output.stdout, lines(40_000, 40_010))
    await output.close()
    await next.detach(1)
    expect(textsOf(await next.tail(1, 100_000))).toEqual(all(40_010))
  })
})

test('app output that cannot be written to the log is written later without loss', async () => {
  const logs = place.open({ segmentBytes: 4096 })
  const output = await logs.openRaw(1)
  const isThere = (line: string) => async () => (await logs.tail(1, 1))[0]?.line === line
  writeSync(output.stdout, 'first\n')
  expect(await eventually(isThere('first'), seconds)).toBe(true)
  const folder = join(place.folder, '1')
  const [current = ''] = readdirSync(folder).filter((name) => name.endsWith('.jsonl'))
  // A folder with the name of the next segment makes the log fail to create the segment.
  const padding = 'y'.repeat(3500)
  writeSync(output.stdout, `${padding}\n`)
  expect(await eventually(isThere(padding), seconds)).toBe(true)
  const end = statSync(join(folder, current)).size
  const obstacle = join(folder, `${String(end).padStart(16, '0')}.jsonl`)
  mkdirSync(obstacle)
  writeSync(output.stdout, `${'z'.repeat(1000)}\nlater\n`)
  expect(await eventually(() => place.faults.length > 0, seconds)).toBe(true)
  rmdirSync(obstacle)
  writeSync(output.stdout, 'last\n')
  expect(await eventually(isThere('last'), seconds)).toBe(true)
  await output.close()
  await logs.detach(1)
  expect(textsOf(await logs.tail(1, 100))).toEqual([
    'first',
    padding,
    'z'.repeat(1000),
    'later',
    'last',
  ])
})
