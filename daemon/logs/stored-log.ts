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

/** An environment's lines on disk. The id of a line is the log offset after the line, at which the next line starts. */
export interface StoredLog {
  start(): number
  end(): number
  /** Returns the raw file offsets up to which the app's output is in the log. */
  consumed(): Consumed
  /** The raw file whose truncation the previous daemon did not complete. */
  readonly cutting: AppStream | null
  add(lines: readonly NewLine[]): Promise<void>
  /** Records new read offsets of the raw files. */
  mark(consumed: Consumed, cutting?: AppStream): Promise<void>
  /** Yields the lines between two offsets in batches. Returns `gone` if the lines were dropped. */
  read(from: number, to: number): AsyncGenerator<LogLine[], 'done' | 'gone'>
  /** Returns the newest lines in log order. */
  newest(count: number): Promise<LogLine[]>
  /** Resolves when lines are added, or when `signal` is aborted. */
  awaitChange(signal: AbortSignal): Promise<void>
  wakeReaders(): void
  close(): Promise<void>
}

/** Maximum size of a record: JSON escapes a control character with six bytes. */
const maxRecordBytes = 2 ** 20
/** Maximum size of one write. */
const batchBytes = 65_536

export async function openStoredLog(folder: string, limits: LogLimits): Promise<StoredLog> {
  const segments = await openSegments(folder, limits)
  const progress = await readProgress(segments)
  let { consumed } = progress
  let writing: Promise<unknown> = Promise.resolve()
  const waiting = new Set<() => void>()

  function wakeReaders(): void {
    for (const wake of [...waiting]) wake()
  }

  /** Appends batches in call order. A failed batch cancels the remaining batches of its call, but not later calls. */
  function append(batches: readonly Batch[]): Promise<void> {
    const written = writing.then(async () => {
      for (const { records, offsets } of batches) {
        await segments.append(records, () => encodeMark(consumed))
        consumed = { ...consumed, ...offsets }
        wakeReaders()
      }
    })
    writing = written.catch(() => {})
    return written
  }

  return {
    cutting: progress.cutting,
    start: segments.start,
    end: segments.end,
    consumed: () => consumed,
    wakeReaders,
    add: (lines) => append(toBatches(lines, Math.min(batchBytes, limits.segmentBytes))),
    mark: (next, cutting) =>
      append([{ records: encodeMark(next, cutting ?? null), offsets: next }]),
    async *read(from, to) {
      const splitter = createLineSplitter({ maxBytes: maxRecordBytes, offset: from })
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
      for await (const { offset, bytes } of segments.readBackwards()) {
        const lines = linesIn(bytes, offset).slice(-missing)
        found.unshift(lines)
        missing -= lines.length
        if (missing <= 0) break
      }
      return found.flat()
    },
    awaitChange: (signal) =>
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

/** Records of one write, with the raw file offsets after these records. */
interface Batch {
  records: string
  offsets: Partial<Record<AppStream, number>>
}

/** Groups lines into batches of at most `maxBytes`. A longer line gets its own batch. */
function toBatches(lines: readonly NewLine[], maxBytes: number): Batch[] {
  const batches: Batch[] = []
  for (const line of lines) {
    const record = encodeLine(line)
    let batch = batches.at(-1)
    if (!batch || batch.records.length + record.length > maxBytes) {
      batch = { records: '', offsets: {} }
      batches.push(batch)
    }
    batch.records += record
    if (line.raw !== undefined && line.stream !== 'build') batch.offsets[line.stream] = line.raw
  }
  return batches
}

function linesIn(bytes: Buffer, offset: number): LogLine[] {
  const splitter = createLineSplitter({ maxBytes: maxRecordBytes, offset })
  return splitter.push(bytes).flatMap(toLogLine)
}

function toLogLine({ text, end }: { text: string; end: number }): LogLine[] {
  const record = decodeRecord(text)
  if (record?.kind !== 'line') return []
  const { ts, stream, line } = record
  return [{ id: end, ts, stream, line }]
}

/** Returns the read offsets of the raw files, recovered from the newest records. */
async function readProgress(
  segments: Segments,
): Promise<{ consumed: Consumed; cutting: AppStream | null }> {
  const found: Partial<Record<AppStream, number>> = {}
  for await (const { bytes } of segments.readBackwards()) {
    const records = createLineSplitter({ maxBytes: maxRecordBytes }).push(bytes)
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
