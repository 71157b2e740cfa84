export interface SplitLine {
  readonly text: string
  /** Byte offset in the stream, directly after the line ending. */
  readonly end: number
}

export interface LineSplitter {
  /** Adds bytes and returns the completed lines. The caller may reuse the buffer. */
  push(chunk: Uint8Array): SplitLine[]
  /** Returns the last line if it has no line ending. */
  flush(): SplitLine[]
  /** Continues at a later offset. Drops the pending bytes and the partial line at the new offset. */
  skipTo(offset: number): void
}

const lineFeed = 0x0a
const carriageReturn = 0x0d

/**
 * Splits a byte stream into lines, independent of the chunk borders. LF and CR LF end a line. A line longer than
 * `maxBytes` is split between two characters. Invalid UTF-8 becomes U+FFFD.
 */
export function createLineSplitter({
  maxBytes = 16_384,
  offset = 0,
}: {
  maxBytes?: number
  /** Stream offset of the first byte. */
  offset?: number
} = {}): LineSplitter {
  let pending: Buffer = Buffer.alloc(0)
  let pendingStart = offset
  let isSkipping = false
  let skipped = 0

  return {
    push(chunk) {
      const bytes = isSkipping ? dropUntilLineEnd(chunk) : chunk
      const data = pending.length > 0 ? Buffer.concat([pending, bytes]) : asBuffer(bytes)
      const lines: SplitLine[] = []
      let from = 0
      for (;;) {
        const end = data.indexOf(lineFeed, from)
        if (end === -1) break
        addLines(lines, data, from, end + 1)
        from = end + 1
      }
      // Keep one byte beyond the limit: it may be the CR of a line ending.
      while (data.length - from > maxBytes + 1) from = addPiece(lines, data, from)
      pending = Buffer.from(data.subarray(from))
      pendingStart += from
      return lines
    },
    flush() {
      const lines: SplitLine[] = []
      addLines(lines, pending, 0, pending.length)
      pendingStart += pending.length
      pending = Buffer.alloc(0)
      return lines
    },
    skipTo(next) {
      pending = Buffer.alloc(0)
      pendingStart = next
      isSkipping = true
      skipped = 0
    },
  }

  /** Adds the line from `from` to `to`. Splits an overlong line into pieces. */
  function addLines(lines: SplitLine[], data: Buffer, from: number, to: number): void {
    const contentEnd = findContentEnd(data, from, to)
    let start = from
    while (contentEnd - start > maxBytes) start = addPiece(lines, data, start)
    if (start < to) {
      lines.push({ text: data.toString('utf8', start, contentEnd), end: pendingStart + to })
    }
  }

  /** Adds a piece of at most `maxBytes`. Returns the start of the next piece. */
  function addPiece(lines: SplitLine[], data: Buffer, from: number): number {
    const cut = findCut(data, from, maxBytes)
    lines.push({ text: data.toString('utf8', from, cut), end: pendingStart + cut })
    return cut
  }

  /** Drops bytes up to a line ending, but no more than `maxBytes`: a text without line endings must not be lost. */
  function dropUntilLineEnd(chunk: Uint8Array): Uint8Array {
    const end = chunk.indexOf(lineFeed)
    const from = end === -1 ? chunk.length : end + 1
    skipped += from
    pendingStart += from
    isSkipping = end === -1 && skipped <= maxBytes
    return chunk.subarray(from)
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function findContentEnd(data: Buffer, from: number, to: number): number {
  const end = to > from && data[to - 1] === lineFeed ? to - 1 : to
  return end > from && data[end - 1] === carriageReturn ? end - 1 : end
}

/** Returns the offset of the last character boundary within `maxBytes`; in invalid UTF-8, `from + maxBytes`. */
function findCut(data: Buffer, from: number, maxBytes: number): number {
  const cut = from + maxBytes
  for (let at = cut; at > Math.max(from, cut - 4); at -= 1) {
    if (((data[at] ?? 0) & 0xc0) !== 0x80) return at
  }
  return cut
}
