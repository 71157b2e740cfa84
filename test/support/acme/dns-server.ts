import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

export interface DnsServer {
  /** `address:port`, for SERVICE_DOMAINS_RESOLVER. */
  readonly address: string
  /** The IPv4 address of every name; null: no name has one. */
  setAddress(address: string | null): void
  close(): void
}

/** Starts a DNS server that answers each question in the same way. */
export async function startDnsServer(): Promise<DnsServer> {
  let known: string | null = null
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const end = query.indexOf(0, 12) + 5
    const isA = query.readUInt16BE(end - 4) === 1
    const count = isA && known !== null ? 1 : 0
    const answer = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4])
    const head = Buffer.from(query.subarray(0, end))
    head.writeUInt16BE(0x8180, 2)
    head.writeUInt16BE(count, 6)
    head.writeUInt16BE(0, 10)
    const ip = Buffer.from((known ?? '').split('.').map(Number))
    socket.send(count === 1 ? Buffer.concat([head, answer, ip]) : head, port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${(socket.address() as AddressInfo).port}`,
    setAddress(address) {
      known = address
    },
    close: () => void socket.close(),
  }
}
