import type { IncomingMessage } from 'node:http'
import { DaemonError } from '../errors.ts'
import type { Clock } from '../ports.ts'

export const jsonLimitBytes = 2 ** 20
/** Longer than this nobody takes who sends a body of the sizes we accept. */
const deadlineMs = 120_000

/**
 * The whole body. Throws DaemonError `too-large` past `limitBytes` (at once where the length is announced),
 * `bad-request` for an encoded body and one that does not come.
 */
export async function readBody(
  req: IncomingMessage,
  limitBytes: number,
  clock: Clock,
): Promise<Buffer> {
  const encoding = req.headers['content-encoding'] ?? 'identity'
  if (encoding.toLowerCase() !== 'identity') {
    throw new DaemonError('bad-request', 'the body must not have a content-encoding')
  }
  if (Number(req.headers['content-length'] ?? 0) > limitBytes) throw tooLarge(limitBytes)
  const patience = new AbortController()
  const late = clock.wait(deadlineMs, patience.signal).then(() => {
    throw new DaemonError('bad-request', 'the body did not come in time')
  })
  late.catch(() => undefined)
  try {
    return await Promise.race([collect(req, limitBytes), late])
  } finally {
    patience.abort()
  }
}

export function tooLarge(limitBytes: number): DaemonError {
  return new DaemonError('too-large', `the body is larger than ${limitBytes} bytes`)
}

/** Whether the request announces a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** JSON from UTF-8 bytes. Throws DaemonError `bad-request`. */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch (error) {
    const what = error instanceof SyntaxError ? 'valid JSON' : 'valid UTF-8'
    throw new DaemonError('bad-request', `the body is not ${what}`)
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The stream is not destroyed on failure: the answer goes over the same connection. */
function collect(req: IncomingMessage, limitBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const settle = (act: () => void) => {
      req.off('data', take).off('end', finish).off('close', lost).off('error', lost)
      act()
    }
    const take = (chunk: Buffer) => {
      size += chunk.length
      if (size > limitBytes) settle(() => reject(tooLarge(limitBytes)))
      else chunks.push(chunk)
    }
    const finish = () => settle(() => resolve(Buffer.concat(chunks, size)))
    const lost = () =>
      settle(() => reject(new DaemonError('bad-request', 'the body ended before its time')))
    req.on('data', take).on('end', finish).on('close', lost).on('error', lost)
  })
}
