import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer as createTcpServer } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { createEngine } from './engine.ts'
import { probeEngine } from './version.ts'

const servers: { close(): unknown }[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

async function engineAt(handle: RequestListener) {
  const server: Server = createServer(handle)
  servers.push({
    close() {
      server.closeAllConnections()
      server.close()
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return createEngine({ kind: 'tcp', host: '127.0.0.1', port, tls: null })
}

const info = {
  ID: 'x',
  MemTotal: 2 ** 30,
  NCPU: 2,
  MemoryLimit: true,
  PidsLimit: true,
  CpuCfsQuota: true,
}

function answering(version: object): RequestListener {
  return (request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(request.url === '/version' ? version : info))
  }
}

describe('the probe of an engine', () => {
  test('returns its version, memory and limits', async () => {
    const engine = await engineAt(answering({ Version: '29.0.0', ApiVersion: '1.52' }))
    expect(await probeEngine(engine)).toEqual({
      ...{ version: '29.0.0', id: 'x', memoryBytes: 2 ** 30, cpuCount: 2 },
      limits: { memory: true, pids: true, cpu: true },
    })
  })

  test('refuses an engine that is too old', async () => {
    const engine = await engineAt(answering({ Version: '1.13.1', ApiVersion: '1.26' }))
    await expect(probeEngine(engine)).rejects.toThrow(
      /is Docker 1\.13\.1 with API 1\.26: expected API 1\.41 or later.*DOCKER_HOST/,
    )
  })

  test('refuses a web server that is no engine', async () => {
    const engine = await engineAt((_, response) => response.end('<h1>It works</h1>'))
    await expect(probeEngine(engine)).rejects.toThrow(/is not a Docker engine: check DOCKER_HOST/)
  })

  test('refuses a web server that knows no such path', async () => {
    const engine = await engineAt((_, response) => {
      response.statusCode = 404
      response.end('nothing here')
    })
    await expect(probeEngine(engine)).rejects.toThrow(/127\.0\.0\.1:\d+ answered 404/)
  })

  test('refuses a server that does not speak HTTP', async () => {
    const server = createTcpServer((socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'))
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const engine = createEngine({ kind: 'tcp', host: '127.0.0.1', port, tls: null })
    await expect(probeEngine(engine)).rejects.toThrow(
      /does not speak the Docker API.*check DOCKER_HOST/,
    )
  })

  test('gives up on an engine that accepts a connection and is silent', async () => {
    const engine = await engineAt(() => {})
    await expect(probeEngine(engine, 200)).rejects.toThrow(/does not respond/)
  })
})
