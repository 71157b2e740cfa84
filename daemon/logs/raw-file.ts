import { fstatSync, ftruncateSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { LogLimits } from './limits.ts'
import { createLineSplitter, type SplitLine } from './line-splitter.ts'

/** Result of one read of an app's raw output. */
export interface RawRead {
  readonly lines: readonly SplitLine[]
  readonly bytes: number
  /** Bytes skipped because the app writes faster than the log accepts. */
  readonly skipped: number
  /** Time of the app's last write, in milliseconds since 1970. */
  readonly writtenAt: number
  /** Offset of the next read. The bytes before it are in complete lines, or pending as the start of a line. */
  readonly position: number
}

export interface RawFile {
  /** Returns the next block, or undefined if there is no new output. */
  read(): Promise<RawRead | undefined>
  /** Returns the last line if it has no line ending. */
  flush(): readonly SplitLine[]
  /** Returns true if `truncate` would truncate the file. */
  canTruncate(forceAtBytes: number): boolean
  /**
   * Truncates the file if all of it was read or if it has at least `forceAtBytes`. Returns the number of lost (unread)
   * bytes, or undefined if the file is unchanged.
   */
  truncate(forceAtBytes: number): number | undefined
  close(): Promise<void>
}

const blockBytes = 65_536
/** Number of the newest bytes to read if the backlog is too large; older bytes are skipped. */
const floodTailBytes = 262_144

/** Opens an app's raw output at an offset. Returns undefined if the file does not exist. */
export async function openRawFile(
  path: string,
  offset: number,
  limits: Pick<LogLimits, 'lineBytes' | 'backlogBytes'>,
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
  { lineBytes, backlogBytes }: Pick<LogLimits, 'lineBytes' | 'backlogBytes'>,
): RawFile {
  let splitter = createLineSplitter({ maxBytes: lineBytes, offset })
  let position = offset

  return {
    async read() {
      const { size, mtimeMs } = await handle.stat()
      if (size <= position) return undefined
      const behind = size - position
      const skipped = behind > backlogBytes ? behind - Math.min(floodTailBytes, backlogBytes) : 0
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
    canTruncate,
    truncate(forceAtBytes) {
      if (!canTruncate(forceAtBytes)) return undefined
      // Keep these two calls synchronous and adjacent: output that the app writes in between is lost.
      const { size } = fstatSync(handle.fd)
      ftruncateSync(handle.fd)
      const lost = size - position
      position = 0
      splitter = createLineSplitter({ maxBytes: lineBytes })
      return lost
    },
    close: () => handle.close(),
  }
  function canTruncate(forceAtBytes: number): boolean {
    const { size } = fstatSync(handle.fd)
    return size <= position || size >= forceAtBytes
  }
}
