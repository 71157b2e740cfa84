import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { request as requestSecurely } from 'node:https'
import type { Readable } from 'node:stream'
import type { Redacted } from '../ports.ts'
import { ConnectionError, connectionLost } from './errors.ts'

/** The address of a daemon and the token to send. */
export interface Target {
  /** The part of the address before `/api/v1`, without a trailing slash. */
  readonly url: string
  readonly token: Redacted | undefined
}

export interface Outgoing {
  readonly method: string
  /** Path relative to `/api/v1`, escaped, with query. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: string | Readable | undefined
  readonly signal?: AbortSignal | undefined
  /** Maximum time until the response begins. During an upload, counts from its last byte. */
  readonly timeoutMs: number
  /** Maximum time between two chunks of the response. */
  readonly silenceMs?: number | undefined
}

/**
 * Sends one request and resolves when the response begins. `fetch` is unsuitable: it gives up after five minutes, and a
 * deploy takes up to ten. Throws ConnectionError, or the signal's reason if the signal is aborted.
 */
export function send(target: Target, outgoing: Outgoing): Promise<IncomingMessage> {
  const { method, path, headers, body, signal, timeoutMs } = outgoing
  const url = new URL(`${target.url}/api/v1${path}`)
  const start = url.protocol === 'https:' ? requestSecurely : request
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const sent = start(url, {
      method,
      headers: {
        accept: 'application/json',
        'user-agent': 'strata',
        ...(target.token && { authorization: `Bearer ${target.token.reveal()}` }),
        ...(typeof body === 'string' && {
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(body)),
        }),
        ...headers,
      },
      // Retry a GET: the daemon may have closed a pooled connection. Other methods are unsafe to repeat.
      ...(method !== 'GET' && { agent: false }),
      ...(signal && { signal }),
    })
    const timer = setTimeout(() => sent.destroy(new TimeoutError(timeoutMs)), timeoutMs)
    sent.once('response', (response) => {
      clearTimeout(timer)
      const { silenceMs = defaultSilenceMs } = outgoing
      response.setTimeout(silenceMs, () => response.destroy(new TimeoutError(silenceMs)))
      resolve(response)
    })
    sent.once('error', (error) => {
      clearTimeout(timer)
      reject(signal?.aborted ? signal.reason : connectionError(error, sent))
    })
    if (body === undefined || typeof body === 'string') sent.end(body)
    else {
      body.on('data', () => timer.refresh())
      body.once('error', (error) => sent.destroy(error)).pipe(sent)
    }
  })
}

/** Reads the whole response. Throws ConnectionError if the response is truncated or exceeds 64 MiB. */
export async function readText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of response) {
      size += chunk.length
      if (size > maxBytes) throw new Error('larger than 64 MiB')
      chunks.push(chunk)
    }
  } catch (cause) {
    throw connectionLost(cause)
  }
  return Buffer.concat(chunks).toString('utf8')
}

const defaultSilenceMs = 60_000
const maxBytes = 64 * 2 ** 20

class TimeoutError extends Error {
  constructor(ms: number) {
    super(`no data for ${ms / 1000} s`)
  }
}

function connectionError(error: Error, sent: ClientRequest): ConnectionError {
  const code = 'code' in error ? String(error.code) : ''
  const why = reasons[code] ?? (code === '' ? error.message : `${error.message} (${code})`)
  const isSent = sent.socket !== null && !sent.socket.connecting && !(code in reasons)
  return new ConnectionError(why, { isSent, cause: error })
}

/** Messages of errors that occur before the request is sent. */
const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'unknown host name',
  EAI_AGAIN: 'the host name could not be looked up',
  EHOSTUNREACH: 'the host is unreachable',
  ENETUNREACH: 'the network is unreachable',
  ETIMEDOUT: 'the host does not answer',
  DEPTH_ZERO_SELF_SIGNED_CERT:
    'its certificate is self-signed: set NODE_EXTRA_CA_CERTS to its file',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is self-signed: set NODE_EXTRA_CA_CERTS to its file',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not signed by a known authority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
  CERT_HAS_EXPIRED: 'its certificate has expired',
}
