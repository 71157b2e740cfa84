import { shortText, unsigned, utf16 } from './bytes.ts'

/** A result column with its declared type, or null for a computed column. */
export interface Column {
  readonly name: string
  readonly declared: string | null
}

/** Encodes columns and rows as tokens. Throws for an unknown type. */
export function rowTokens(
  columns: readonly Column[],
  rows: readonly (readonly unknown[])[],
): Buffer {
  const types = columns.map(({ declared }, at) =>
    typeOf(declared ?? (rows.every((row) => Number.isInteger(row[at])) ? 'INT' : 'TEXT')),
  )
  const heads = columns.flatMap(({ name }, at) => [
    unsigned(0, 4),
    unsigned(isNullable, 2),
    types[at]?.head ?? Buffer.alloc(0),
    shortText(name),
  ])
  const bodies = rows.flatMap((row) => [
    unsigned(0xd1, 1),
    ...row.map((value, at) => types[at]?.write(value) ?? Buffer.alloc(0)),
  ])
  return Buffer.concat([unsigned(0x81, 1), unsigned(columns.length, 2), ...heads, ...bodies])
}

const isNullable = 0x09

interface Type {
  readonly head: Buffer
  readonly write: (value: unknown) => Buffer
}

const latin1 = Buffer.from([9, 4, 0xd0, 0, 0x34])

const text: Type = {
  head: Buffer.concat([unsigned(0xe7, 1), unsigned(0xffff, 2), latin1]),
  write(value) {
    if (value === null) return Buffer.alloc(8, 0xff)
    const bytes = utf16(String(value))
    const chunk = bytes.length === 0 ? [] : [unsigned(bytes.length, 4), bytes]
    return Buffer.concat([unsigned(bytes.length, 8), ...chunk, unsigned(0, 4)])
  },
}

const decimalsOfSecond = 7

const types: readonly (readonly [declared: RegExp, type: Type])[] = [
  [/^INT/, counted([0x26, 4], integer)],
  [/^BIT/, counted([0x68, 1], (value) => unsigned(Number(value), 1))],
  [/^DATETIME/, counted([0x2a, decimalsOfSecond], instant)],
  [/^(TEXT|N?VARCHAR)/, text],
]

function typeOf(declared: string): Type {
  const found = types.find(([pattern]) => pattern.test(declared))
  if (found === undefined) throw new Error(`the stand-in does not support the type ${declared}`)
  return found[1]
}

/** A type whose values follow their length in bytes. */
function counted(head: readonly number[], bytesOf: (value: unknown) => Buffer): Type {
  return {
    head: Buffer.from(head),
    write(value) {
      if (value === null) return unsigned(0, 1)
      const bytes = bytesOf(value)
      return Buffer.concat([unsigned(bytes.length, 1), bytes])
    },
  }
}

function integer(value: unknown): Buffer {
  const buffer = Buffer.alloc(4)
  buffer.writeInt32LE(Number(value))
  return buffer
}

const dayMs = 86_400_000
const firstDayMs = Date.parse('0001-01-01T00:00:00Z')

/** Encodes a time in units of 100 ns since midnight and days since year 1. Times from SQLite functions lack T and Z. */
function instant(value: unknown): Buffer {
  const ms = Date.parse(String(value).replace(' ', 'T').replace(/Z?$/, 'Z')) - firstDayMs
  const steps = unsigned((ms % dayMs) * 10_000, 8).subarray(0, 5)
  return Buffer.concat([steps, unsigned(Math.floor(ms / dayMs), 4).subarray(0, 3)])
}
