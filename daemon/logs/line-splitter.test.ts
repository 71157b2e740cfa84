import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createLineSplitter } from './line-splitter.ts'

const bytes = (text: string) => Buffer.from(text, 'utf8')

function split(chunks: readonly Uint8Array[], maxBytes?: number) {
  const splitter = createLineSplitter(maxBytes === undefined ? {} : { maxBytes })
  return [...chunks.flatMap((chunk) => splitter.push(chunk)), ...splitter.flush()]
}

const texts = (chunks: readonly Uint8Array[], maxBytes?: number) =>
  split(chunks, maxBytes).map(({ text }) => text)

describe('the line splitter', () => {
  test('ends lines at LF and at CR LF, and keeps empty ones', () => {
    expect(texts([bytes('a\r\n\nb\rc\n\r\nd')])).toEqual(['a', '', 'b\rc', '', 'd'])
  })

  test('returns the stream offset after each line', () => {
    expect(split([bytes('ab\r\ncd\n'), bytes('e')])).toEqual([
      { text: 'ab', end: 4 },
      { text: 'cd', end: 7 },
      { text: 'e', end: 8 },
    ])
  })

  test('joins a multi-byte character that is split between two chunks', () => {
    const text = bytes('grüße 🚀 €\n')
    for (let at = 0; at <= text.length; at += 1) {
      expect(texts([text.subarray(0, at), text.subarray(at)])).toEqual(['grüße 🚀 €'])
    }
  })

  test('splits an overlong line between two characters', () => {
    expect(texts([bytes('aaa🚀bbb\r\n')], 5)).toEqual(['aaa', '🚀b', 'bb'])
    expect(texts([bytes('abcde\r\nabcdef\n')], 5)).toEqual(['abcde', 'abcde', 'f'])
  })

  test('replaces invalid UTF-8 with U+FFFD', () => {
    expect(texts([Buffer.from([0x61, 0xff, 0x62, 0x0a, 0xe2, 0x82, 0x0a])])).toEqual(['a�b', '�'])
  })

  test('drops a partial line after skipTo', () => {
    const splitter = createLineSplitter()
    splitter.push(bytes('lost'))
    splitter.skipTo(100)
    expect(splitter.push(bytes('rest of one'))).toEqual([])
    expect(splitter.push(bytes(', its end\nwhole\n'))).toEqual([{ text: 'whole', end: 127 }])
  })

  test('returns a line after skipTo in a text without line endings', () => {
    const splitter = createLineSplitter({ maxBytes: 4 })
    splitter.skipTo(0)
    splitter.push(bytes('abcdef'))
    expect(splitter.push(bytes('gh\n'))).toEqual([{ text: 'gh', end: 9 }])
  })

  test('copies the pending bytes of a chunk, so that the caller may reuse the chunk', () => {
    const splitter = createLineSplitter()
    const chunk = bytes('half')
    splitter.push(chunk)
    chunk.fill(0x78)
    expect(splitter.push(bytes(' line\n'))).toEqual([{ text: 'half line', end: 10 }])
  })

  test('returns the same lines for any chunk borders, within the length limit, without losing a byte', () => {
    const piece = fc.oneof(
      fc.constantFrom('\n', '\r\n', '\r', '', 'é', '🚀', '€uro', 'abc'),
      fc.string({ unit: 'binary', maxLength: 12 }),
    )
    fc.assert(
      fc.property(
        fc.array(fc.oneof(piece.map(bytes), fc.uint8Array({ maxLength: 6 })), { maxLength: 30 }),
        fc.array(fc.nat(40), { maxLength: 30 }),
        fc.integer({ min: 4, max: 12 }),
        (parts, lengths, maxBytes) => {
          const stream = Buffer.concat(parts)
          const whole = split([stream], maxBytes)
          expect(split(cut(stream, lengths), maxBytes)).toEqual(whole)
          expect(whole.at(-1)?.end ?? 0).toBe(stream.length)
          let start = 0
          for (const { text, end } of whole) {
            const raw = stream.subarray(start, end)
            expect(raw.toString('utf8').replace(/\r?\n$|\r$/, '')).toBe(text.replace(/\r$/, ''))
            expect(raw.length).toBeLessThanOrEqual(maxBytes + 2)
            start = end
          }
        },
      ),
    )
  })

  test('never splits a character of valid UTF-8', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 200 }),
        fc.array(fc.nat(9), { maxLength: 60 }),
        fc.integer({ min: 4, max: 9 }),
        (text, lengths, maxBytes) => {
          const lines = texts(cut(bytes(text), lengths), maxBytes)
          expect(lines.join('')).toBe(text.replace(/\r?\n/g, '').replace(/\r$/, ''))
        },
      ),
    )
  })
})

function cut(stream: Buffer, lengths: readonly number[]): Buffer[] {
  const chunks: Buffer[] = []
  let at = 0
  for (const length of lengths) {
    chunks.push(stream.subarray(at, at + length))
    at += length
  }
  return [...chunks, stream.subarray(at)]
}
