import { realpathSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createApp, type Files, temporaryFolder } from '../../../test/support/daemon/build/app.ts'
import { createSiteHandler } from './site-handler.ts'

const files = {
  'site/index.html': '<h1>home</h1>',
  'site/about.html': 'about',
  'site/docs/index.html': 'docs',
  'site/a b.txt': 'spaces',
  'site/style.css': 'body{}',
  'site/.env': 'SECRET=1',
  'site/.git/config': 'secret',
  'site/strata.json': '{}',
  'site/out.txt': { link: '../secret.txt' },
  'site/inside.txt': { link: 'style.css' },
  'secret.txt': 'secret',
} satisfies Files

async function serve(more: Files = {}, isSpa = false) {
  const root = createApp(join(temporaryFolder(), 'app'), { ...files, ...more })
  const folder = realpathSync(join(root, 'site'))
  const server = createServer(createSiteHandler({ folder, isSpa })).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  /** Sends the path as it is: fetch would normalize it. */
  return (path: string, { method = 'GET', headers = {} } = {}) =>
    new Promise<{ status: number; text: string; headers: Record<string, unknown> }>(
      (resolve, reject) => {
        const sent = request({ port, host: '127.0.0.1', path, method, headers, agent: false })
        sent.on('response', (response) => {
          let text = ''
          response.setEncoding('utf8').on('data', (chunk) => {
            text += chunk
          })
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, text, headers: response.headers }),
          )
        })
        sent.on('error', reject).end()
      },
    )
}

test.each([
  ['/', '<h1>home</h1>', 'text/html; charset=utf-8'],
  ['/about', 'about', 'text/html; charset=utf-8'],
  ['/docs/', 'docs', 'text/html; charset=utf-8'],
  ['/a%20b.txt?x=1', 'spaces', 'text/plain; charset=utf-8'],
  ['/inside.txt', 'body{}', 'text/plain; charset=utf-8'],
])('serves %s', async (path, text, type) => {
  const get = await serve()
  expect(await get(path)).toMatchObject({ status: 200, text, headers: { 'content-type': type } })
})

test.each([
  '/.env',
  '/.git/config',
  '/%2eenv',
  '/strata.json',
  '/../secret.txt',
  '/docs/../../secret.txt',
  '/%2e%2e/secret.txt',
  '/..%2fsecret.txt',
  '/docs%2f..%2f..%2fsecret.txt',
  '/out.txt',
  '/%00',
  '/%',
  '/absent',
  '//etc/passwd',
])('does not find %s', async (path) => {
  for (const isSpa of [false, true]) {
    const get = await serve({}, isSpa)
    const { text } = await get(path)
    expect(text).not.toMatch(/secret|SECRET|root:/)
    if (!isSpa) expect((await get(path)).status).toBe(404)
  }
})

test('answers unknown paths with 404.html and status 404, or with index.html for a site that routes in the browser', async () => {
  const get = await serve({ 'site/404.html': 'nothing here' })
  expect(await get('/absent')).toMatchObject({ status: 404, text: 'nothing here' })
  const spa = await serve({ 'site/404.html': 'nothing here' }, true)
  expect(await spa('/orders/5')).toMatchObject({ status: 200, text: '<h1>home</h1>' })
  expect(await spa('/absent.js')).toMatchObject({ status: 404, text: 'nothing here' })
  expect(await spa('/orders/5', { method: 'HEAD' })).toMatchObject({ status: 200, text: '' })
})

test('answers conditional and range requests', async () => {
  const get = await serve()
  const { headers } = await get('/style.css')
  const etag = String(headers.etag)
  expect(await get('/style.css', { headers: { 'if-none-match': `"x", ${etag}` } })).toMatchObject({
    status: 304,
    text: '',
  })
  expect(await get('/style.css', { headers: { range: 'bytes=1-2' } })).toMatchObject({
    status: 206,
    text: 'od',
    headers: { 'content-range': 'bytes 1-2/6' },
  })
  expect(await get('/style.css', { headers: { range: 'bytes=9-' } })).toMatchObject({ status: 416 })
})

test('refuses other methods', async () => {
  const get = await serve()
  expect(await get('/', { method: 'POST' })).toMatchObject({
    status: 405,
    headers: { allow: 'GET, HEAD' },
  })
})
