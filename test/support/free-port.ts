import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

/** 10,000–19,999: developers use lower ports, stratad gives apps ports from 20,000, Linux gives clients 32,768 and up. */
const blocks = { from: 100, to: 200 }
const blockSize = 100

let block: Promise<number> | undefined
let turn = 0

/**
 * Returns a free port of the loopback address. Each test process takes ports from a separate block,
 * so that the port is still free when a server listens there later.
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

/** Returns the first port of a free block. Listens on that port until this process ends, to reserve the block. */
async function takeBlock(): Promise<number> {
  for (let tries = 0; tries < 1000; tries += 1) {
    const begin = randomInt(blocks.from, blocks.to) * blockSize
    const guard = createServer().unref()
    if (await listens(guard, begin)) return begin
  }
  throw new Error('no free ports')
}

/** Returns whether no process listens on the port of the loopback address now. */
export async function isPortFree(port: number): Promise<boolean> {
  const server = createServer()
  if (!(await listens(server, port))) return false
  server.close()
  await once(server, 'close')
  return true
}

/** Returns false if the port is in use or not permitted. */
async function listens(server: Server, port: number): Promise<boolean> {
  try {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return true
  } catch {
    return false
  }
}
