import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Parser, type ReadEntry } from 'tar'
import { DaemonError } from '../../errors.ts'
import { databaseName, keyName, manifestName } from './manifest.ts'

/** Size limit of each file in bytes. The limit of the tar bounds the database. */
const limits: Readonly<Record<string, number>> = {
  [manifestName]: 64 * 1024,
  [keyName]: 256,
  [databaseName]: Number.POSITIVE_INFINITY,
}

/**
 * Streams a tar into `folder`. Writes only the files of a backup. Throws DaemonError `too-large` past `maxBytes`, and
 * `bad-request` if the tar is malformed, truncated, or has an unknown or repeated entry or a link.
 */
export async function unpackArchive(
  body: NodeJS.ReadableStream,
  folder: string,
  maxBytes: number,
): Promise<void> {
  const parser = new Parser({ strict: true, brotli: false, zstd: false })
  const stop = new AbortController()
  const seen = new Set<string>()
  const written: Promise<void>[] = []
  const failed = new Promise<never>((_, reject) => {
    parser.on('error', (error: Error) => reject(toDaemonError(error)))
  })
  failed.catch(() => {})
  const next = (event: 'drain' | 'end') =>
    Promise.race([new Promise((resolve) => parser.once(event, resolve)), failed])

  parser.on('entry', (entry: ReadEntry) => {
    const fault = faultOf(entry, seen)
    if (fault !== undefined) {
      entry.resume()
      parser.abort(new DaemonError('bad-request', fault))
      return
    }
    seen.add(entry.path)
    const target = createWriteStream(join(folder, entry.path), {
      flags: 'wx',
      mode: 0o600,
      flush: true,
    })
    const writing = pipeline(Readable.from(entry, { objectMode: false }), target, {
      signal: stop.signal,
    })
    writing.catch(() => {})
    written.push(writing)
  })

  try {
    let bytes = 0
    for await (const chunk of body) {
      const data = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
      if (bytes === 0) refuseCompressed(data)
      bytes += data.length
      if (bytes > maxBytes) {
        throw new DaemonError('too-large', `the backup is larger than ${maxBytes} bytes`)
      }
      if (!parser.write(data)) await next('drain')
    }
    const ended = next('end')
    parser.end()
    await ended
    await Promise.race([Promise.all(written), failed])
  } catch (error) {
    stop.abort()
    await Promise.allSettled(written)
    throw error
  }
}

function faultOf({ type, path, size }: ReadEntry, seen: ReadonlySet<string>): string | undefined {
  const limit = Object.hasOwn(limits, path) ? limits[path] : undefined
  if (limit === undefined) return 'the tar contains a file that does not belong to a backup'
  if (type !== 'File' && type !== 'OldFile') return `${path} in the tar is not a regular file`
  if (seen.has(path)) return `${path} is in the tar twice`
  return size > limit ? `${path} in the tar is too large` : undefined
}

/** Reject a compressed tar: the parser would decompress it without a size limit. */
function refuseCompressed(first: Buffer): void {
  if (first[0] === 0x1f || first[0] === 0x28) {
    throw new DaemonError('bad-request', 'the backup is compressed: send the original tar')
  }
}

function toDaemonError(error: Error): DaemonError {
  if (error instanceof DaemonError) return error
  return new DaemonError('bad-request', 'the body is not a complete tar', { cause: error })
}
