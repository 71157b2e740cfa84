import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

/** Below these stands what people run; from 20,000 on stratad gives ports to apps, and from 32,768 on Linux to clients. */
const blocks = { from: 100, to: 200 }
const blockSize = 100

let block: Promise<number> | undefined
let turn = 0

/**
 * A port of the loopback that nobody listens on. Each process of the tests has a block of its own: what listens later
 * finds its port as free as it was.
 */
export async function freePort(): Promise<number> {
  block ??= takeBlock()
  const begin = await block
  for (let tries = 1; tries < blockSize; tries += 1) {
    turn = (turn % (blockSize - 1)) + 1
    const port = begin + turn
    if (await isPortFree(port)) return port
  }
  throw new Error('no free port')
}

/** The first port of a block, which is listened on as long as this process lives. */
async function takeBlock(): Promise<number> {
  for (let tries = 0; tries < 1000; tries += 1) {
    const begin = randomInt(blocks.from, blocks.to) * blockSize
    const guard = createServer().unref()
    if (await listens(guard, begin)) return begin
  }
  throw new Error('no free ports')
}

/** Whether nobody listens on that port of the loopback at this moment. */
export async function isPortFree(port: number): Promise<boolean> {
  const server = createServer()
  if (!(await listens(server, port))) return false
  server.close()
  await once(server, 'close')
  return true
}

/** False where the port is taken, or not ours to take. */
async function listens(server: Server, port: number): Promise<boolean> {
  try {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return true
  } catch {
    return false
  }
}
