import { type FileHandle, mkdir, open, readdir, rm, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { blocksBackwards, readAt } from './blocks.ts'

/** The bytes of a log that are kept: a run of files, each named by the offset of its first byte in the whole log. */
export interface Segments {
  /** Offset of the oldest byte that is kept. */
  start(): number
  /** Offset after the newest. */
  end(): number
  /** Adds whole records (texts that end with LF); `mark` makes the record that a new segment begins with. One call at a time. */
  append(records: string, mark: () => string): Promise<void>
  /** Bytes from `from` on, as many as one block has; undefined when they are not kept any more. No file stays open. */
  read(from: number, to: number): Promise<Buffer | undefined>
  /** Blocks of whole records from the newest to the oldest, each with the offset of its first byte. */
  backwards(): AsyncGenerator<{ offset: number; bytes: Buffer }>
  close(): Promise<void>
}

interface Segment {
  readonly start: number
  size: number
}

const blockBytes = 65_536
const namePattern = /^(\d{16})\.jsonl$/

/**
 * Opens the segments in a folder, which need not exist. A record that a dying daemon wrote half is taken away: nobody has
 * seen it. The newest segment is open for writing from the first append to `close`.
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
  if (newest) await cutTornRecord(path(newest), newest)

  async function append(records: string, mark: () => string): Promise<void> {
    const last = segments.at(-1)
    const isFull =
      !last || (last.size > 0 && last.size + Buffer.byteLength(records) > limits.segmentBytes)
    if (isFull) await begin()
    else handle ??= await open(path(last), 'a', 0o600)
    const current = segments.at(-1)
    if (!handle || !current) throw new Error('no segment is open')
    const bytes = Buffer.from(current.size === 0 ? mark() + records : records)
    try {
      await handle.appendFile(bytes)
    } catch (error) {
      // A full disk takes half of it.
      await handle.truncate(current.size)
      throw error
    }
    current.size += bytes.length
  }

  async function begin(): Promise<void> {
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
    async *backwards() {
      for (const segment of [...segments].reverse()) {
        for await (const { offset, bytes } of blocksBackwards(path(segment), segment.size)) {
          yield { offset: segment.start + offset, bytes }
        }
      }
    },
  }
}

async function findSegments(folder: string): Promise<Segment[]> {
  const names = await readdir(folder).catch(none)
  const starts = names.flatMap((name) => namePattern.exec(name)?.[1] ?? [])
  return Promise.all(
    starts.sort().map(async (text) => {
      const { size } = await stat(join(folder, `${text}.jsonl`))
      return { start: Number(text), size }
    }),
  )
}

function none(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENOENT') return []
  throw error
}

async function cutTornRecord(path: string, segment: Segment): Promise<void> {
  for await (const { offset, bytes } of blocksBackwards(path, segment.size)) {
    const whole = offset + bytes.lastIndexOf(0x0a) + 1
    if (whole < segment.size) await truncate(path, whole)
    segment.size = whole
    return
  }
}
