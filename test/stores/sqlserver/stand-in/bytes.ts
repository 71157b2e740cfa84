/** Encodes an unsigned integer in little-endian order, as TDS does except in packet headers. */
export function unsigned(value: number | bigint, bytes: 1 | 2 | 4 | 8): Buffer {
  const buffer = Buffer.alloc(8)
  buffer.writeBigUInt64LE(BigInt(value))
  return buffer.subarray(0, bytes)
}

export function utf16(text: string): Buffer {
  return Buffer.from(text, 'utf16le')
}

/** Encodes a text of at most 255 UTF-16 units, after its length in one byte. */
export function shortText(text: string): Buffer {
  return Buffer.concat([unsigned(text.length, 1), utf16(text)])
}

/** Encodes a text of at most 65,535 UTF-16 units, after its length in two bytes. */
export function longText(text: string): Buffer {
  return Buffer.concat([unsigned(text.length, 2), utf16(text)])
}

/** Reads a buffer sequentially. */
export interface Reader {
  readonly take: (bytes: number) => Buffer
  readonly number: (bytes: 1 | 2 | 4) => number
  readonly text: (letters: number) => string
  readonly isAtEnd: () => boolean
}

/** Creates a reader. Each read throws if the buffer is too short. */
export function readerOf(buffer: Buffer): Reader {
  let at = 0
  const take = (bytes: number) => {
    if (at + bytes > buffer.length) throw new Error('the message is truncated')
    at += bytes
    return buffer.subarray(at - bytes, at)
  }
  return {
    take,
    number: (bytes) => take(bytes).readUIntLE(0, bytes),
    text: (letters) => take(letters * 2).toString('utf16le'),
    isAtEnd: () => at === buffer.length,
  }
}
