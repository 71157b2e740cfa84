export interface SplitLine {
  readonly text: string
  /** Offset in the stream of bytes just after the line and its ending. */
  readonly end: number
}

export interface LineSplitter {
  /** Takes the next bytes, which may be overwritten afterwards; the lines that are complete with them. */
  push(chunk: Uint8Array): SplitLine[]
  /** What is left without a line ending. */
  flush(): SplitLine[]
  /** Goes on at a later offset: what was left is dropped, and so is the rest of the line there. */
  skipTo(offset: number): void
}

const lineFeed = 0x0a
const carriageReturn = 0x0d

/**
 * Makes lines of a stream of bytes, the same ones however it is cut into chunks. LF and CR LF end a line; one longer
 * than `maxBytes` goes on in the next, cut between characters; bytes that are no UTF-8 become U+FFFD.
 */
export function createLineSplitter({
  maxBytes = 16_384,
  offset = 0,
}: {
  maxBytes?: number
  /** Of the first byte that will come. */
  offset?: number
} = {}): LineSplitter {
  let rest: Buffer = Buffer.alloc(0)
  let restStart = offset
  let isSkipping = false
  let skipped = 0

  return {
    push(chunk) {
      const bytes = isSkipping ? afterLineEnd(chunk) : chunk
      const data = rest.length > 0 ? Buffer.concat([rest, bytes]) : asBuffer(bytes)
      const lines: SplitLine[] = []
      let from = 0
      for (;;) {
        const end = data.indexOf(lineFeed, from)
        if (end === -1) break
        addLines(lines, data, from, end + 1)
        from = end + 1
      }
      // One byte more than fits may be the CR of a line ending.
      while (data.length - from > maxBytes + 1) from = addPiece(lines, data, from)
      rest = Buffer.from(data.subarray(from))
      restStart += from
      return lines
    },
    flush() {
      const lines: SplitLine[] = []
      addLines(lines, rest, 0, rest.length)
      restStart += rest.length
      rest = Buffer.alloc(0)
      return lines
    },
    skipTo(next) {
      rest = Buffer.alloc(0)
      restStart = next
      isSkipping = true
      skipped = 0
    },
  }

  /** Adds what lies from `from` to `to`, cut where it is too long. */
  function addLines(lines: SplitLine[], data: Buffer, from: number, to: number): void {
    const contentEnd = endOfContent(data, from, to)
    let start = from
    while (contentEnd - start > maxBytes) start = addPiece(lines, data, start)
    if (start < to) {
      lines.push({ text: data.toString('utf8', start, contentEnd), end: restStart + to })
    }
  }

  /** Adds as much as a line may have, and gives where the next begins. */
  function addPiece(lines: SplitLine[], data: Buffer, from: number): number {
    const cut = cutBefore(data, from, maxBytes)
    lines.push({ text: data.toString('utf8', from, cut), end: restStart + cut })
    return cut
  }

  /** A text without any line ending must not be dropped for ever. */
  function afterLineEnd(chunk: Uint8Array): Uint8Array {
    const end = chunk.indexOf(lineFeed)
    const from = end === -1 ? chunk.length : end + 1
    skipped += from
    restStart += from
    isSkipping = end === -1 && skipped <= maxBytes
    return chunk.subarray(from)
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function endOfContent(data: Buffer, from: number, to: number): number {
  const end = to > from && data[to - 1] === lineFeed ? to - 1 : to
  return end > from && data[end - 1] === carriageReturn ? end - 1 : end
}

/** Where to cut so that no character of up to four bytes is torn; in what is no UTF-8, after `maxBytes`. */
function cutBefore(data: Buffer, from: number, maxBytes: number): number {
  const cut = from + maxBytes
  for (let at = cut; at > Math.max(from, cut - 4); at -= 1) {
    if (((data[at] ?? 0) & 0xc0) !== 0x80) return at
  }
  return cut
}
