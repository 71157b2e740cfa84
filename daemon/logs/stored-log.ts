import type { LogLine } from '../ports.ts'
import type { LogLimits } from './limits.ts'
import { createLineSplitter } from './line-splitter.ts'
import {
  type AppStream,
  type Consumed,
  decodeRecord,
  encodeLine,
  encodeMark,
  type NewLine,
} from './record.ts'
import { openSegments, type Segments } from './segments.ts'

/** An environment's lines on disk. The id of a line is the offset after it: reading after an id begins right there. */
export interface StoredLog {
  start(): number
  end(): number
  /** What of the app's raw output is in the log. */
  consumed(): Consumed
  /** The raw file that was about to be cut when the daemon died. */
  readonly cutting: AppStream | null
  add(lines: readonly NewLine[]): Promise<void>
  /** Notes that reading of the raw files goes on elsewhere. */
  mark(consumed: Consumed, cutting?: AppStream): Promise<void>
  /** The lines from one offset to another in portions; ends with `gone` when they are not kept any more. */
  read(from: number, to: number): AsyncGenerator<LogLine[], 'done' | 'gone'>
  /** The newest lines, the oldest of them first. */
  newest(count: number): Promise<LogLine[]>
  /** Resolves when something was added or `signal` is aborted. */
  changed(signal: AbortSignal): Promise<void>
  wakeReaders(): void
  close(): Promise<void>
}

/** No record is longer: a line of controls only takes six times its bytes. */
const recordBytes = 2 ** 20
/** So much is written at once. */
const portionBytes = 65_536

export async function openStoredLog(folder: string, limits: LogLimits): Promise<StoredLog> {
  const segments = await openSegments(folder, limits)
  const booked = await readBooked(segments)
  let { consumed } = booked
  let writing: Promise<unknown> = Promise.resolve()
  const waiting = new Set<() => void>()

  function wakeReaders(): void {
    for (const wake of [...waiting]) wake()
  }

  /** Portions are written one after the other, in the order they were asked for; none after one that failed. */
  function append(portions: readonly Portion[]): Promise<void> {
    const written = writing.then(async () => {
      for (const { records, places } of portions) {
        await segments.append(records, () => encodeMark(consumed))
        consumed = { ...consumed, ...places }
        wakeReaders()
      }
    })
    writing = written.catch(() => {})
    return written
  }

  return {
    cutting: booked.cutting,
    start: segments.start,
    end: segments.end,
    consumed: () => consumed,
    wakeReaders,
    add: (lines) => append(portionsOf(lines, Math.min(portionBytes, limits.segmentBytes))),
    mark: (next, cutting) => append([{ records: encodeMark(next, cutting ?? null), places: next }]),
    async *read(from, to) {
      const splitter = createLineSplitter({ maxBytes: recordBytes, offset: from })
      for (let position = from; position < to; ) {
        const block = await segments.read(position, to)
        if (!block || block.length === 0) return 'gone'
        position += block.length
        yield splitter.push(block).flatMap(toLogLine)
      }
      return 'done'
    },
    async newest(count) {
      const found: LogLine[][] = []
      let missing = count
      if (count <= 0) return []
      for await (const { offset, bytes } of segments.backwards()) {
        const lines = linesIn(bytes, offset).slice(-missing)
        found.unshift(lines)
        missing -= lines.length
        if (missing <= 0) break
      }
      return found.flat()
    },
    changed: (signal) =>
      new Promise((resolve) => {
        const wake = () => {
          waiting.delete(wake)
          signal.removeEventListener('abort', wake)
          resolve()
        }
        if (signal.aborted) return resolve()
        waiting.add(wake)
        signal.addEventListener('abort', wake)
      }),
    async close() {
      await writing
      await segments.close()
    },
  }
}

/** Records to be written at once, with the offsets of the raw files that they stand for. */
interface Portion {
  records: string
  places: Partial<Record<AppStream, number>>
}

/** Portions of at most `mostBytes`, but for a single line that is longer. */
function portionsOf(lines: readonly NewLine[], mostBytes: number): Portion[] {
  const portions: Portion[] = []
  for (const line of lines) {
    const record = encodeLine(line)
    let portion = portions.at(-1)
    if (!portion || portion.records.length + record.length > mostBytes) {
      portion = { records: '', places: {} }
      portions.push(portion)
    }
    portion.records += record
    if (line.raw !== undefined && line.stream !== 'build') portion.places[line.stream] = line.raw
  }
  return portions
}

function linesIn(bytes: Buffer, offset: number): LogLine[] {
  const splitter = createLineSplitter({ maxBytes: recordBytes, offset })
  return splitter.push(bytes).flatMap(toLogLine)
}

function toLogLine({ text, end }: { text: string; end: number }): LogLine[] {
  const record = decodeRecord(text)
  if (record?.kind !== 'line') return []
  const { ts, stream, line } = record
  return [{ id: end, ts, stream, line }]
}

/** How far reading of the raw files had come, from the newest records: each segment begins with a mark. */
async function readBooked(
  segments: Segments,
): Promise<{ consumed: Consumed; cutting: AppStream | null }> {
  const found: Partial<Record<AppStream, number>> = {}
  for await (const { bytes } of segments.backwards()) {
    const records = createLineSplitter({ maxBytes: recordBytes }).push(bytes)
    for (const { text } of records.reverse()) {
      const record = decodeRecord(text)
      if (record?.kind === 'mark') {
        const isNewest = Object.keys(found).length === 0
        return {
          consumed: { ...record.consumed, ...found },
          cutting: isNewest ? record.cutting : null,
        }
      }
      if (record?.raw !== undefined && record.stream !== 'build')
        found[record.stream] ??= record.raw
    }
    if (found.stdout !== undefined && found.stderr !== undefined) break
  }
  return { consumed: { stdout: found.stdout ?? 0, stderr: found.stderr ?? 0 }, cutting: null }
}
