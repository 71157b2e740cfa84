import { fstatSync, ftruncateSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { LogLimits } from './limits.ts'
import { createLineSplitter, type SplitLine } from './line-splitter.ts'

/** What a read of an app's raw output gave. */
export interface RawRead {
  readonly lines: readonly SplitLine[]
  readonly bytes: number
  /** Bytes that were skipped, because more was written than the log takes. */
  readonly skipped: number
  /** When the app wrote last, in milliseconds since 1970. */
  readonly writtenAt: number
  /** Where the next read begins: all before it is in lines, or is the start of one. */
  readonly position: number
}

export interface RawFile {
  /** The next block; undefined when there is nothing new. */
  read(): Promise<RawRead | undefined>
  /** The last line, where it has no line ending. */
  flush(): readonly SplitLine[]
  /** Whether `cut` would empty it. */
  canCut(atAnyRate: number): boolean
  /** Empties the file if all of it was read, or it has at least `atAnyRate` bytes; how many were not read, undefined if it was left. */
  cut(atAnyRate: number): number | undefined
  close(): Promise<void>
}

const blockBytes = 65_536
/** Of a flood, so much of the newest is shown. */
const keptBytes = 262_144

/** Opens an app's raw output at the offset where reading ended; undefined when there is none. */
export async function openRawFile(
  path: string,
  offset: number,
  limits: Pick<LogLimits, 'lineBytes' | 'behindBytes'>,
): Promise<RawFile | undefined> {
  const handle = await open(path, 'r+').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  return handle && createRawFile(handle, offset, limits)
}

function createRawFile(
  handle: FileHandle,
  offset: number,
  { lineBytes, behindBytes }: Pick<LogLimits, 'lineBytes' | 'behindBytes'>,
): RawFile {
  let splitter = createLineSplitter({ maxBytes: lineBytes, offset })
  let position = offset

  return {
    async read() {
      const { size, mtimeMs } = await handle.stat()
      if (size <= position) return undefined
      const behind = size - position
      const skipped = behind > behindBytes ? behind - Math.min(keptBytes, behindBytes) : 0
      if (skipped > 0) {
        position += skipped
        splitter.skipTo(position)
      }
      const length = Math.min(blockBytes, size - position)
      const { buffer, bytesRead } = await handle.read(
        Buffer.allocUnsafe(length),
        0,
        length,
        position,
      )
      position += bytesRead
      const lines = splitter.push(buffer.subarray(0, bytesRead))
      return { lines, bytes: bytesRead, skipped, writtenAt: mtimeMs, position }
    },
    flush: () => splitter.flush(),
    canCut,
    cut(atAnyRate) {
      if (!canCut(atAnyRate)) return undefined
      // One call right after the other: what the app writes between the two is lost.
      const { size } = fstatSync(handle.fd)
      ftruncateSync(handle.fd)
      const lost = size - position
      position = 0
      splitter = createLineSplitter({ maxBytes: lineBytes })
      return lost
    },
    close: () => handle.close(),
  }
  function canCut(atAnyRate: number): boolean {
    const { size } = fstatSync(handle.fd)
    return size <= position || size >= atAnyRate
  }
}
