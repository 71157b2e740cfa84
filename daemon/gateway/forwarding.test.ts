import { once } from 'node:events'
import { Agent } from 'node:http'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { endApps, startApp } from '../../test/support/daemon/gateway/app.ts'
import {
  endGateways,
  host,
  routeTo,
  type Started,
  startGateway,
} from '../../test/support/daemon/gateway/started.ts'
import { exchangeRaw, open, read, visit } from '../../test/support/daemon/gateway/visit.ts'

let started: Started
let gateway: Started['gateway']
let port: number

beforeAll(async () => {
  started = await startGateway()
  ;({ gateway, port } = started)
})
afterEach(endApps)
afterAll(endGateways)

/** Starts an app and sets the route of the test host to it. */
async function startRoutedApp(options: Parameters<typeof startApp>[0] = {}) {
  const app = await startApp(options)
  await gateway.route(routeTo(app.port))
  return app
}

test('the gateway forwards a request to the app of its host, and the response to the client', async () => {
  await startRoutedApp()
  const answer = await visit(port, '/a/b?c=%20d', { method: 'POST', body: 'hello' })
  expect(answer.status).toBe(200)
  expect(answer.json).toMatchObject({ method: 'POST', url: '/a/b?c=%20d', body: 'hello' })
  expect(answer.json.headers).toMatchObject({ host, 'content-length': '5' })
})

test.each([host.toUpperCase(), `${host}.`, `${host}:9080`, `Main--Shop.localhost.:1`])(
  'the gateway finds the route of the Host header %s',
  async (written) => {
    await startRoutedApp()
    const answer = await visit(port, '/', { headers: { host: written } })
    expect(answer.json.headers.host).toBe(written)
  },
)

test('the gateway forwards requests for two hosts to their own apps', async () => {
  await startRoutedApp()
  const other = await startApp({ name: 'other' })
  await gateway.route(routeTo(other.port, { hostname: 'other.localhost', environmentId: 2 }))
  const answers = await Promise.all(
    ['other.localhost', host].map((name) => visit(port, '/', { headers: { host: name } })),
  )
  expect(answers.map(({ json }) => json.name)).toEqual(['other', 'app'])
})

test('an unknown host gets 404 without the host name in the body', async () => {
  const answer = await visit(port, '/', { headers: { host: 'nobody.localhost' } })
  expect(answer.status).toBe(404)
  expect(answer.json).toEqual({ error: expect.stringContaining('no app is served') })
  const page = await visit(port, '/', {
    headers: { host: 'nobody.localhost', accept: 'text/html,*/*' },
  })
  expect(page.headers['content-type']).toContain('text/html')
  expect(page.text).not.toContain('nobody')
})

test.each(['<script>alert(1)</script>', 'a b', '"x"', '..', 'a/b', '[::1', ''])(
  'an invalid Host header gets 400 without its text in the body: %j',
  async (name) => {
    const bytes = `GET / HTTP/1.1\r\nHost: ${name}\r\nConnection: close\r\n\r\n`
    const answer = await exchangeRaw(port, bytes)
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).not.toContain('script')
  },
)

test('the gateway routes an IPv6 literal in the Host header', async () => {
  const app = await startApp()
  await gateway.route(routeTo(app.port, { hostname: '[::1]', environmentId: 3 }))
  expect((await visit(port, '/', { headers: { host: '[::1]:9080' } })).status).toBe(200)
})

test('the host of an absolute request target overrides the Host header', async () => {
  await startRoutedApp()
  const answer = await exchangeRaw(
    port,
    `GET http://${host}/x?y HTTP/1.1\r\nHost: nobody.localhost\r\nConnection: close\r\n\r\n`,
  )
  expect(answer).toContain('"url":"/x?y"')
  expect(answer).toContain(`"host":"${host}"`)
})

test('the gateway removes hop-by-hop headers from requests and responses', async () => {
  await startRoutedApp({
    handler: `
      response.writeHead(200, { Connection: 'close, X-Mine', 'X-Mine': '1', 'Keep-Alive': 'timeout=9', 'X-Kept': '2', 'Proxy-Authenticate': 'Basic' })
      response.end(JSON.stringify(request.headers))`,
  })
  const answer = await visit(port, '/', {
    headers: {
      connection: 'keep-alive, X-Secret, Content-Length, Host',
      'x-secret': '1',
      'x-kept': '2',
      'proxy-connection': 'keep-alive',
      'keep-alive': 'timeout=1',
      te: 'trailers, deflate',
      proxy: 'http://evil',
    },
  })
  expect(answer.json).toMatchObject({ 'x-kept': '2', host, te: 'trailers' })
  for (const name of ['x-secret', 'proxy-connection', 'keep-alive', 'proxy', 'upgrade']) {
    expect(answer.json).not.toHaveProperty(name)
  }
  expect(answer.json.connection).toBe('keep-alive')
  expect(answer.headers['x-kept']).toBe('2')
  for (const name of ['x-mine', 'proxy-authenticate'])
    expect(answer.headers).not.toHaveProperty(name)
  expect(answer.headers['keep-alive']).not.toBe('timeout=9')
})

test('the gateway keeps repeated headers, their case and their Latin-1 values', async () => {
  await startRoutedApp({
    handler: `
      response.writeHead(200, ['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', 'X-Case-Kept', 'é'])
      response.end(JSON.stringify(request.rawHeaders))`,
  })
  const answer = await exchangeRaw(
    port,
    `GET / HTTP/1.1\r\nHost: ${host}\r\nX-Twice: 1\r\nX-tWICE: 2\r\nX-Latin: \xe9\r\nConnection: close\r\n\r\n`,
  )
  expect(answer).toContain('Set-Cookie: a=1\r\nSet-Cookie: b=2\r\nX-Case-Kept: \xe9\r\n')
  expect(answer).toContain('"X-Twice","1","X-tWICE","2","X-Latin"')
})

test('the gateway keeps the X-Forwarded headers of a trusted peer', async () => {
  await startRoutedApp()
  const { json } = await visit(port, '/', {
    headers: {
      'x-forwarded-for': '203.0.113.7',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'shop.example.com',
      'x-request-id': 'mine-1',
    },
  })
  expect(json.headers).toMatchObject({
    'x-forwarded-for': '203.0.113.7, 127.0.0.1',
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'shop.example.com',
    'x-request-id': 'mine-1',
  })
})

test('the gateway replaces the X-Forwarded headers of an untrusted peer', async () => {
  const strict = await startGateway({ trustedProxies: [] })
  const app = await startApp()
  await strict.gateway.route(routeTo(app.port))
  const { json } = await visit(strict.port, '/', {
    headers: {
      'x-forwarded-for': '203.0.113.7',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'shop.example.com',
      x_forwarded_for: '203.0.113.8',
      'x-forwarded-port': '443',
      'x-real-ip': '203.0.113.7',
      forwarded: 'for=203.0.113.7',
      'x-request-id': 'with a space',
    },
  })
  expect(json.headers).toMatchObject({
    'x-forwarded-for': '127.0.0.1',
    'x-forwarded-proto': 'http',
    'x-forwarded-host': host,
    'x-request-id': expect.stringMatching(/^[a-z0-9]+-[a-z0-9]+$/),
  })
  for (const name of ['x_forwarded_for', 'x-forwarded-port', 'x-real-ip', 'forwarded']) {
    expect(json.headers).not.toHaveProperty(name)
  }
})

test("the gateway passes an app's error statuses and empty responses through", async () => {
  await startRoutedApp({
    handler: `
      const status = Number(request.url.slice(1))
      response.writeHead(status, 'As It Says', { 'x-app': 'yes' })
      response.end(status === 204 || status === 304 ? undefined : 'my own')`,
  })
  for (const status of [204, 304, 404, 500, 502, 503]) {
    const answer = await visit(port, `/${status}`)
    expect(answer).toMatchObject({ status, text: status < 400 ? '' : 'my own' })
    expect(answer.headers['x-app']).toBe('yes')
  }
})

test('the response to HEAD has headers and no body', async () => {
  await startRoutedApp({
    handler: `response.writeHead(200, { 'content-length': 1234 }); response.end()`,
  })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  for (let turn = 0; turn < 2; turn += 1) {
    const answer = await visit(port, '/', { method: 'HEAD', agent })
    expect(answer).toMatchObject({ status: 200, text: '' })
    expect(answer.headers['content-length']).toBe('1234')
  }
  agent.destroy()
})

test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'GET', 'PURGE'])(
  'a %s request passes with a sized body, a chunked body and no body',
  async (method) => {
    await startRoutedApp()
    const whole = await visit(port, '/', {
      method,
      body: 'whole',
      headers: { 'content-length': '5' },
    })
    expect(whole.json).toMatchObject({ method, body: 'whole' })
    const pieces = open(port, '/', { method, headers: { 'transfer-encoding': 'chunked' } })
    pieces.write('in ')
    pieces.end('pieces')
    const [response] = await once(pieces, 'response')
    expect((await read(response)).json).toMatchObject({ method, body: 'in pieces' })
    const answer = await exchangeRaw(
      port,
      `${method} / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
    )
    expect(answer).toContain('"body":""')
  },
)

test('an HTTP/1.0 client gets a response without chunks', async () => {
  await startRoutedApp({ handler: `response.write('one '); response.end('two')` })
  const answer = await exchangeRaw(port, `GET / HTTP/1.0\r\nHost: ${host}\r\n\r\n`)
  expect(answer).toMatch(/\r\n\r\none two$/)
  expect(answer).not.toMatch(/transfer-encoding/i)
})

test('pipelined requests are answered in order', async () => {
  await startRoutedApp()
  const one = (path: string, last = '') => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${last}\r\n`
  const answer = await exchangeRaw(port, one('/1') + one('/2') + one('/3', 'Connection: close\r\n'))
  expect([...answer.matchAll(/"url":"(\/\d)"/g)].map(([, path]) => path)).toEqual([
    '/1',
    '/2',
    '/3',
  ])
})

test('the gateway forwards trailers of requests and responses', async () => {
  await startRoutedApp({
    handler: `
      request.resume()
      request.on('end', () => {
        response.writeHead(200, { Trailer: 'X-After' })
        response.write('body')
        response.addTrailers({ 'X-After': request.trailers['x-sum'] ?? 'none' })
        response.end()
      })`,
  })
  const sent = open(port, '/', {
    method: 'POST',
    headers: { 'transfer-encoding': 'chunked', trailer: 'X-Sum' },
  })
  sent.write('some')
  sent.addTrailers({ 'X-Sum': '42' })
  sent.end()
  const [response] = await once(sent, 'response')
  expect((await read(response)).trailers).toEqual({ 'x-after': '42' })
})

test('the gateway lets the app decide on a request with Expect: 100-continue', async () => {
  await startRoutedApp({
    handler: `response.end('too large')`,
    setUp: `server.on('checkContinue', (request, response) => {
      if (request.url === '/no') { response.writeHead(413); response.end('no') }
      else { response.writeContinue(); request.pipe(response) }
    })`,
  })
  const yes = open(port, '/yes', { method: 'PUT', headers: { expect: '100-continue' } })
  yes.flushHeaders()
  await once(yes, 'continue')
  yes.end('body')
  expect((await read((await once(yes, 'response'))[0])).text).toBe('body')

  const no = open(port, '/no', {
    method: 'PUT',
    headers: { expect: '100-continue', 'content-length': '5' },
  })
  no.flushHeaders()
  const [refused] = await once(no, 'response')
  expect(refused.statusCode).toBe(413)
  expect(refused.headers.connection).toBe('close')
  no.destroy()
})

test('the gateway forwards 103 and 102 before the response', async () => {
  await startRoutedApp({
    handler: `
      response.writeEarlyHints({ link: '</style.css>; rel=preload; as=style' })
      response.writeProcessing()
      response.end('done')`,
  })
  const sent = open(port, '/')
  const seen: number[] = []
  sent.on('information', ({ statusCode }) => seen.push(statusCode))
  sent.end()
  const [response] = await once(sent, 'response')
  expect((await read(response)).text).toBe('done')
  expect(seen).toEqual([103, 102])
})
