import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A TCP proxy in front of a daemon whose connections can be cut. */
export interface CuttableProxy {
  readonly url: string
  /** Returns the number of connections so far. */
  connectionCount(): number
  /** Resets every open connection. New connections still work. */
  cut(): void
  close(): Promise<void>
}

export async function createProxy(port: number): Promise<CuttableProxy> {
  const open = new Set<Socket>()
  let count = 0
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    count += 1
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one)
      one.pipe(other)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        open.delete(one)
        other.destroy()
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const cut = () => {
    for (const socket of open) socket.resetAndDestroy()
  }
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    connectionCount: () => count,
    cut,
    async close() {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}
