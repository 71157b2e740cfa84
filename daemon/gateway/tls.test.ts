import { existsSync, readFileSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { eventually } from '../../test/support/apps/eventually.ts'
import { endApps, startApp } from '../../test/support/daemon/gateway/app.ts'
import {
  endGateways,
  gatewayAt,
  newPlace,
  routeTo,
  type Started,
} from '../../test/support/daemon/gateway/started.ts'
import { exchangeRaw, visit } from '../../test/support/daemon/gateway/visit.ts'
import { selfSigned } from '../../test/support/daemon/tls/self-signed.ts'
import { Agent, peerCertificate, visitTls } from '../../test/support/daemon/tls/visit-tls.ts'
import { freePort } from '../../test/support/free-port.ts'

const shop = 'shop.example.test'

afterEach(async () => {
  endApps()
  await endGateways()
})

async function startTls(
  options: { hstsSeconds?: number; keepsKeys?: boolean } = {},
): Promise<Started & { tlsPort: number; again: () => Started }> {
  const place = await newPlace()
  const tlsPort = await freePort()
  const { hstsSeconds = null, keepsKeys = true } = options
  const address = { host: '127.0.0.1', port: tlsPort }
  const again = () => gatewayAt(place, { tls: { address, hstsSeconds, keepsKeys } })
  const started = again()
  await started.gateway.start()
  return { ...started, tlsPort, again }
}

/** Routes the shop to a new app, and gives it a certificate. */
async function serveShop({ gateway }: Started) {
  const app = await startApp({ name: 'shop' })
  await gateway.route(routeTo(app.port, { hostname: shop }))
  const certificate = await selfSigned(shop)
  await gateway.replaceCertificates([certificate])
  return { app, certificate }
}

function hasText(path: string): boolean {
  return existsSync(path) && readFileSync(path, 'utf8').includes(shop)
}

test('the gateway chooses the certificate by the name, also of a wildcard, and refuses other names', async () => {
  const { gateway, tlsPort } = await startTls()
  const names = [shop, 'other.example.test', '*.apps.example.test']
  await gateway.replaceCertificates(await Promise.all(names.map(selfSigned)))
  const nameAt = async (servername: string) =>
    (await peerCertificate(tlsPort, servername)).subjectaltname
  expect(await nameAt('Shop.Example.TEST')).toBe(`DNS:${shop}`)
  expect(await nameAt('other.example.test')).toBe('DNS:other.example.test')
  expect(await nameAt('main--a.apps.example.test')).toBe('DNS:*.apps.example.test')
  await expect(nameAt('a.b.apps.example.test')).rejects.toThrow()
  await expect(nameAt('nobody.test')).rejects.toThrow()
})

test('the gateway forwards requests by TLS with their scheme and sets HSTS once', async () => {
  const started = await startTls({ hstsSeconds: 3_600 })
  await serveShop(started)
  const answer = await visitTls(started.tlsPort, shop, '/path', { method: 'POST', body: 'text' })
  expect(answer.status).toBe(200)
  expect(answer.json.headers['x-forwarded-proto']).toBe('https')
  expect(answer.headers['strict-transport-security']).toBe('max-age=3600')
})

test('the gateway redirects requests without TLS to the TLS port', async () => {
  const started = await startTls()
  const { port, tlsPort, gateway } = started
  await serveShop(started)
  const direct = await visit(port, '/a?b=c', { headers: { host: `${shop}:${port}` } })
  expect([direct.status, direct.headers.location]).toEqual([
    308,
    `https://${shop}:${tlsPort}/a?b=c`,
  ])
  const forwarded = await visit(port, '/', { headers: { host: shop }, method: 'POST', body: 'x' })
  expect([forwarded.status, forwarded.headers.location]).toEqual([308, `https://${shop}/`])
  const behindProxy = { host: shop, 'x-forwarded-proto': 'https' }
  expect((await visit(port, '/', { headers: behindProxy })).status).toBe(200)
  await gateway.removeCertificate(shop)
  expect((await visit(port, '/', { headers: { host: shop } })).status).toBe(200)
})

test('a WebSocket without TLS is redirected, and one by TLS reaches the app', async () => {
  const started = await startTls()
  await serveShop(started)
  const head = `GET /ws HTTP/1.1\r\nHost: ${shop}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`
  expect(await exchangeRaw(started.port, head)).toMatch(/^HTTP\/1\.1 308 /)
  const headers = { connection: 'Upgrade', upgrade: 'h2c' }
  expect((await visitTls(started.tlsPort, shop, '/', { headers })).status).toBe(200)
})

test('the gateway answers a challenge on the plain port, also for a host with a certificate', async () => {
  const started = await startTls()
  await serveShop(started)
  const path = '/.well-known/acme-challenge/token'
  const ask = () => visit(started.port, path, { headers: { host: shop } })
  await started.gateway.setChallenge({ kind: 'http', hostname: shop, path, body: 'proof' })
  expect(await ask()).toMatchObject({ status: 200, text: 'proof' })
  await started.gateway.removeChallenge(shop)
  expect((await ask()).status).toBe(308)
})

test('a TLS challenge is shown to validations alone', async () => {
  const { gateway, tlsPort, ...started } = await startTls()
  await serveShop({ gateway, ...started })
  const { cert, key } = await selfSigned('challenge.test')
  await gateway.setChallenge({ kind: 'tls', hostname: shop, cert, key })
  expect((await peerCertificate(tlsPort, shop, ['acme-tls/1'])).subjectaltname).toBe(
    'DNS:challenge.test',
  )
  expect((await visitTls(tlsPort, shop)).status).toBe(200)
  expect((await peerCertificate(tlsPort, shop)).subjectaltname).toBe(`DNS:${shop}`)
  await gateway.removeChallenge(shop)
  await expect(peerCertificate(tlsPort, shop, ['acme-tls/1'])).rejects.toThrow()
})

test('a reload of a certificate loses no request, and new connections get the new one', async () => {
  const started = await startTls()
  const { gateway, tlsPort } = started
  await serveShop(started)
  const failures: unknown[] = []
  let served = 0
  let isOver = false
  const agent = new Agent({ keepAlive: true, maxSockets: 2 })
  const callers = Array.from({ length: 4 }, async (_, caller) => {
    while (!isOver) {
      const options = caller % 2 === 0 ? { agent } : {}
      const answer = await visitTls(tlsPort, shop, '/', options).catch((error) => error)
      if (answer.status === 200) served += 1
      else failures.push(answer)
    }
  })
  let newest = ''
  for (let reload = 0; reload < 5; reload += 1) {
    const before = served
    const certificate = await selfSigned(shop)
    newest = certificate.cert
    await gateway.setCertificate(certificate)
    expect(await eventually(() => served > before + 5, 20_000)).toBe(true)
  }
  const shown = (await peerCertificate(tlsPort, shop)).raw.toString('base64')
  isOver = true
  await Promise.all(callers)
  agent.destroy()
  expect(failures).toEqual([])
  expect(newest.replaceAll('\n', '')).toContain(shown)
})

test('the gateway serves a thousand certificates', async () => {
  const { gateway, tlsPort } = await startTls()
  const names = Array.from({ length: 1_000 }, (_, index) => `host-${index}.example.test`)
  await gateway.replaceCertificates(await Promise.all(names.map(selfSigned)))
  for (const name of names.filter((_, index) => index % 50 === 0)) {
    expect((await peerCertificate(tlsPort, name)).subjectaltname).toBe(`DNS:${name}`)
  }
})

test('a damaged certificate fails its own host alone', async () => {
  const started = await startTls()
  await serveShop(started)
  const broken = { hostname: 'broken.test', cert: 'no certificate', key: 'no key' }
  await started.gateway.setCertificate(broken)
  await expect(peerCertificate(started.tlsPort, 'broken.test')).rejects.toThrow()
  expect((await visitTls(started.tlsPort, shop)).status).toBe(200)
})

test('plain bytes on the TLS port do not end the gateway', async () => {
  const started = await startTls()
  await serveShop(started)
  const { cert, key } = await selfSigned(shop)
  for (const _ of ['without', 'with a pending challenge']) {
    await exchangeRaw(started.tlsPort, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await new Promise((resolve) => {
      const socket = connect(started.tlsPort, '127.0.0.1', () => socket.resetAndDestroy())
      socket.on('close', resolve).on('error', () => {})
    })
    expect((await visitTls(started.tlsPort, shop)).status).toBe(200)
    await started.gateway.setChallenge({ kind: 'tls', hostname: shop, cert, key })
  }
})

test('a gateway serves TLS without a daemon, also after its own restart', async () => {
  const started = await startTls()
  await serveShop(started)
  const path = join(started.folder, 'certificates.json')
  const both = () => hasText(path) && hasText(join(started.folder, 'routes.json'))
  expect(await eventually(both, 10_000)).toBe(true)
  expect(statSync(path).mode & 0o077).toBe(0)
  started.gateway.close()
  expect((await visitTls(started.tlsPort, shop)).status).toBe(200)
  process.kill(await started.pid(), 'SIGKILL')
  // The next daemon has not sent its certificates yet.
  await started.again().gateway.start()
  expect((await visitTls(started.tlsPort, shop)).status).toBe(200)
})

test('a gateway that keeps no keys holds handshakes until the daemon has sent them', async () => {
  const started = await startTls({ keepsKeys: false })
  const { app, certificate } = await serveShop(started)
  expect(() => statSync(join(started.folder, 'certificates.json'))).toThrow('ENOENT')
  started.gateway.close()
  process.kill(await started.pid(), 'SIGKILL')
  const { gateway } = started.again()
  await gateway.start()
  await gateway.route(routeTo(app.port, { hostname: shop }))
  const visiting = visitTls(started.tlsPort, shop)
  await gateway.replaceCertificates([certificate])
  expect((await visiting).status).toBe(200)
})
