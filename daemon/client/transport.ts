import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { request as requestSecurely } from 'node:https'
import type { Readable } from 'node:stream'
import type { Redacted } from '../ports.ts'
import { NoAnswerError } from './errors.ts'

/** A daemon, and who asks it. */
export interface Target {
  /** Origin of the API and what stands before `/api/v1`, with no slash at its end. */
  readonly url: string
  readonly token: Redacted | undefined
}

export interface Outgoing {
  readonly method: string
  /** Below `/api/v1`, escaped, its query with it. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: string | Readable | undefined
  readonly signal?: AbortSignal | undefined
  /** For the answer to begin. */
  readonly timeoutMs: number
  /** For the next bytes of an answer that has begun. */
  readonly silenceMs?: number | undefined
}

/**
 * Sends one request; resolves when the answer begins. Not `fetch`: that gives an answer five minutes to begin, and a
 * deploy is answered after up to ten. Throws NoAnswerError, and the signal's reason when it is aborted.
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
      // A kept connection may have been closed at its other end, which only a request that can be repeated takes well.
      ...(method !== 'GET' && { agent: false }),
      ...(signal && { signal }),
    })
    const timer = setTimeout(() => sent.destroy(new Late(timeoutMs)), timeoutMs)
    sent.once('response', (answer) => {
      clearTimeout(timer)
      const { silenceMs = defaultSilenceMs } = outgoing
      answer.setTimeout(silenceMs, () => answer.destroy(new Late(silenceMs)))
      resolve(answer)
    })
    sent.once('error', (error) => {
      clearTimeout(timer)
      reject(signal?.aborted ? signal.reason : noAnswer(error, sent))
    })
    if (body === undefined || typeof body === 'string') sent.end(body)
    else body.once('error', (error) => sent.destroy(error)).pipe(sent)
  })
}

/** The whole text of an answer. Throws NoAnswerError for one that breaks off or has more than 64 MiB. */
export async function textOf(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of answer) {
      size += chunk.length
      if (size > mostBytes) throw new Error('it is larger than 64 MiB')
      chunks.push(chunk)
    }
  } catch (cause) {
    throw brokenOff(cause)
  }
  return Buffer.concat(chunks).toString('utf8')
}

export function brokenOff(cause: unknown): NoAnswerError {
  const why = cause instanceof Error ? cause.message : String(cause)
  return new NoAnswerError(`its answer broke off (${why})`, { isSent: true, cause })
}

const defaultSilenceMs = 60_000
const mostBytes = 64 * 2 ** 20

class Late extends Error {
  constructor(ms: number) {
    super(`nothing came for ${ms / 1000} s`)
  }
}

function noAnswer(error: Error, sent: ClientRequest): NoAnswerError {
  const code = 'code' in error ? String(error.code) : ''
  const why = reasons[code] ?? (code === '' ? error.message : `${error.message} (${code})`)
  const isSent = sent.socket !== null && !sent.socket.connecting && !(code in reasons)
  return new NoAnswerError(why, { isSent, cause: error })
}

/** Faults before anything was sent. */
const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'the name of the host could not be looked up',
  EHOSTUNREACH: 'the host can not be reached',
  ENETUNREACH: 'the network can not be reached',
  ETIMEDOUT: 'the host does not answer',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed: NODE_EXTRA_CA_CERTS names it',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is self-signed: NODE_EXTRA_CA_CERTS names it',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not signed by a known authority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
  CERT_HAS_EXPIRED: 'its certificate has expired',
}
