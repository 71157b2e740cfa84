import { once } from 'node:events'
import { fstatSync, readSync } from 'node:fs'
import type { Writable } from 'node:stream'
import { encodeFrame, type FileFrame, type Frame } from '../frames.ts'

const chunkBytes = 256 * 1024

/** Writes messages and file contents, and waits for the receiver. */
export interface Sender {
  send(frame: Frame): Promise<void>
  /**
   * Sends an open file with exactly the size at its start. Bytes appended later are left out, and missing bytes are
   * padded with zeros.
   */
  sendFile(file: number, frame: Pick<FileFrame, 'path' | 'mode' | 'isDatabase'>): Promise<void>
}

export function createSender(target: Writable): Sender {
  async function write(data: Buffer): Promise<void> {
    if (!target.write(data)) await once(target, 'drain')
  }

  async function sendFile(
    file: number,
    frame: Pick<FileFrame, 'path' | 'mode' | 'isDatabase'>,
  ): Promise<void> {
    const { size: bytes, mtimeMs } = fstatSync(file)
    await write(encodeFrame({ kind: 'file', ...frame, mtime: Math.floor(mtimeMs), bytes }))
    let padded = 0
    for (let offset = 0; offset < bytes; ) {
      const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, bytes - offset))
      const read = padded > 0 ? 0 : readSome(file, chunk, offset)
      if (read === 0) padded += chunk.fill(0).length
      await write(read === 0 ? chunk : chunk.subarray(0, read))
      offset += read === 0 ? chunk.length : read
    }
    await write(encodeFrame({ kind: 'end', padded }))
  }

  return { send: (frame) => write(encodeFrame(frame)), sendFile }
}

/** Returns 0 at the end of the file, and for a fault of the disk: the receiver expects the announced size. */
function readSome(file: number, chunk: Buffer, offset: number): number {
  try {
    return readSync(file, chunk, 0, chunk.length, offset)
  } catch {
    return 0
  }
}
