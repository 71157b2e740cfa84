import { open } from 'node:fs/promises'

const blockBytes = 65_536

/** Returns up to `length` bytes of a file from `position`, or undefined if the file does not exist. */
export async function readAt(
  path: string,
  position: number,
  length: number,
): Promise<Buffer | undefined> {
  const handle = await open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (!handle) return undefined
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, position)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

/**
 * Yields the first `size` bytes of a file in blocks, from the end to the start. Each block begins at the start of a
 * line. The first block includes an incomplete last line. Ends early if the file is removed.
 */
export async function* readBlocksBackwards(
  path: string,
  size: number,
): AsyncGenerator<{ offset: number; bytes: Buffer }> {
  let position = size
  let tail: Buffer = Buffer.alloc(0)
  while (position > 0) {
    const length = Math.min(blockBytes, position)
    const block = await readAt(path, position - length, length)
    if (!block || block.length < length) return
    position -= length
    const bytes = Buffer.concat([block, tail])
    const lineStart = position === 0 ? 0 : bytes.indexOf(0x0a) + 1
    // The line is longer than the block: its start is in a previous block of the file.
    const cut = position > 0 && lineStart === 0 ? bytes.length : lineStart
    tail = Buffer.from(bytes.subarray(0, cut))
    if (cut < bytes.length) yield { offset: position + cut, bytes: bytes.subarray(cut) }
  }
}
