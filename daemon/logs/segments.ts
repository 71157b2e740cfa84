import { type FileHandle, mkdir, open, readdir, rm, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { readAt, readBlocksBackwards } from './read-backwards.ts'

/** The retained bytes of a log: consecutive files, each named by the log offset of its first byte. */
export interface Segments {
  /** Returns the offset of the oldest retained byte. */
  start(): number
  /** Returns the offset after the newest byte. */
  end(): number
  /**
   * Appends complete records (each ends with LF). `mark` returns the first record of a new segment. Not reentrant: wait
   * for the previous call.
   */
  append(records: string, mark: () => string): Promise<void>
  /** Returns up to one block of bytes from `from`, or undefined if they were dropped. Keeps no file open. */
  read(from: number, to: number): Promise<Buffer | undefined>
  /** Yields blocks of complete records from the newest to the oldest, each with the offset of its first byte. */
  readBackwards(): AsyncGenerator<{ offset: number; bytes: Buffer }>
  close(): Promise<void>
}

interface Segment {
  readonly start: number
  size: number
}

const blockBytes = 65_536
const namePattern = /^(\d{16})\.jsonl$/

/**
 * Opens the segments in a folder, which need not exist. Removes a torn record of a crashed daemon; no reader has seen
 * it. The newest segment is open for writing from the first append to `close`.
 */
export async function openSegments(
  folder: string,
  limits: { segmentBytes: number; maxBytes: number },
): Promise<Segments> {
  const segments = await findSegments(folder)
  let handle: FileHandle | undefined

  const path = ({ start }: Segment) => join(folder, `${String(start).padStart(16, '0')}.jsonl`)
  const end = () => {
    const last = segments.at(-1)
    return last ? last.start + last.size : 0
  }

  const newest = segments.at(-1)
  if (newest) await truncateTornRecord(path(newest), newest)

  async function append(records: string, mark: () => string): Promise<void> {
    const last = segments.at(-1)
    const isFull =
      !last || (last.size > 0 && last.size + Buffer.byteLength(records) > limits.segmentBytes)
    if (isFull) await startSegment()
    else handle ??= await open(path(last), 'a', 0o600)
    const current = segments.at(-1)
    if (!handle || !current) throw new Error('no segment is open')
    const bytes = Buffer.from(current.size === 0 ? mark() + records : records)
    try {
      await handle.appendFile(bytes)
    } catch (error) {
      // A full disk accepts only part of the bytes: remove the torn record.
      await handle.truncate(current.size)
      throw error
    }
    current.size += bytes.length
  }

  async function startSegment(): Promise<void> {
    await close()
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const segment = { start: end(), size: 0 }
    handle = await open(path(segment), 'a', 0o600)
    segments.push(segment)
    let total = segments.reduce((sum, { size }) => sum + size, limits.segmentBytes)
    while (segments.length > 1 && total > limits.maxBytes) {
      const [oldest] = segments.splice(0, 1)
      if (!oldest) return
      total -= oldest.size
      await rm(path(oldest), { force: true })
    }
  }

  async function close(): Promise<void> {
    const open = handle
    handle = undefined
    await open?.close()
  }

  return {
    start: () => segments[0]?.start ?? 0,
    end,
    append,
    close,
    async read(from, to) {
      const segment = segments.find(({ start, size }) => from >= start && from < start + size)
      if (!segment) return undefined
      const length = Math.min(blockBytes, to - from, segment.start + segment.size - from)
      return readAt(path(segment), from - segment.start, length)
    },
    async *readBackwards() {
      for (const segment of [...segments].reverse()) {
        for await (const { offset, bytes } of readBlocksBackwards(path(segment), segment.size)) {
          yield { offset: segment.start + offset, bytes }
        }
      }
    },
  }
}

async function findSegments(folder: string): Promise<Segment[]> {
  const names = await readdir(folder).catch(emptyIfAbsent)
  const starts = names.flatMap((name) => namePattern.exec(name)?.[1] ?? [])
  return Promise.all(
    starts.sort().map(async (text) => {
      const { size } = await stat(join(folder, `${text}.jsonl`))
      return { start: Number(text), size }
    }),
  )
}

function emptyIfAbsent(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENOENT') return []
  throw error
}

async function truncateTornRecord(path: string, segment: Segment): Promise<void> {
  for await (const { offset, bytes } of readBlocksBackwards(path, segment.size)) {
    const completeSize = offset + bytes.lastIndexOf(0x0a) + 1
    if (completeSize < segment.size) await truncate(path, completeSize)
    segment.size = completeSize
    return
  }
}
