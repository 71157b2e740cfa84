import type { AppStream, NewLine } from '../../logs/record.ts'

/** Splits the engine's log stream (frames of 8 bytes head, then `<time> <text>`) into lines with the engine's times. */
export interface LogFrames {
  push(chunk: Buffer): NewLine[]
  /** Returns the last lines if they have no line ending. */
  flush(): NewLine[]
}

/** Maximum length of a line in characters; a longer one is cut into several. */
const maxLine = 16_384
const headBytes = 8
/** A frame above this length is a protocol error: the engine cuts lines at 16 KiB. */
const maxFrame = 4 * 2 ** 20

export function createLogFrames(): LogFrames {
  let rest: Buffer = Buffer.alloc(0)
  const partial: Partial<Record<AppStream, { ts: string; line: string }>> = {}

  function take(stream: AppStream, payload: string): NewLine[] {
    const lines: NewLine[] = []
    const space = payload.indexOf(' ')
    const ts = payload.slice(0, space)
    const text = payload.slice(space + 1)
    const open = partial[stream] ?? { ts, line: '' }
    const isComplete = text.endsWith('\n')
    const line = open.line + (isComplete ? text.slice(0, -1) : text)
    if (isComplete || line.length >= maxLine) {
      lines.push({ ts: open.ts, stream, line: line.replace(/\r$/, '') })
      delete partial[stream]
    } else {
      partial[stream] = { ts: open.ts, line }
    }
    return lines
  }

  return {
    push(chunk) {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      const lines: NewLine[] = []
      let at = 0
      while (rest.length - at >= headBytes) {
        const length = rest.readUInt32BE(at + 4)
        if (length > maxFrame) throw new Error(`a log frame of ${length} bytes: expected fewer`)
        if (rest.length - at < headBytes + length) break
        const stream = rest[at] === 2 ? 'stderr' : 'stdout'
        const payload = rest.toString('utf8', at + headBytes, at + headBytes + length)
        lines.push(...take(stream, payload))
        at += headBytes + length
      }
      rest = rest.subarray(at)
      return lines
    },
    flush() {
      const left = (['stdout', 'stderr'] as const).flatMap((stream) => {
        const open = partial[stream]
        delete partial[stream]
        return open ? [{ ...open, stream }] : []
      })
      return left
    },
  }
}
