import { createServer, type Server } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { createPortPool } from './port-pool.ts'

const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) {
    await new Promise((resolve) => server.close(resolve))
  }
})

let now = 0
const clock = {
  now: () => now,
  monotonic: () => now,
  wait: () => Promise.reject(new Error('unexpected wait')),
}
const range = { from: 24_200, to: 24_203 }

function listen(port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    servers.push(server)
    server.listen(port, host, resolve)
  })
}

describe('the port pool', () => {
  test('gives each port to one app, and throws transient if no port is free', async () => {
    const pool = createPortPool(range, { clock, cooldownMs: 1000 })
    pool.markTaken(24_202)
    const ports = await Promise.all([pool.take(), pool.take(), pool.take()])
    expect(ports.toSorted()).toEqual([24_200, 24_201, 24_203])
    await expect(pool.take()).rejects.toMatchObject({ kind: 'transient' })
  })

  test('skips a port in use on loopback or on all addresses', async () => {
    await listen(24_200, '127.0.0.1')
    await listen(24_201, '0.0.0.0')
    await listen(24_203, '::')
    const pool = createPortPool(range, { clock, cooldownMs: 1000 })
    expect(await pool.take()).toBe(24_202)
    await expect(pool.takeFixed(24_200)).rejects.toMatchObject({ kind: 'unprocessable' })
    await expect(pool.takeFixed(24_202)).rejects.toThrow('port 24202')
  })

  test('reuses a released port only after its cooldown, unless no other port is free', async () => {
    const pool = createPortPool(range, { clock, cooldownMs: 1000 })
    const first = await pool.take()
    pool.release(first)
    const others = [await pool.take(), await pool.take(), await pool.take()]
    expect(others).not.toContain(first)
    expect(await pool.take()).toBe(first)
    const [second = 0, third = 0] = others
    pool.release(third)
    now += 10
    pool.release(second)
    expect(await pool.take()).toBe(third)
    now += 1000
    expect(await pool.take()).toBe(second)
  })
})
