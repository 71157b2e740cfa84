import { chunksOf } from '../../../../client/browser.ts'
import { ConnectionError } from '../../../../client/errors.ts'
import { api } from '../../state/api.ts'

/** The daemon copies the databases before the first byte. */
const firstByteMs = 10 * 60_000

const reportMs = 200

export interface DownloadOptions {
  readonly signal: AbortSignal
  /** Called with the number of bytes received so far, at most five times a second. */
  readonly onBytes: (bytes: number) => void
}

/**
 * Downloads a backup and hands it to the browser as a file. The token travels in a header, so a plain link cannot do this.
 * Throws if the connection breaks off: an incomplete backup is never saved.
 */
export async function downloadBackup(
  withData: boolean,
  { signal, onBytes }: DownloadOptions,
): Promise<{ fileName: string; bytes: number }> {
  const response = await api.open('createBackup', {
    query: { data: withData },
    signal,
    timeoutMs: firstByteMs,
  })
  const parts: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  let reportedAt = 0
  try {
    for await (const chunk of chunksOf(response)) {
      // The cast holds: the body of a response is never in shared memory.
      parts.push(chunk as Uint8Array<ArrayBuffer>)
      bytes += chunk.length
      if (Date.now() - reportedAt < reportMs) continue
      reportedAt = Date.now()
      onBytes(bytes)
    }
  } catch (cause) {
    throw new ConnectionError('the download broke off: try again', { isSent: true, cause })
  }
  const fileName = nameOf(response)
  save(new Blob(parts, { type: 'application/x-tar' }), fileName)
  return { fileName, bytes }
}

function nameOf(response: Response): string {
  const header = response.headers.get('content-disposition') ?? ''
  return /filename="([\w.-]+)"/.exec(header)?.[1] ?? 'strata-backup.tar'
}

function save(file: Blob, fileName: string): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  // The browser has read the address by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
