import { createServer as createHttpsServer, type Server, type ServerOptions } from 'node:https'
import type { Socket } from 'node:net'
import { createServer, type SecureContext } from 'node:tls'
import type { Certificates } from './certificates.ts'
import type { Challenges } from './challenges.ts'

/** Maximum time for a TLS handshake, and for its first bytes. */
const handshakeMs = 10_000

/** The protocol of a certificate authority that validates a host name (RFC 8737), with its length as in a ClientHello. */
const acmeProtocol = 'acme-tls/1'
const acmeOffer = Buffer.from(`\x0a${acmeProtocol}`)

/**
 * Creates an HTTPS server that chooses the certificate by the name that the client asks for. A client without a name,
 * or with a name without a certificate, gets a TLS alert.
 */
export function createTlsServer(
  options: ServerOptions,
  { certificates, challenges }: { certificates: Certificates; challenges: Challenges },
): Server {
  const server = createHttpsServer({
    ...options,
    handshakeTimeout: handshakeMs,
    ALPNProtocols: ['http/1.1'],
    SNICallback: (hostname, done) => {
      certificates
        .contextOf(hostname.toLowerCase())
        .then((context) => done(null, context))
        .catch((error) => done(error))
    },
  })
  answerChallenges(server, challenges)
  return server
}

/**
 * Sends the connections of validations to a server of their own. The callback of Node for the choice of a certificate
 * does not receive the offered protocols, so this reads the ClientHello first, only while a validation is pending.
 */
function answerChallenges(server: Server, challenges: Challenges): void {
  const validations = createServer({
    ALPNProtocols: [acmeProtocol],
    handshakeTimeout: handshakeMs,
    SNICallback: (hostname, done: (error: Error | null, context?: SecureContext) => void) =>
      done(null, challenges.contextOf(hostname.toLowerCase())),
  })
  validations.on('secureConnection', (socket) => {
    socket.on('error', () => {})
    socket.end()
  })
  validations.on('tlsClientError', (_error, socket) => void socket.destroy())
  const startTls = server.listeners('connection')
  server.removeAllListeners('connection')
  const begin = (socket: Socket) => {
    for (const listener of startTls) listener.call(server, socket)
  }
  server.on('connection', (socket: Socket) => {
    if (!challenges.hasTls()) {
      begin(socket)
      return
    }
    const destroy = () => void socket.destroy()
    socket.setTimeout(handshakeMs, destroy).on('error', destroy)
    socket.once('data', (chunk: Buffer) => {
      socket.pause()
      socket.setTimeout(0).off('timeout', destroy).off('error', destroy)
      socket.unshift(chunk)
      if (chunk.includes(acmeOffer)) validations.emit('connection', socket)
      else begin(socket)
    })
  })
}
