import { expect, test } from 'vitest'
import { createLogFrames } from './log-frames.ts'

function frame(stream: 1 | 2, text: string): Buffer {
  const payload = Buffer.from(text)
  const head = Buffer.alloc(8)
  head[0] = stream
  head.writeUInt32BE(payload.length, 4)
  return Buffer.concat([head, payload])
}

const at = (n: number) => `2026-01-01T00:00:0${n}.123456789Z`

test('frames become lines with the time and the stream of the engine, however they are cut', () => {
  const bytes = Buffer.concat([frame(1, `${at(1)} one\n`), frame(2, `${at(2)} zwö\n`)])
  for (let cut = 0; cut <= bytes.length; cut += 1) {
    const frames = createLogFrames()
    const lines = [...frames.push(bytes.subarray(0, cut)), ...frames.push(bytes.subarray(cut))]
    expect(lines).toEqual([
      { ts: at(1), stream: 'stdout', line: 'one' },
      { ts: at(2), stream: 'stderr', line: 'zwö' },
    ])
  }
})

test('the parts of a long line are joined, without the other stream between them', () => {
  const frames = createLogFrames()
  const bytes = [frame(1, `${at(1)} be`), frame(2, `${at(2)} error\n`), frame(1, `${at(3)} gin\n`)]
  expect(bytes.flatMap((each) => frames.push(each))).toEqual([
    { ts: at(2), stream: 'stderr', line: 'error' },
    { ts: at(1), stream: 'stdout', line: 'begin' },
  ])
})

test('a last line without a line ending is returned by flush', () => {
  const frames = createLogFrames()
  expect(frames.push(frame(1, `${at(1)} end`))).toEqual([])
  expect(frames.flush()).toEqual([{ ts: at(1), stream: 'stdout', line: 'end' }])
  expect(frames.flush()).toEqual([])
})
