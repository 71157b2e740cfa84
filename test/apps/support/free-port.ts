import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

const first = 10_000

/** From here on Linux gives ports to clients: one could be taken before the program listens, or while it is away. */
const end = 32_000

/** A port of the loopback that nobody listens on. */
export async function freePort(): Promise<number> {
  for (let turn = 0; turn < 100; turn += 1) {
    const port = randomInt(first, end)
    if (await isPortFree(port)) return port
  }
  throw new Error('no free port')
}

/** Whether nobody listens on that port of the loopback at this moment. */
export async function isPortFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  } catch {
    return false // taken, or not ours to take
  }
  server.close()
  await once(server, 'close')
  return true
}
