import { setImmediate as yieldToEventLoop } from 'node:timers/promises'

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a]
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d]
const whitespace: readonly (number | undefined)[] = [0x20, 0x09, 0x0a, 0x0d]

/** Larger values are left out. */
const maxValueBytes = 64 * 1024
const maxKeyBytes = 64
/** The scan ends after this many keys. Payloads of git hosts have fewer than 30. */
const maxKeys = 1_000
/** The scan lets other work run after this many bytes. */
const sliceBytes = 2 ** 20

/**
 * Returns a JSON text with the given keys of a JSON object, without parsing the rest. For bytes from a stranger: one pass,
 * and no memory beyond the result. If the bytes are not valid JSON, the result need not be valid either.
 */
export async function topLevelValues(bytes: Buffer, keys: readonly string[]): Promise<string> {
  const found = new Map<string, readonly [from: number, to: number]>()
  let depth = 0
  let keyCount = 0
  let key = ''
  let valueAt = -1
  let sliceEnd = sliceBytes

  function endValue(at: number): void {
    if (valueAt >= 0 && keys.includes(key)) found.set(key, [valueAt, at])
    valueAt = -1
  }

  for (let at = 0; at < bytes.length && keyCount <= maxKeys; at += 1) {
    if (at >= sliceEnd) {
      await yieldToEventLoop()
      sliceEnd = at + sliceBytes
    }
    switch (bytes[at]) {
      case quote: {
        const end = endOfString(bytes, at)
        const colonAt = depth === 1 && valueAt < 0 ? skipWhitespace(bytes, end + 1) : -1
        const isKey = colonAt >= 0 && bytes[colonAt] === colon
        if (isKey) {
          key = end - at <= maxKeyBytes ? bytes.toString('utf8', at + 1, end) : ''
          valueAt = colonAt + 1
          keyCount += 1
        }
        at = isKey ? colonAt : end
        break
      }
      case openBrace:
      case openBracket:
        depth += 1
        break
      case closeBrace:
      case closeBracket:
        depth -= 1
        if (depth === 0) endValue(at)
        break
      case comma:
        if (depth === 1) endValue(at)
        break
    }
  }
  const small = [...found].filter(([, [from, to]]) => to - from <= maxValueBytes)
  return `{${small.map(([name, [from, to]]) => `"${name}":${bytes.toString('utf8', from, to)}`)}}`
}

/** Returns the index of the closing quote; the end of the bytes if there is none. */
function endOfString(bytes: Buffer, start: number): number {
  let at = start
  do {
    at = bytes.indexOf(quote, at + 1)
    if (at < 0) return bytes.length
  } while (isEscaped(bytes, at))
  return at
}

function isEscaped(bytes: Buffer, at: number): boolean {
  let count = 0
  while (bytes[at - 1 - count] === backslash) count += 1
  return count % 2 === 1
}

function skipWhitespace(bytes: Buffer, start: number): number {
  let at = start
  while (whitespace.includes(bytes[at])) at += 1
  return at
}
