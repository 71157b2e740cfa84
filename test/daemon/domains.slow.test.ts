import { afterAll, describe, expect, test } from 'vitest'
import { missingPebble, removePebbles, startPebble } from '../support/acme/pebble.ts'
import { eventually } from '../support/apps/eventually.ts'
import { peerCertificate, visitTls } from '../support/daemon/tls/visit-tls.ts'
import { freePort } from '../support/free-port.ts'
import { call, visit } from '../support/stratad/call.ts'
import { cleanUp, newPlace, startDaemon } from '../support/stratad/daemon.ts'
import { createProject, deploy } from '../support/stratad/project.ts'

const missing = missingPebble()
if (missing !== undefined) process.stderr.write(`domains are not tested: ${missing}\n`)

const shop = 'shop.example.test'

describe.skipIf(missing !== undefined)('own domains of the built daemon', () => {
  const ends: (() => Promise<void>)[] = []
  afterAll(async () => {
    for (const end of ends.reverse()) await end()
    removePebbles()
  })

  test('a daemon killed during an order gets the certificate after its restart, and serves', async () => {
    const [place, tlsPort] = [await newPlace(), await freePort()]
    // The authority waits before it validates, so that the kill hits an open order.
    const env = { PEBBLE_VA_NOSLEEP: '0', PEBBLE_VA_SLEEPTIME: '2' }
    const pebble = await startPebble({ httpPort: place.gatewayPort, tlsPort, env })
    ends.push(() => pebble.stop())
    let daemon = await startDaemon({
      place,
      env: {
        SERVICE_GATEWAY_TLS_ADDR: `127.0.0.1:${tlsPort}`,
        SERVICE_ACME_EMAIL: 'ops@example.test',
        SERVICE_ACME_DIRECTORY: pebble.directory,
        SERVICE_ACME_CA: pebble.caFile,
        SERVICE_DOMAINS_RESOLVER: pebble.resolver,
        SERVICE_DOMAINS_HTTP_PORT: String(place.gatewayPort),
      },
    })
    ends.push(async () => {
      await daemon.stop()
      cleanUp(place.dataDir)
    })
    const project = await createProject(daemon, 'shop')
    expect((await deploy(daemon, project)).status).toBe(201)
    const path = `/projects/${project.id}/domains`
    const added = await call(daemon, 'POST', path, { domain: shop })
    expect(added).toMatchObject({ status: 201, body: { domain: shop, state: 'pending' } })
    expect(await eventually(() => pebble.output().includes('authz'), 10_000)).toBe(true)
    await daemon.stop('SIGKILL')
    daemon = await daemon.restart()
    const list = async () => (await call(daemon, 'GET', path)).body
    const isSecure = async () => (await list())[0]?.state === 'secure'
    expect(await eventually(isSecure, 30_000)).toBe(true)
    expect(await list()).toHaveLength(1)
    expect((await peerCertificate(tlsPort, shop)).subjectaltname).toBe(`DNS:${shop}`)
    expect((await visitTls(tlsPort, shop)).status).toBe(200)
    await daemon.stop('SIGKILL')
    expect((await visitTls(tlsPort, shop)).status).toBe(200)
    daemon = await daemon.restart()
    expect((await call(daemon, 'DELETE', `${path}?domain=${shop}`)).status).toBe(204)
    await expect(peerCertificate(tlsPort, shop)).rejects.toThrow()
    expect(await visit(daemon, shop)).toMatchObject({ status: 404 })
  })
})
