import { execFile } from 'node:child_process'
import { networkInterfaces } from 'node:os'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parsed, sendRaw } from '../../test/support/daemon/http/raw.ts'
import {
  masterToken,
  startServer,
  type TestServer,
} from '../../test/support/daemon/http/test-server.ts'
import { redacted } from '../domain/redacted.ts'
import { DaemonError } from '../errors.ts'
import { isLoopbackAddress } from './peers.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  server.rig.commit('main')
})
afterAll(() => server.stop())

const bearer = `Authorization: Bearer ${masterToken}`

describe('an unknown path or method', () => {
  test.each(['/nothing', '/projects/', '/Projects', '//api/v2/projects', '//api', '/projects/1/x'])(
    'answers 404 for %s',
    async (path) => {
      const { status, json } = await server.call('GET', path, { token: null })
      expect({ status, json }).toEqual({ status: 404, json: { error: 'no such path' } })
    },
  )

  test('answers 404 outside /api too, unless pages are served', async () => {
    expect((await server.call('GET', '//')).status).toBe(404)
    const withPages = await startServer({
      pages: (req, res, next) => {
        if (req.path === '/') res.type('html').send('<h1>strata</h1>')
        else next()
      },
    })
    expect((await withPages.call('GET', '//')).text).toBe('<h1>strata</h1>')
    expect((await withPages.call('GET', '//other')).json).toEqual({ error: 'no such path' })
    expect((await withPages.call('GET', '/other')).json).toEqual({ error: 'no such path' })
    await withPages.stop()
  })

  test('answers 400 for a path that is not percent-encoded UTF-8', async () => {
    const { status, json } = await server.call('GET', '/projects/%ff')
    expect({ status, json }).toEqual({ status: 400, json: { error: 'the path is malformed' } })
  })

  test.each([
    ['PUT', '/projects', 'GET, HEAD, POST'],
    ['OPTIONS', '/projects', 'GET, HEAD, POST'],
    ['DELETE', '/health', 'GET, HEAD'],
    ['GET', '/projects/1/deploy', 'POST'],
    ['HEAD', '/backup', 'GET'],
    ['HEAD', '/environments/1/logs/stream', 'GET'],
    ['PUT', '/heartbeat', 'GET, HEAD, POST'],
  ])('answers 405 for %s %s with the allowed methods', async (method, path, allowed) => {
    const { status, headers, json } = await server.call(method, path)
    expect(status).toBe(405)
    expect(headers.get('allow')).toBe(allowed)
    if (method !== 'HEAD') expect(json).toHaveProperty('error')
  })

  test('answers 404 for malformed ids', async () => {
    for (const id of ['0', '-1', '1.5', 'x', '1e3', '01', '9007199254740993', '1'.repeat(40)]) {
      const { status, json } = await server.call('GET', `/projects/${id}`)
      expect({ id, status }).toEqual({ id, status: 404 })
      expect(json).toHaveProperty('error')
    }
  })
})

describe('every response', () => {
  test('carries headers that forbid framing, sniffing and caching', async () => {
    for (const [method, path] of [
      ['GET', '/health'],
      ['GET', '/nothing'],
      ['GET', '/heartbeat'],
      ['POST', '/wake'],
    ] as const) {
      const { headers } = await server.call(method, path)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(headers.get('access-control-allow-origin')).toBeNull()
      expect(headers.get('x-powered-by')).toBeNull()
      expect(headers.get('etag')).toBeNull()
    }
  })

  test('echoes a valid X-Request-Id and otherwise creates one', async () => {
    const given = async (id: string) =>
      (await server.call('GET', '/health', { headers: { 'x-request-id': id } })).headers.get(
        'x-request-id',
      )
    expect(await given('abc-123')).toBe('abc-123')
    expect(await given('x'.repeat(129))).toMatch(/^[0-9a-f-]{36}$/)
    expect(await given('two words')).toMatch(/^[0-9a-f-]{36}$/)
    const { headers } = await server.call('GET', '/nothing')
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('to HEAD has the headers of GET without a body', async () => {
    const { status, text, headers } = await server.call('HEAD', '/health')
    expect({ status, text }).toEqual({ status: 200, text: '' })
    expect(Number(headers.get('content-length'))).toBeGreaterThan(0)
  })
})

test('a request passes its request id to the use cases, and its log line has no query and no token', async () => {
  const path = '/projects/1/deploy'
  await server.call('POST', path, { body: { branch: 'main' }, headers: { 'x-request-id': 'r-77' } })
  expect(server.changes().at(-1)?.actor).toMatchObject({ operator: 'master', requestId: 'r-77' })
  await server.call('GET', '/audit?token=secret-in-query')
  const lines = server.logged.filter(({ message }) => message === 'request')
  expect(lines.find(({ requestId }) => requestId === 'r-77')).toMatchObject({
    level: 'info',
    method: 'POST',
    path: `/api/v1${path}`,
    status: 201,
    operator: 'master',
  })
  expect(JSON.stringify(server.logged)).not.toContain('secret-in-query')
  expect(JSON.stringify(server.logged)).not.toContain(masterToken)
})

describe('an error of a use-case', () => {
  /** Makes `GET /stats` fail with `error`. */
  async function failWith(error: Error, headers: Record<string, string> = {}) {
    const { runtime } = server.rig
    const { capacity } = runtime
    runtime.capacity = () => Promise.reject(error)
    const response = await server.call('GET', '/stats', { headers })
    runtime.capacity = capacity
    return response
  }

  test('that is a bug answers 500 with the request id and logs the stack', async () => {
    const { status, json } = await failWith(new TypeError('the inner workings of /srv/data'), {
      'x-request-id': 'crash-1',
    })
    expect(status).toBe(500)
    expect(json).toEqual({ error: 'internal error', request_id: 'crash-1' })
    const logged = server.logged.find(
      ({ level, requestId }) => level === 'error' && requestId === 'crash-1',
    )
    expect((logged?.err as Error | undefined)?.stack).toContain('the inner workings')
  })

  test('about a full disk answers 503 and names the disk', async () => {
    const full = new Error('ENOSPC: no space left on device, write')
    const { status, json } = await failWith(Object.assign(full, { code: 'ENOSPC' }))
    expect(status).toBe(503)
    expect(json).toEqual({ error: 'the disk of the data folder is full: free some space' })
  })

  test.each([
    ['bad-request', 400],
    ['unauthorized', 401],
    ['forbidden', 403],
    ['not-found', 404],
    ['conflict', 409],
    ['too-large', 413],
    ['too-slow', 408],
    ['unprocessable', 422],
    ['throttled', 429],
    ['unavailable', 503],
    ['transient', 503],
    ['internal', 500],
  ] as const)('of the kind %s answers %i', async (kind, expected) => {
    const details = { details: { environment_id: 7 } }
    const { status, json } = await failWith(new DaemonError(kind, 'a sentence', details))
    expect(status).toBe(expected)
    if (kind === 'internal') expect(json).toMatchObject({ error: 'internal error' })
    else expect(json).toEqual({ error: 'a sentence', environment_id: 7 })
  })
})

describe('a malformed HTTP request', () => {
  test.each([
    ['text that is not HTTP', 'hello\r\n\r\n', 400],
    ['headers past the limit', `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['a header without a name', 'GET / HTTP/1.1\r\n: x\r\n\r\n', 400],
    ['no Host', 'GET /api/v1/health HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    [
      'two Content-Length headers',
      'POST /api/v1/projects HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx',
      400,
    ],
    [
      'both Content-Length and chunks',
      'POST /api/v1/projects HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    [
      'an unknown expectation',
      'GET /api/v1/health HTTP/1.1\r\nHost: a\r\nExpect: wonders\r\n\r\n',
      417,
    ],
  ])('with %s gets a JSON error', async (_title, bytes, expected) => {
    const { status, json, headers } = parsed(await sendRaw(server.port, bytes))
    expect(status).toBe(expected)
    expect(json).toEqual({ error: expect.any(String) })
    expect(headers).toMatch(/Connection: close/i)
  })

  test('shorter than its Content-Length does not disturb the next request', async () => {
    const response = sendRaw(
      server.port,
      `POST /api/v1/projects HTTP/1.1\r\nHost: a\r\n${bearer}\r\nContent-Length: 900\r\n\r\n{"repo`,
      () => true,
    )
    // The server waits for the rest of the body. The client disconnects.
    const left = new Promise<string>((resolve) => setTimeout(resolve, 100, 'left'))
    expect(await Promise.race([response, left])).toBe('left')
    expect((await server.call('GET', '/health')).status).toBe(200)
  })

  test('does not disturb pipelining: two requests on one connection get two responses in order', async () => {
    const one = 'GET /api/v1/health HTTP/1.1\r\nHost: a\r\n\r\n'
    const two = 'GET /api/v1/nothing HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'
    const responses = await sendRaw(server.port, one + two)
    expect(responses.match(/HTTP\/1\.1 (\d+)/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 404'])
  })
})

describe('the Authorization header', () => {
  const withHeader = (authorization: string) =>
    server.call('GET', '/projects', { token: null, headers: { authorization } })

  test.each([`bearer ${masterToken}`, `BEARER  ${masterToken}`, `Bearer ${masterToken} `])(
    'accepts the scheme Bearer in any case: %s',
    async (header) => {
      expect((await withHeader(header)).status).toBe(200)
    },
  )

  test.each([
    masterToken,
    'Bearer',
    'Bearer ',
    `Basic ${masterToken}`,
    `Bearer ${masterToken} x`,
    `Bearer\t${masterToken}`,
    `Bearer ${masterToken.slice(1)}`,
    `Bearer ${masterToken}x`,
    `Bearer, Bearer ${masterToken}`,
    `Bearer ${'x'.repeat(5000)}`,
  ])('answers 401 if malformed: %.60s', async (header) => {
    const { status, headers, json } = await withHeader(header)
    expect(status).toBe(401)
    expect(headers.get('www-authenticate')).toBe('Bearer realm="stratad"')
    expect(json).toEqual({ error: expect.any(String) })
  })

  test('is checked before the body', async () => {
    const { status } = await server.call('POST', '/projects', { token: null, raw: '{"broken' })
    expect(status).toBe(401)
  })

  test('cannot be replaced by a token in the query', async () => {
    const path = `/projects?access_token=${masterToken}`
    expect((await server.call('GET', path, { token: null })).status).toBe(401)
  })
})

describe('without a master token', () => {
  test('the API answers this machine and refuses pages of other sites', async () => {
    const open = await startServer({ config: { token: { kind: 'none' } } })
    const get = async (headers: Record<string, string>) => {
      const lines = Object.entries({ Host: `localhost:${open.port}`, ...headers })
      const text = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
      return parsed(
        await sendRaw(
          open.port,
          `GET /api/v1/projects HTTP/1.1\r\n${text}Connection: close\r\n\r\n`,
        ),
      ).status
    }
    expect(await get({})).toBe(200)
    expect(await get({ Host: `[::1]:${open.port}` })).toBe(200)
    expect(await get({ Host: '127.0.0.1' })).toBe(200)
    expect(await get({ Origin: `http://localhost:${open.port}` })).toBe(200)
    expect(await get({ Origin: 'https://evil.example' })).toBe(403)
    expect(await get({ Origin: 'null' })).toBe(403)
    expect(await get({ 'Sec-Fetch-Site': 'cross-site' })).toBe(403)
    // DNS rebinding: the host name of the page resolves to this machine.
    expect(await get({ Host: 'evil.example', Origin: 'http://evil.example' })).toBe(403)
    expect((await open.call('POST', '/tokens', { token: null, body: { name: 'ci' } })).status).toBe(
      201,
    )
    await open.stop()
  })

  test('the API answers any host name if SERVICE_ALLOW_OPEN_API is set', async () => {
    const open = await startServer({ config: { token: { kind: 'none' }, allowOpenApi: true } })
    const request = 'GET /api/v1/projects HTTP/1.1\r\nHost: build.lan\r\nConnection: close\r\n\r\n'
    expect(parsed(await sendRaw(open.port, request)).status).toBe(200)
    await open.stop()
  })
})

describe('the setup routes', () => {
  const auto = { kind: 'auto', value: redacted('a'.repeat(64)) } as const
  const token = async (
    config: Parameters<typeof startServer>[0],
    host = 'localhost',
    header = 'Accept: */*',
  ) => {
    const own = await startServer(config)
    const request = `GET /api/v1/setup/token HTTP/1.1\r\nHost: ${host}\r\n${header}\r\nConnection: close\r\n\r\n`
    const response = parsed(await sendRaw(own.port, request))
    await own.stop()
    return response
  }

  test('give the generated token to a loopback peer of the user that runs the daemon', async () => {
    expect(await token({ config: { token: auto } })).toMatchObject({
      status: 200,
      json: { token: 'a'.repeat(64) },
    })
  })

  test('give the generated token to a loopback peer over IPv6', async () => {
    const own = await startServer({ config: { token: auto }, host: '::' })
    const request =
      'GET /api/v1/setup/token HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'
    for (const host of ['::1', '127.0.0.1']) {
      expect(parsed(await sendRaw(own.port, request, undefined, host)).status).toBe(200)
    }
    await own.stop()
  })

  test.each([
    'X-Forwarded-For: 127.0.0.1',
    'X-Forwarded-Proto: https',
    'Forwarded: for=127.0.0.1',
    'Via: 1.1 proxy',
    'X-Real-IP: 127.0.0.1',
    'CF-Connecting-IP: 127.0.0.1',
  ])('answer 404 to a loopback peer that sends "%s", as a proxy does', async (header) => {
    expect((await token({ config: { token: auto } }, 'localhost', header)).status).toBe(404)
    const anybody = { token: auto, bootstrapAccess: 'any' } as const
    expect((await token({ config: anybody }, 'localhost', header)).status).toBe(200)
  })

  const isRoot = process.getuid?.() === 0

  test.skipIf(!isRoot)(
    'answer 404 to a loopback peer of another user (skipped without root)',
    async () => {
      const ask = async (bootstrapAccess: 'loopback' | 'any', uid: number) => {
        const own = await startServer({ config: { token: auto, bootstrapAccess } })
        const script = `fetch('${own.url}/api/v1/setup/token').then(async (response) => console.log(response.status, await response.text()))`
        const options = { uid, gid: uid, cwd: '/' }
        const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], options)
        await own.stop()
        return stdout
      }
      expect(await ask('loopback', 0)).toContain('a'.repeat(64))
      expect(await ask('any', 65_534)).toContain('a'.repeat(64))
      const refused = await ask('loopback', 65_534)
      expect(refused).toMatch(/^404 /)
      expect(refused).not.toContain('a'.repeat(64))
    },
  )

  test('answer 404 if the token was set by the operator, access is off or the host name is foreign', async () => {
    expect((await token({})).status).toBe(404)
    expect((await token({ config: { token: { kind: 'none' } } })).status).toBe(404)
    expect((await token({ config: { token: auto, bootstrapAccess: 'off' } })).status).toBe(404)
    expect((await token({ config: { token: auto } }, 'evil.example')).status).toBe(404)
    const anybody = { token: auto, bootstrapAccess: 'any' } as const
    expect((await token({ config: anybody }, 'strata.example')).status).toBe(200)
  })

  const outside = Object.values(networkInterfaces())
    .flat()
    .find((one) => one?.family === 'IPv4' && !one.internal)?.address

  test.skipIf(!outside)(
    'answer 404 to a peer on another address that claims to be local',
    async () => {
      const own = await startServer({ config: { token: auto }, host: '0.0.0.0' })
      const request = [
        'GET /api/v1/setup/token HTTP/1.1',
        'Host: localhost',
        'X-Forwarded-For: 127.0.0.1',
        'Forwarded: for=127.0.0.1',
        'X-Real-IP: 127.0.0.1',
        'Connection: close',
      ].join('\r\n')
      expect(parsed(await sendRaw(own.port, `${request}\r\n\r\n`, undefined, outside)).status).toBe(
        404,
      )
      await own.stop()
    },
  )

  test.each([
    ['127.0.0.1', true],
    ['127.255.0.9', true],
    ['::1', true],
    ['::ffff:127.0.0.1', true],
    ['::FFFF:127.0.0.1', true],
    ['10.0.0.1', false],
    ['::ffff:10.0.0.1', false],
    ['127.0.0.1.evil.example', false],
    ['::', false],
    ['', false],
  ])('treat the address "%s" as loopback: %s', (address, expected) => {
    expect(isLoopbackAddress(address)).toBe(expected)
  })

  test('show the configuration in the status', async () => {
    const { json } = await server.call('GET', '/setup/status', { token: null })
    expect(json).toEqual({
      version: '1.2.3',
      auth_required: true,
      auto_token: false,
      webhook_secret_configured: true,
    })
    const bare = await startServer({ config: { token: { kind: 'none' }, webhookSecret: null } })
    expect((await bare.call('GET', '/setup/status', { token: null })).json).toMatchObject({
      auth_required: false,
      webhook_secret_configured: false,
    })
    expect((await bare.call('GET', '/setup/webhook-secret')).status).toBe(503)
    await bare.stop()
    expect((await server.call('GET', '/setup/webhook-secret')).json).toEqual({
      webhook_secret: 'webhook-secret',
    })
  })
})
