import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, type TestServer } from '../../test/support/daemon/http/test-server.ts'
import { createPages } from './serve.ts'

const folder = mkdtempSync(join(tmpdir(), 'strata-page-'))
const index = '<!doctype html><title>Strata</title>'
const script = 'console.log(1)'

let server: TestServer

beforeAll(async () => {
  writeFileSync(join(folder, 'index.html'), index)
  writeFileSync(join(folder, 'main-ABCD.js'), script)
  writeFileSync(join(folder, 'main-ABCD.js.gz'), gzipSync(script))
  mkdirSync(join(folder, 'inner'))
  server = await startServer({ pages: createPages(folder) })
})

afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true })
})

interface Answer {
  readonly status: number | undefined
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly bytes: Buffer
}

/** `fetch` would decompress the body. */
function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(`${server.url}${path}`, { method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const { statusCode: status } = response
        resolve({ status, headers: response.headers, bytes: Buffer.concat(chunks) })
      })
    })
    sent.on('error', reject).end()
  })
}

describe('the dashboard', () => {
  test.each(['/', '/projects', '/projects/', '/projects/12', '/environments/3', '/tokens'])(
    'answers %s with the page, which browsers revalidate',
    async (path) => {
      const { status, headers, bytes } = await ask(path)
      expect({ status, text: bytes.toString() }).toEqual({ status: 200, text: index })
      expect(headers['cache-control']).toBe('no-cache')
      expect(headers['content-type']).toBe('text/html; charset=utf-8')
    },
  )

  test.each(['/nothing', '/projects/0', '/projects/x', '/assets/none.js', '/assets/../index.html'])(
    'answers 404 for %s',
    async (path) => {
      expect((await ask(path)).status).toBe(404)
    },
  )

  test('forbids inline code, other origins and frames', async () => {
    for (const path of ['/', '/assets/main-ABCD.js']) {
      const { headers } = await ask(path)
      const policy = String(headers['content-security-policy'])
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toMatch(/unsafe|\*|https?:/)
      expect(headers).toMatchObject({
        'x-frame-options': 'DENY',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
      })
      expect(headers['set-cookie']).toBeUndefined()
    }
  })

  test('lets browsers keep files with a hash in their name for a year', async () => {
    const { headers, bytes } = await ask('/assets/main-ABCD.js')
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(headers['content-type']).toBe('text/javascript; charset=utf-8')
    expect(bytes.toString()).toBe(script)
  })

  test('sends the compressed variant to browsers that accept it', async () => {
    const { headers, bytes } = await ask('/assets/main-ABCD.js', { 'accept-encoding': 'gzip, br' })
    expect(headers['content-encoding']).toBe('gzip')
    expect(headers.vary).toBe('Accept-Encoding')
    expect(gunzipSync(bytes).toString()).toBe(script)
    const refused = await ask('/assets/main-ABCD.js', { 'accept-encoding': 'gzip;q=0' })
    expect(refused.headers['content-encoding']).toBeUndefined()
  })

  test('answers 304 for the tag that it sent', async () => {
    const tag = String((await ask('/')).headers.etag)
    const { status, bytes } = await ask('/', { 'if-none-match': `"other", ${tag}` })
    expect({ status, length: bytes.length }).toEqual({ status: 304, length: 0 })
    expect((await ask('/', { 'if-none-match': '"other"' })).status).toBe(200)
  })

  test('answers HEAD without a body, and 405 for other methods', async () => {
    const { status, headers, bytes } = await ask('/', {}, 'HEAD')
    expect({ status, length: bytes.length }).toEqual({ status: 200, length: 0 })
    expect(headers['content-length']).toBe(String(index.length))
    const posted = await ask('/', {}, 'POST')
    expect(posted.status).toBe(405)
    expect(posted.headers.allow).toBe('GET, HEAD')
  })
})

test('a daemon without a built page says how to build it', async () => {
  const without = await startServer({ pages: createPages(join(folder, 'none')) })
  const { status, text } = await without.call('GET', '//')
  expect(status).toBe(404)
  expect(text).toBe(
    'this stratad has no page: run `npm run build` in its checkout, then restart it\n',
  )
  await without.stop()
})
