import { request } from 'node:http'
import { expect, test } from 'vitest'
import { cleanUp, startDaemon } from '../support/stratad/daemon.ts'
import { createProject, deploy } from '../support/stratad/project.ts'

const echo = {
  'package.json': JSON.stringify({ name: 'echo', scripts: { start: 'node server.js' } }),
  'server.js': `require('node:http')
    .createServer((request, response) => response.end(JSON.stringify(request.headers)))
    .listen(process.env.PORT)`,
}

/** Visits an app from an address of this machine, with headers that claim another client. */
function visitFrom(localAddress: string, gatewayPort: number, host: string): Promise<unknown> {
  const headers = {
    host,
    'x-forwarded-for': '203.0.113.7',
    'x-forwarded-proto': 'https',
    'x-real-ip': '203.0.113.7',
  }
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port: gatewayPort, localAddress, headers, agent: false }
    request(options, (response) => {
      let text = ''
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => resolve(JSON.parse(text)))
    })
      .on('error', reject)
      .end()
  })
}

test('an app gets the forwarded headers of a trusted proxy, and no invented ones, also after a change', async () => {
  let daemon = await startDaemon({ env: { SERVICE_TRUSTED_PROXIES: '127.0.0.2, 10.0.0.0/8' } })
  try {
    const project = await createProject(daemon, 'echo', echo)
    await deploy(daemon, project)
    expect(await visitFrom('127.0.0.2', daemon.gatewayPort, project.host())).toMatchObject({
      'x-forwarded-for': '203.0.113.7, 127.0.0.2',
      'x-forwarded-proto': 'https',
      'x-real-ip': '203.0.113.7',
    })
    const invented = await visitFrom('127.0.0.3', daemon.gatewayPort, project.host())
    expect(invented).toMatchObject({ 'x-forwarded-for': '127.0.0.3', 'x-forwarded-proto': 'http' })
    expect(invented).not.toHaveProperty('x-real-ip')

    await daemon.stop()
    daemon = await daemon.restart({ SERVICE_TRUSTED_PROXIES: 'none' })
    const later = await visitFrom('127.0.0.2', daemon.gatewayPort, project.host())
    expect(later).toMatchObject({ 'x-forwarded-for': '127.0.0.2', 'x-forwarded-proto': 'http' })
    await daemon.stop()
  } finally {
    cleanUp(daemon.dataDir)
  }
})
