import { afterAll, beforeAll, expect, test } from 'vitest'
import { parsed, sendRaw } from '../../test/support/daemon/http/raw.ts'
import { startServer, type TestServer } from '../../test/support/daemon/http/test-server.ts'
import { wakePage } from './external-proxy-wake-page.ts'
import { visitorHost } from './visitor-host.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  await server.addEnvironment({ state: 'paused' })
})
afterAll(() => server.stop())

const forwarded = (host: string) => ({ token: null, headers: { 'x-forwarded-host': host } })

test('a heartbeat answers 200 and counts for X-Forwarded-Host, otherwise for Host', async () => {
  const hosts = () =>
    server.calls.filter(({ name }) => name === 'activity.heartbeat').map(({ args }) => args[0])
  for (const method of ['GET', 'POST'] as const) {
    const { status, json } = await server.call(method, '/heartbeat', forwarded('A--b.Localhost:80'))
    expect({ status, json }).toEqual({ status: 200, json: { status: 'ok' } })
  }
  await server.call('GET', '/heartbeat?x=1', { token: null, headers: { 'x-request-id': 'beat' } })
  expect(hosts()).toEqual(['a--b.localhost', 'a--b.localhost', '127.0.0.1'])
  const response = await sendRaw(
    server.port,
    'HEAD /api/v1/heartbeat HTTP/1.1\r\nConnection: close\r\nX-Request-Id: beat\r\n\r\n',
  )
  expect(response).toMatch(/^HTTP\/1\.1 200/)
  expect(response).toContain('X-Request-Id: beat')
  expect(hosts()).toHaveLength(3)
})

test('a heartbeat updates the last access of a running environment', async () => {
  const { rig } = server
  rig.commit('served')
  const { id, hostname } = await rig.deployed('served')
  await rig.clock.advance(60_000)
  await server.call('POST', '/heartbeat', forwarded(hostname))
  const at = rig.clock.now()
  await rig.clock.advance(15_000)
  expect((await rig.row(id)).lastAccessedAt).toBe(at)
})

test('a path that only starts with /heartbeat is not a heartbeat', async () => {
  expect((await server.call('GET', '/heartbeats')).status).toBe(404)
  expect((await server.call('GET', '/heartbeat/')).status).toBe(404)
})

test.each(['GET', 'POST'])(
  '%s /wake answers 503 with a page that reloads itself',
  async (method) => {
    const { status, headers, text } = await server.call(
      method,
      '/wake',
      forwarded('main--p1.localhost'),
    )
    expect(status).toBe(503)
    expect(headers.get('retry-after')).toBe('1')
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(text).toContain('main--p1.localhost is waking up')
    expect(text).toContain('http-equiv="refresh"')
  },
)

test('/wake answers 404 for an unknown host and 400 for a missing host', async () => {
  const unknown = await server.call('GET', '/wake', forwarded('<script>.localhost'))
  expect(unknown).toMatchObject({ status: 404, json: { error: expect.any(String) } })
  expect(unknown.text).not.toContain('<script>')
  const none = await sendRaw(server.port, 'GET /api/v1/wake HTTP/1.0\r\n\r\n')
  expect(parsed(none)).toMatchObject({ status: 400, json: { error: expect.any(String) } })
  const empty = 'GET /api/v1/wake HTTP/1.1\r\nHost: \r\nConnection: close\r\n\r\n'
  expect(parsed(await sendRaw(server.port, empty)).status).toBe(400)
})

test('the wake page escapes HTML in host and branch', () => {
  const page = wakePage('"><img src=x>', `<script>alert('1')</script>&`)
  expect(page).not.toContain('<script>')
  expect(page).not.toContain('<img')
  expect(page).toContain('&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;')
})

test.each([
  [{ host: 'Main--Shop.localhost:9080' }, 'main--shop.localhost'],
  [{ host: 'gateway', 'x-forwarded-host': 'a.example, b.example' }, 'a.example'],
  [{ host: 'gateway', 'x-forwarded-host': '' }, 'gateway'],
  [{ host: 'a.example.' }, 'a.example'],
  [{ host: 'a.example.:443' }, 'a.example'],
  [{ host: '[::1]:9000' }, '[::1]'],
  [{}, ''],
] as const)('the visitor host of the headers %j is "%s"', (headers, expected) => {
  expect(visitorHost(headers)).toBe(expected)
})
