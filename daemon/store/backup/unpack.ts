import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Parser, type ReadEntry } from 'tar'
import { DaemonError } from '../../errors.ts'
import { isPlainPath } from './entry-path.ts'
import { databaseName, dataName, indexName, keyName, manifestName } from './manifest.ts'

/** Size limit of each file in bytes. The limit of the tar bounds the other files. */
const limits: Readonly<Record<string, number>> = {
  [manifestName]: 8 * 2 ** 20,
  [keyName]: 256,
  [databaseName]: Number.POSITIVE_INFINITY,
  [indexName]: Number.POSITIVE_INFINITY,
}

/** Maximum length of a path in the tar, in bytes. */
const maxPathBytes = 2_200

/**
 * Streams a tar into `folder`. Writes only the files of a backup. Leaves out folders and links of the data: the index
 * lists them. Throws DaemonError `too-large` past `maxBytes`, and `bad-request` if the tar is malformed, truncated, or
 * has an unknown or repeated entry.
 */
export async function unpackArchive(
  body: NodeJS.ReadableStream,
  folder: string,
  maxBytes: number,
): Promise<void> {
  const parser = new Parser({ strict: true, brotli: false, zstd: false })
  const stop = new AbortController()
  const seen = new Set<string>()
  let failed: (error: Error) => void = () => {}
  const failure = new Promise<never>((_, reject) => {
    failed = (error) => reject(toDaemonError(error))
  })
  failure.catch(() => {})
  parser.on('error', failed)
  const next = (event: 'drain' | 'end') =>
    Promise.race([new Promise((resolve) => parser.once(event, resolve)), failure])
  const writing = new Set<Promise<void>>()

  parser.on('entry', (entry: ReadEntry) => {
    const fault = faultOf(entry, seen)
    if (fault !== undefined) {
      entry.resume()
      parser.abort(new DaemonError('bad-request', fault))
      return
    }
    if (entry.type !== 'File' && entry.type !== 'OldFile') {
      entry.resume()
      return
    }
    if (Object.hasOwn(limits, entry.path)) seen.add(entry.path)
    const written = writeEntry(entry, join(folder, entry.path), stop.signal).catch(failed)
    writing.add(written)
    written.finally(() => writing.delete(written))
  })

  try {
    let bytes = 0
    for await (const chunk of body) {
      const data = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
      if (bytes === 0) refuseCompressed(data)
      bytes += data.length
      if (bytes > maxBytes) throw tooLarge(maxBytes)
      if (!parser.write(data)) await next('drain')
      // Small files fit into the parser's buffers: wait for them, so that few files are open at a time.
      if (writing.size > maxOpenFiles) await Promise.race([Promise.all(writing), failure])
    }
    const ended = next('end')
    parser.end()
    await ended
    await Promise.race([Promise.all(writing), failure])
  } catch (error) {
    stop.abort()
    await Promise.allSettled(writing)
    throw error
  }
}

const maxOpenFiles = 64

async function writeEntry(entry: ReadEntry, path: string, signal: AbortSignal): Promise<void> {
  const source = Readable.from(entry, { objectMode: false })
  // `stage` flushes the whole disk at the end, which is faster than each file.
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await pipeline(source, createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal })
}

export function tooLarge(maxBytes: number): DaemonError {
  return new DaemonError(
    'too-large',
    `the backup is larger than ${maxBytes} bytes: set SERVICE_RESTORE_MAX_BYTES to its size or more, and restart the daemon`,
  )
}

function faultOf({ type, path, size }: ReadEntry, seen: ReadonlySet<string>): string | undefined {
  if (path.startsWith(`${dataName}/`)) return faultOfData(type, path)
  const limit = Object.hasOwn(limits, path) ? limits[path] : undefined
  if (limit === undefined) return 'the tar contains a file that does not belong to a backup'
  if (type !== 'File' && type !== 'OldFile') return `${path} in the tar is not a regular file`
  if (seen.has(path)) return `${path} is in the tar twice`
  return size > limit ? `${path} in the tar is too large` : undefined
}

const dataTypes: readonly string[] = ['File', 'OldFile', 'Directory', 'SymbolicLink', 'Link']

function faultOfData(type: string, path: string): string | undefined {
  const plain = type === 'Directory' ? path.replace(/\/$/, '') : path
  const isInVolume = /^data\/[1-9]\d{0,14}\/[A-Za-z0-9-]+(\/|$)/.test(plain)
  if (!isInVolume || !isPlainPath(plain) || Buffer.byteLength(path) > maxPathBytes) {
    return 'the tar contains a path that leads out of its folder, or is too long'
  }
  return dataTypes.includes(type) ? undefined : 'the tar contains an entry that is no file'
}

/** Reject a compressed tar: the parser would decompress it without a size limit. */
function refuseCompressed(first: Buffer): void {
  if (first[0] === 0x1f || first[0] === 0x28) {
    throw new DaemonError('bad-request', 'the backup is compressed: send the original tar')
  }
}

function toDaemonError(error: Error): Error {
  if (error instanceof DaemonError) return error
  const code = 'code' in error ? error.code : undefined
  if (code === 'ENOSPC' || code === 'EDQUOT') return diskFull(error)
  if (code === 'ABORT_ERR') return error
  const message =
    code === 'EEXIST' || code === 'ENOTDIR' || code === 'EISDIR'
      ? 'the tar contains a file twice, or a file as a folder'
      : 'the body is not a complete tar'
  return new DaemonError('bad-request', message, { cause: error })
}

/** Returns the error of a disk that became full during the upload. */
export function diskFull(cause: unknown): DaemonError {
  const message = 'the disk of the data folder is too small for the backup: free some space'
  return new DaemonError('unavailable', message, { cause })
}
