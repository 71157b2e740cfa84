import { Agent, request } from 'node:https'
import { connect, type PeerCertificate, type TLSSocket } from 'node:tls'
import { read, type Visit, type VisitOptions } from '../gateway/visit.ts'

/** Sends a request by HTTPS to a host name at a local port, without checking the certificate. */
export function visitTls(
  port: number,
  hostname: string,
  path = '/',
  { method = 'GET', headers = {}, body, agent }: VisitOptions & { agent?: Agent } = {},
): Promise<Visit> {
  return new Promise((resolve, reject) => {
    const made = request({
      ...{ port, path, method, agent: agent ?? false },
      host: '127.0.0.1',
      servername: hostname,
      rejectUnauthorized: false,
      headers: { host: hostname, ...headers },
    })
    made.on('error', reject)
    made.on('response', (response) => read(response).then(resolve, reject))
    made.end(body)
  })
}

/** Returns the certificate that a server shows for a name. Rejects if the handshake fails. */
export function peerCertificate(
  port: number,
  servername: string,
  protocols: string[] = ['http/1.1'],
): Promise<PeerCertificate> {
  return new Promise((resolve, reject) => {
    const socket: TLSSocket = connect(
      { port, host: '127.0.0.1', servername, ALPNProtocols: protocols, rejectUnauthorized: false },
      () => {
        const certificate = socket.getPeerCertificate()
        socket.destroy()
        resolve(certificate)
      },
    )
    socket.on('error', reject)
  })
}

export { Agent }
