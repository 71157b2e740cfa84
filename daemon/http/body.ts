import type { IncomingMessage } from 'node:http'
import { DaemonError } from '../errors.ts'
import type { Clock } from '../ports.ts'

export const jsonLimitBytes = 2 ** 20
/** Maximum time to receive a whole body. */
const deadlineMs = 120_000

/**
 * Reads the whole body. Throws DaemonError `too-large` above `limitBytes` (immediately if Content-Length exceeds it),
 * and `bad-request` if the body has a content encoding, is truncated or takes too long.
 */
export async function readBody(
  req: IncomingMessage,
  limitBytes: number,
  clock: Clock,
): Promise<Buffer> {
  checkBodyHeaders(req, limitBytes)
  const done = new AbortController()
  const late = clock.wait(deadlineMs, done.signal).then(() => {
    throw new DaemonError('bad-request', `the body took longer than ${deadlineMs / 1000} s`)
  })
  late.catch(() => undefined)
  try {
    return await Promise.race([collectBody(req, limitBytes), late])
  } finally {
    done.abort()
  }
}

/** Throws DaemonError `bad-request` for a content encoding, and `too-large` for a Content-Length over the limit. */
export function checkBodyHeaders({ headers }: IncomingMessage, limitBytes: number): void {
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding.toLowerCase() !== 'identity') {
    throw new DaemonError('bad-request', 'the body must not have a Content-Encoding')
  }
  if (Number(headers['content-length'] ?? 0) > limitBytes) throw tooLarge(limitBytes)
}

export function tooLarge(limitBytes: number): DaemonError {
  return new DaemonError('too-large', `the body is larger than ${limitBytes} bytes`)
}

/** Returns true if the headers announce a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** Parses UTF-8 bytes as JSON. Throws DaemonError `bad-request` if the bytes are not valid UTF-8 or JSON. */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch (error) {
    const format = error instanceof SyntaxError ? 'JSON' : 'UTF-8'
    throw new DaemonError('bad-request', `the body is not valid ${format}`)
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Collects a body. Calls `onChunk` with the size of each chunk. Rejects with the signal's reason if the signal is
 * aborted, and with DaemonError `too-large` or `bad-request`. Keeps the stream open on failure, because the response
 * uses the same connection.
 */
export function collectBody(
  req: IncomingMessage,
  limitBytes: number,
  { signal, onChunk = () => {} }: { signal?: AbortSignal; onChunk?: (size: number) => void } = {},
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const settle = (act: () => void) => {
      req.off('data', take).off('end', finish).off('close', lost).off('error', lost)
      signal?.removeEventListener('abort', abort)
      act()
    }
    const take = (chunk: Buffer) => {
      size += chunk.length
      if (size > limitBytes) settle(() => reject(tooLarge(limitBytes)))
      else {
        chunks.push(chunk)
        onChunk(chunk.length)
      }
    }
    const abort = () => settle(() => reject(signal?.reason))
    const finish = () => settle(() => resolve(Buffer.concat(chunks, size)))
    const lost = () =>
      settle(() => reject(new DaemonError('bad-request', 'the body broke off before its end')))
    signal?.addEventListener('abort', abort)
    req.on('data', take).on('end', finish).on('close', lost).on('error', lost)
  })
}
