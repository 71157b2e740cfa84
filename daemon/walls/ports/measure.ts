import { once } from 'node:events'
import { connect, createServer, type Server } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { PortRange } from '../../domain/port-range.ts'
import { runProgram } from './run-program.ts'

export interface Measurement {
  /** Addresses on which root reaches the port. */
  readonly asRoot: readonly string[]
  /** Addresses on which another user reaches the port. */
  readonly asOther: readonly string[]
}

/** The user `nobody` of all Linux distributions. */
const otherUid = 65_534
const connectMs = 2_000

/** Prints the reached addresses as JSON. The user changes inside the process: others may not reach node's program. */
const attempt = `
const [uid, port, ...addresses] = process.argv.slice(1)
process.setgroups([]); process.setgid(Number(uid)); process.setuid(Number(uid))
const reach = (host) => new Promise((resolve) => {
  const socket = require('node:net').connect({ host, port: Number(port), timeout: ${connectMs} })
  const end = (result) => { socket.destroy(); resolve(result) }
  socket.on('connect', () => end([host])).on('error', () => end([])).on('timeout', () => end([]))
})
Promise.all(addresses.map(reach)).then((all) => process.stdout.write(JSON.stringify(all.flat())))`

/**
 * Listens on a free port of the range and connects to it as root and as another user. Returns undefined if no port is
 * free, or if the attempt can't be made.
 */
export async function measure(range: PortRange): Promise<Measurement | undefined> {
  const server = await listenIn(range)
  const address = server?.address()
  if (!server || !address || typeof address === 'string') return undefined
  const { port } = address
  const addresses = addressesOf(address.family)
  try {
    const args = ['-e', attempt, String(otherUid), String(port), ...addresses]
    const [reached, { code, stdout }] = await Promise.all([
      Promise.all(addresses.map((host) => reaches(host, port))),
      runProgram(process.execPath, args),
    ])
    if (code !== 0) return undefined
    const asOther: unknown = JSON.parse(stdout)
    const asRoot = addresses.filter((_, index) => reached[index])
    return { asRoot, asOther: addresses.filter((each) => (asOther as string[]).includes(each)) }
  } finally {
    server.close()
  }
}

/** Returns false if this process's own user can't connect to a port of the range; undefined if no port is free. */
export async function measureOwn(range: PortRange): Promise<boolean | undefined> {
  const server = await listenIn(range)
  const address = server?.address()
  if (!server || !address || typeof address === 'string') return undefined
  const isReached = await reaches('127.0.0.1', address.port)
  server.close()
  return isReached
}

/** Tries the last ports of the range first, which are rarely in use. */
async function listenIn({ from, to }: PortRange): Promise<Server | undefined> {
  for (let port = to; port >= Math.max(from, to - 50); port -= 1) {
    for (const host of ['::', '0.0.0.0']) {
      const server = createServer((socket) => socket.on('error', () => {}).end())
      try {
        server.listen({ port, host, exclusive: true })
        await once(server, 'listening')
        return server
      } catch {
        // In use, or the host has no IPv6.
      }
    }
  }
  return undefined
}

function addressesOf(family: string): string[] {
  const outer = Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .find(({ internal, family: kind }) => !internal && kind === 'IPv4')
  return [
    ...['127.0.0.1', '127.0.0.2'],
    ...(outer ? [outer.address] : []),
    ...(family === 'IPv6' ? ['::1'] : []),
  ]
}

function reaches(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: connectMs })
    const end = (isReached: boolean) => {
      socket.destroy()
      resolve(isReached)
    }
    socket.on('connect', () => end(true)).on('error', () => end(false))
    socket.on('timeout', () => end(false))
  })
}
