import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Certificates } from './certificates.ts'
import type { Challenges } from './challenges.ts'
import { type Peer, trustedProto } from './headers.ts'
import { parseHostHeader } from './host-header.ts'

export interface PlainAnswersDeps {
  readonly certificates: Pick<Certificates, 'has'>
  readonly challenges: Pick<Challenges, 'answer'>
  /** Ports of the plain and the TLS listener. */
  readonly ports: { readonly plain: number; readonly tls: number } | null
}

const wellKnown = '/.well-known/'

/**
 * Returns a function that answers requests that never reach an app: proofs of control over a host, and requests without
 * TLS to a host with a certificate. It returns false for all other requests.
 */
export function createPlainAnswers({ certificates, challenges, ports }: PlainAnswersDeps) {
  return (request: IncomingMessage, response: ServerResponse, peer: Peer | undefined): boolean => {
    const { headers, url = '' } = request
    const host = headers.host ?? ''
    if (url.startsWith(wellKnown)) {
      const body = challenges.answer(parseHostHeader(host) ?? '', url)
      if (body !== undefined) {
        send(response, 200, ['Content-Type', 'text/plain'], body)
        return true
      }
    }
    if (ports === null || peer?.proto === 'https') return false
    if (peer?.isTrusted && trustedProto(request) === 'https') return false
    const hostname = parseHostHeader(host)
    if (hostname === undefined || !url.startsWith('/') || !certificates.has(hostname)) return false
    // A visitor who names the port of the gateway reaches it directly; otherwise both ports are forwarded from 80 and 443.
    const isDirect = host.endsWith(`:${ports.plain}`) && ports.plain !== 80
    const authority = isDirect && ports.tls !== 443 ? `${hostname}:${ports.tls}` : hostname
    // The body of the request may be unread: the connection can't be reused.
    if (request.method !== 'GET' && request.method !== 'HEAD') response.shouldKeepAlive = false
    send(response, 308, ['Location', `https://${authority}${url}`], '')
    return true
  }
}

function send(response: ServerResponse, status: number, headers: string[], body: string): void {
  const length = String(Buffer.byteLength(body))
  response.writeHead(status, [...headers, 'Content-Length', length, 'Cache-Control', 'no-store'])
  response.end(body)
}
