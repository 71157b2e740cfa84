import { appendFileSync, existsSync, readdirSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { eventually } from '../../test/support/apps/eventually.ts'
import { takeLines, temporaryLogs, textsOf } from '../../test/support/daemon/logs/logs.ts'
import type { LogLine } from '../ports.ts'

let place: ReturnType<typeof temporaryLogs>
beforeEach(() => {
  place = temporaryLogs()
})
afterEach(() => place.remove())

const never = new AbortController().signal
const seconds = 20_000

describe('the output of a build', () => {
  test('becomes lines with increasing ids, including a last line without a line ending', async () => {
    const logs = place.open()
    const sink = logs.sink(1, 'build')
    sink.write(Buffer.from('one\ntw'), 'stdout')
    sink.write(Buffer.from('warning\n'), 'stderr')
    sink.write(Buffer.from('o\nrest'), 'stdout')
    await sink.end()
    const lines = await logs.tail(1, 10)
    expect(textsOf(lines)).toEqual(['one', 'warning', 'two', 'rest'])
    expect(new Set(lines.map(({ stream }) => stream))).toEqual(new Set(['build']))
    expect(lines.map(({ id }) => id)).toEqual(
      lines.map(({ id }) => id).toSorted((one, other) => one - other),
    )
    expect(textsOf(await logs.tail(1, 2))).toEqual(['two', 'rest'])
    expect(await logs.tail(1, 0)).toEqual([])
    expect(place.openFiles()).toEqual([])
  })

  test('is dropped above a limit and the loss is counted if it arrives faster than the disk writes', async () => {
    const logs = place.open()
    const sink = logs.sink(1, 'build')
    const chunk = Buffer.from(`${'x'.repeat(999)}\n`.repeat(1000))
    for (let round = 0; round < 10; round += 1) sink.write(chunk, 'stdout')
    await sink.end()
    const lines = textsOf(await logs.tail(1, 100_000))
    const dropped = /^… (\d+) lines dropped/.exec(lines.at(-1) ?? '')?.[1]
    expect(Number(dropped) + lines.length - 1).toBe(10_000)
    expect(lines.length).toBeGreaterThan(1000)
  })

  test('is read back unchanged for lines of any length and any characters', async () => {
    const texts = [1, 3, 16_384, 16_384, 2, 16_383, 16_384, 5].map((length, at) =>
      (at % 2 === 0 ? '\u0001' : 'é').repeat(at % 2 === 0 ? length : Math.ceil(length / 2)),
    )
    const logs = place.open({ segmentBytes: 200_000 })
    const sink = logs.sink(1, 'build')
    for (let round = 0; round < 5; round += 1) {
      for (const text of texts) sink.write(Buffer.from(`${text}\n`), 'stdout')
      await new Promise(setImmediate)
    }
    await sink.end()
    const expected = [texts, texts, texts, texts, texts].flat()
    const all = await logs.tail(1, 1000)
    expect(textsOf(all)).toEqual(expected)
    for (const count of [1, 4, 9, 33]) {
      expect(await logs.tail(1, count)).toEqual(all.slice(-count))
    }
    expect(await takeLines(logs.follow(1, 0, never), 40)).toEqual(all)
    const next = place.open({ segmentBytes: 200_000 })
    expect(await next.tail(1, 1000)).toEqual(all)
  })

  test('is complete after a burst of 5000 lines', async () => {
    const logs = place.open()
    const sink = logs.sink(1, 'build')
    for (let line = 0; line < 5000; line += 1) sink.write(Buffer.from(`line ${line}\n`), 'stdout')
    await sink.end()
    const lines = await logs.tail(1, 10_000)
    expect(lines).toHaveLength(5000)
    expect(lines.at(-1)?.line).toBe('line 4999')
  })
})

describe('the output of an app', () => {
  test('is in the log while the app runs, with the name of its stream', async () => {
    const logs = place.open()
    const output = await logs.openRaw(7)
    const following = takeLines(logs.follow(7, null, never), 2)
    writeSync(output.stdout, 'hello\n')
    expect(await eventually(async () => (await logs.tail(7, 5)).length === 1, seconds)).toBe(true)
    writeSync(output.stderr, 'oh\n')
    expect((await following).map(({ stream, line }) => [stream, line])).toEqual([
      ['stdout', 'hello'],
      ['stderr', 'oh'],
    ])
    await output.close()
    await logs.detach(7)
    expect(place.openFiles()).toEqual([])
  })

  test('is complete after the app exits, including a last line without a line ending', async () => {
    const logs = place.open()
    const output = await logs.openRaw(7)
    writeSync(output.stdout, 'a\nb')
    await output.close()
    await logs.detach(7)
    expect(textsOf(await logs.tail(7, 5))).toEqual(['a', 'b'])
  })

  test('continues in the same log after a restart of the app, with truncated raw files', async () => {
    const logs = place.open()
    for (const text of ['first\n', 'second\n', 'third\n']) {
      const output = await logs.openRaw(7)
      writeSync(output.stdout, text)
      await output.close()
      await logs.detach(7)
    }
    expect(textsOf(await logs.tail(7, 5))).toEqual(['first', 'second', 'third'])
    expect(statSync(join(place.folder, '7/raw/stdout')).size).toBe(0)
  })

  test('has no gap and no duplicate after the daemon restarts in the middle of a line', async () => {
    const first = place.open()
    const output = await first.openRaw(7)
    writeSync(output.stdout, 'one\ntwo ha')
    expect(await eventually(async () => (await first.tail(7, 5)).length === 1, seconds)).toBe(true)
    await first.close()
    writeSync(output.stdout, 'lves\nthree\n')
    writeSync(output.stderr, 'meanwhile\n')

    const second = place.open()
    await second.attach(7)
    writeSync(output.stdout, 'four\n')
    await output.close()
    await second.detach(7)
    const lines = await second.tail(7, 10)
    const texts = lines.filter(({ stream }) => stream === 'stdout').map(({ line }) => line)
    expect(texts).toEqual(['one', 'two halves', 'three', 'four'])
    expect(lines.filter(({ stream }) => stream === 'stderr')).toHaveLength(1)
    expect(new Set(lines.map(({ id }) => id)).size).toBe(lines.length)
  })

  test('is read by a daemon that starts after the app has exited', async () => {
    const first = place.open()
    const output = await first.openRaw(7)
    await first.close()
    writeSync(output.stdout, 'last words\n')
    await output.close()
    expect(textsOf(await place.open().tail(7, 10))).toEqual(['last words'])
  })
})

describe('a log follower', () => {
  test('gets the last 50 lines and then new lines, without a gap or a duplicate', async () => {
    const logs = place.open()
    const sink = logs.sink(1, 'build')
    const write = (from: number, to: number) => {
      for (let line = from; line < to; line += 1) sink.write(Buffer.from(`${line}\n`), 'stdout')
    }
    write(0, 100)
    expect(await eventually(async () => (await logs.tail(1, 200)).length === 100, seconds)).toBe(
      true,
    )
    const following = takeLines(logs.follow(1, null, never), 1050)
    write(100, 600)
    await new Promise(setImmediate)
    write(600, 1100)
    const lines = await following
    expect(textsOf(lines)).toEqual(Array.from({ length: 1050 }, (_, at) => String(at + 50)))
    await sink.end()
  })

  test('continues after any line id, and starts at the default for an unknown id', async () => {
    const logs = place.open()
    const sink = logs.sink(1, 'build')
    for (let line = 0; line < 30; line += 1) sink.write(Buffer.from(`${line}\n`), 'stdout')
    await sink.end()
    const all = await logs.tail(1, 100)
    for (const [at, { id }] of all.entries()) {
      const rest = all.slice(at + 1)
      if (rest.length > 0) {
        expect(await takeLines(logs.follow(1, id, never), rest.length)).toEqual(rest)
      }
    }
    expect(await takeLines(logs.follow(1, 999_999, never), 30)).toEqual(all)
    expect((await takeLines(logs.follow(1, 11, never), 1)).length).toBe(1)
  })

  test('gets all remaining lines before the end of the environment', async () => {
    const logs = place.open()
    const sink = logs.sink(1, 'build')
    const seen: LogLine[] = []
    const following = (async () => {
      for await (const line of logs.follow(1, null, never)) seen.push(line)
    })()
    sink.write(Buffer.from('a\n'), 'stdout')
    expect(await eventually(() => seen.length === 1, seconds)).toBe(true)
    sink.write(Buffer.from('b\n'), 'stdout')
    await sink.end()
    logs.end(1)
    await following
    expect(textsOf(seen)).toEqual(['a', 'b'])
  })

  test('starts with as many lines as it asks for', async () => {
    const logs = place.open()
    const sink = logs.sink(1, 'build')
    for (let line = 0; line < 300; line += 1) sink.write(Buffer.from(`line ${line}\n`), 'stdout')
    await sink.end()
    const lines = await takeLines(logs.follow(1, null, never, 200), 200)
    expect([textsOf(lines)[0], textsOf(lines).at(-1)]).toEqual(['line 100', 'line 299'])
    expect(textsOf(await takeLines(logs.follow(1, null, never), 50))[0]).toBe('line 250')
  })

  test('ends without an error if its signal is aborted, and leaves no file open', async () => {
    const logs = place.open()
    const controller = new AbortController()
    const ends = Array.from({ length: 20 }, async () => {
      for await (const _ of logs.follow(1, null, controller.signal));
    })
    controller.abort()
    await Promise.all(ends)
    const sink = logs.sink(1, 'build')
    sink.write(Buffer.from('a\n'), 'stdout')
    await sink.end()
    expect(place.openFiles()).toEqual([])
  })

  test('receives a notice in place of lines that were already dropped', async () => {
    const logs = place.open({ maxBytes: 4000, segmentBytes: 1000 })
    const sink = logs.sink(1, 'build')
    for (let line = 0; line < 500; line += 1) {
      sink.write(Buffer.from(`line ${line}\n`), 'stdout')
      if (line % 10 === 0) await new Promise(setImmediate)
    }
    await sink.end()
    const kept = await logs.tail(1, 1000)
    expect(kept.length).toBeLessThan(100)
    const [gap, ...rest] = await takeLines(logs.follow(1, 0, never), kept.length + 1)
    expect(gap?.line).toContain('older lines were dropped')
    expect(rest).toEqual(kept)
    expect(await takeLines(logs.follow(1, gap?.id ?? 0, never), kept.length)).toEqual(kept)
  })

  test('receives a conflict error if the log drops lines before the follower reads them', async () => {
    const logs = place.open({ maxBytes: 4000, segmentBytes: 1000 })
    const sink = logs.sink(1, 'build')
    sink.write(Buffer.from('first\n'), 'stdout')
    const lines = logs.follow(1, 0, never)[Symbol.asyncIterator]()
    expect((await lines.next()).value?.line).toBe('first')
    for (let line = 0; line < 500; line += 1) {
      sink.write(Buffer.from(`line ${line}\n`), 'stdout')
      if (line % 10 === 0) await new Promise(setImmediate)
    }
    await sink.end()
    await expect(
      (async () => {
        while (!(await lines.next()).done);
      })(),
    ).rejects.toMatchObject({ kind: 'conflict', message: expect.stringContaining('too slow') })
    expect(place.openFiles()).toEqual([])
  })
})

test('a log skips a torn record of a crashed daemon, and appends after it', async () => {
  const sink = place.open().sink(1, 'build')
  sink.write(Buffer.from('whole\n'), 'stdout')
  await sink.end()
  const segment = join(place.folder, '1/0000000000000000.jsonl')
  appendFileSync(segment, '{"ts":"2025-01-01T00:00:00.000Z","stream":"build","li')
  const logs = place.open()
  expect(textsOf(await logs.tail(1, 5))).toEqual(['whole'])
  const more = logs.sink(1, 'build')
  more.write(Buffer.from('next\n'), 'stdout')
  await more.end()
  expect(textsOf(await logs.tail(1, 5))).toEqual(['whole', 'next'])
})

test('a log repeats lines and reports it if the daemon died while truncating a raw file', async () => {
  const first = place.open()
  const output = await first.openRaw(1)
  writeSync(output.stdout, 'one\ntwo\n')
  const isThere = async () => (await first.tail(1, 5)).length === 2
  expect(await eventually(isThere, seconds)).toBe(true)
  await first.close()
  const segment = join(place.folder, '1/0000000000000000.jsonl')
  appendFileSync(segment, '{"consumed":{"stdout":8,"stderr":0},"cutting":"stdout"}\n')
  const next = place.open()
  await next.attach(1)
  writeSync(output.stdout, 'three\n')
  await output.close()
  await next.detach(1)
  const notice = expect.stringContaining('may be repeated')
  expect(textsOf(await next.tail(1, 10))).toEqual(['one', 'two', notice, 'one', 'two', 'three'])
})

describe('the log on disk', () => {
  test('stays within its size limit, and line ids keep increasing after old lines are dropped', async () => {
    const logs = place.open({ maxBytes: 20_000, segmentBytes: 4000 })
    const sink = logs.sink(1, 'build')
    let last = 0
    for (let round = 0; round < 50; round += 1) {
      for (let line = 0; line < 40; line += 1) sink.write(Buffer.from(`${round}\n`), 'stdout')
      await new Promise(setImmediate)
      const id = (await logs.tail(1, 1))[0]?.id ?? 0
      expect(id).toBeGreaterThanOrEqual(last)
      last = id
    }
    await sink.end()
    const files = readdirSync(join(place.folder, '1')).map((name) => join(place.folder, '1', name))
    const size = files.reduce((sum, file) => sum + statSync(file).size, 0)
    expect(size).toBeLessThanOrEqual(24_000)
    expect((await logs.tail(1, 1))[0]?.id).toBeGreaterThan(size)
  })

  test('is deleted when its environment is removed, and its followers end', async () => {
    const logs = place.open()
    const output = await logs.openRaw(1)
    writeSync(output.stdout, 'a\n')
    await output.close()
    const lines = logs.follow(1, null, never)[Symbol.asyncIterator]()
    expect((await lines.next()).value?.line).toBe('a')
    await logs.remove(1)
    expect((await lines.next()).done).toBe(true)
    expect(existsSync(join(place.folder, '1'))).toBe(false)
    expect(await logs.tail(1, 10)).toEqual([])
    expect(existsSync(join(place.folder, '1'))).toBe(false)
    expect(place.openFiles()).toEqual([])
  })
})
