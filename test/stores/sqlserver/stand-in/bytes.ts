/** A whole number without a sign; little-endian, as all of TDS is but the headers of its packets. */
export function unsigned(value: number | bigint, bytes: 1 | 2 | 4 | 8): Buffer {
  const buffer = Buffer.alloc(8)
  buffer.writeBigUInt64LE(BigInt(value))
  return buffer.subarray(0, bytes)
}

export function utf16(text: string): Buffer {
  return Buffer.from(text, 'utf16le')
}

/** A text of at most 255 letters, behind their number. */
export function shortText(text: string): Buffer {
  return Buffer.concat([unsigned(text.length, 1), utf16(text)])
}

/** A text of at most 65,535 letters, behind their number. */
export function longText(text: string): Buffer {
  return Buffer.concat([unsigned(text.length, 2), utf16(text)])
}

/** Reads a buffer from its begin to its end. */
export interface Reader {
  readonly take: (bytes: number) => Buffer
  readonly number: (bytes: 1 | 2 | 4) => number
  readonly text: (letters: number) => string
  readonly isAtEnd: () => boolean
}

/** Throws, of each read, where the buffer ends before it. */
export function readerOf(buffer: Buffer): Reader {
  let at = 0
  const take = (bytes: number) => {
    if (at + bytes > buffer.length) throw new Error('the message ends too soon')
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
