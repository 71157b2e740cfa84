import { chunksOf } from '../../../../client/browser.ts'
import { ConnectionError } from '../../../../client/errors.ts'
import { api } from '../../state/api.ts'
import type { Sink } from './sink.ts'

/** The daemon copies the databases before the first byte. */
const firstByteMs = 10 * 60_000

const reportMs = 200

export interface DownloadOptions {
  readonly signal: AbortSignal
  /** Receives the bytes. */
  readonly sink: Sink
  /** Called with the number of bytes received so far, at most five times a second. */
  readonly onBytes: (bytes: number) => void
}

/**
 * Downloads a backup into a sink. The token travels in a header, so a plain link cannot do this. Throws if the connection
 * breaks off or the file can't be written: an incomplete backup is never saved.
 */
export async function downloadBackup(
  withData: boolean,
  { signal, sink, onBytes }: DownloadOptions,
): Promise<{ fileName: string; bytes: number }> {
  try {
    const response = await api.open('createBackup', {
      query: { data: withData },
      signal,
      timeoutMs: firstByteMs,
    })
    const bytes = await copy(response, sink, onBytes)
    return { fileName: await sink.finish(nameOf(response)), bytes }
  } catch (error) {
    await sink.discard()
    throw error
  }
}

async function copy(
  response: Response,
  sink: Sink,
  onBytes: (bytes: number) => void,
): Promise<number> {
  let bytes = 0
  let reportedAt = 0
  for await (const chunk of brokenOffAware(chunksOf(response))) {
    await sink.write(chunk)
    bytes += chunk.length
    if (Date.now() - reportedAt < reportMs) continue
    reportedAt = Date.now()
    onBytes(bytes)
  }
  return bytes
}

/** Yields the same chunks. Explains an error of the connection, and leaves the errors of the reader alone. */
async function* brokenOffAware(
  chunks: AsyncGenerator<Uint8Array, void>,
): AsyncGenerator<Uint8Array, void> {
  try {
    for (;;) {
      const { done, value } = await chunks.next().catch((cause: unknown) => {
        throw new ConnectionError('the download broke off: try again', { isSent: true, cause })
      })
      if (done || value === undefined) return
      yield value
    }
  } finally {
    await chunks.return()
  }
}

function nameOf(response: Response): string {
  const header = response.headers.get('content-disposition') ?? ''
  return /filename="([\w.-]+)"/.exec(header)?.[1] ?? 'strata-backup.tar'
}
