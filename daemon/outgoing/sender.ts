import { lookup } from 'node:dns'
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isPublicAddress } from '../domain/public-address.ts'
import { DaemonError } from '../errors.ts'
import type { OutgoingRequest, Sender } from '../ports.ts'

/** Time limit of a whole request. */
const defaultTimeoutMs = 10_000
/** The rest of a longer answer is not read. */
const maxAnswerBytes = 64 * 1024

/**
 * Creates the sender of statuses and notifications. Connects to public addresses only, and to any address of
 * `privateHosts`, which the operator trusts. Checks the address of each connection, so that a later answer of the DNS
 * changes nothing.
 */
export function createSender({
  privateHosts,
  version,
  timeoutMs = defaultTimeoutMs,
}: {
  privateHosts: readonly string[]
  version: string
  timeoutMs?: number
}): Sender {
  const trusted = new Set(privateHosts)

  const publicLookup: LookupFunction = (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, [])
      const refused = trusted.has(hostname)
        ? undefined
        : addresses.find(({ address }) => !isPublicAddress(address))
      if (refused) {
        return callback(new Error(`${hostname} ${notPublic(refused.address)}`), [])
      }
      const [first] = addresses
      if (options.all || !first) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }

  function urlFault(text: string): string | undefined {
    const url = URL.canParse(text) ? new URL(text) : undefined
    if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return 'must be an https:// URL'
    if (url.username !== '' || url.password !== '') return 'must not contain a password'
    const { hostname } = url
    if (trusted.has(hostname)) return undefined
    const host = hostname.replace(/^\[|\]$/g, '')
    if (isIP(host) !== 0 && !isPublicAddress(host)) return notPublic(host)
    return url.protocol === 'https:'
      ? undefined
      : 'must be an https:// URL: only hosts of SERVICE_PRIVATE_HOSTS may use http://'
  }

  return {
    urlFault,
    async post({ url, headers, body }, signal) {
      const fault = urlFault(url)
      if (fault !== undefined) throw new DaemonError('transient', `the URL ${fault}`)
      const timeout = AbortSignal.timeout(timeoutMs)
      try {
        const answer = await open(url, headers, body, {
          signal: AbortSignal.any([signal, timeout]),
          lookup: publicLookup,
          version,
        })
        return {
          status: answer.statusCode ?? 0,
          retryAfterMs: retryAfterMs(answer.headers['retry-after']),
          body: await readAnswer(answer),
        }
      } catch (error) {
        if (signal.aborted) throw error
        const reason = timeout.aborted ? `no answer within ${timeoutMs / 1_000} s` : reasonOf(error)
        throw new DaemonError('transient', reason)
      }
    },
  }
}

function notPublic(address: string): string {
  return `must lead to a public address, not to ${address}: the operator allows a host with SERVICE_PRIVATE_HOSTS`
}

function open(
  url: string,
  headers: OutgoingRequest['headers'],
  body: string,
  { signal, lookup, version }: { signal: AbortSignal; lookup: LookupFunction; version: string },
): Promise<IncomingMessage> {
  const start = url.startsWith('https:') ? httpsRequest : httpRequest
  const plain = Object.entries(headers).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : value.reveal(),
  ])
  return new Promise((resolve, reject) => {
    const request: ClientRequest = start(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'user-agent': `stratad/${version}`,
        ...Object.fromEntries(plain),
      },
      signal,
      lookup,
      // A connection for each request: they are rare, and no idle connection outlives a stop.
      agent: false,
    })
    request.on('response', resolve).on('error', reject)
    request.end(body)
  })
}

async function readAnswer(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    chunks.push(chunk.subarray(0, maxAnswerBytes - size))
    size += chunk.length
    if (size >= maxAnswerBytes) break
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Reads seconds. A date is rare, and counts as no demand. */
function retryAfterMs(header: string | undefined): number {
  return header !== undefined && /^\d{1,6}$/.test(header) ? Number(header) * 1_000 : 0
}

/** Returns the message of an error, without the addresses that Node adds to a failed connection. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'the request failed'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  return error.message === '' ? (code ?? 'the request failed') : error.message
}
