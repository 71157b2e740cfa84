import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ApiError, createClient } from '../../examples/blog-app/client/index.ts'
import { runTool } from '../support/generator/properties/run-tool.ts'
import { cases, render } from './snapshots/cases.ts'

test('the client of every project compiles alone, with the types of a browser', async () => {
  const root = mkdtempSync(join(tmpdir(), 'strata-client-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  for (const each of cases) {
    for (const [path, text] of await render(each)) {
      if (path.startsWith('client/')) write(join(root, each.name, path), text)
    }
  }
  const include = ['*/client']
  write(join(root, 'tsconfig.json'), JSON.stringify({ compilerOptions: browser, include }))
  const { code, output } = await runTool(root, 'tsc', '-p', 'tsconfig.json')
  expect(code, output).toBe(0)
})

describe('the client', () => {
  test('resolves to undefined on 204', async () => {
    const { posts } = await clientOf((_req, res) => res.writeHead(204).end())
    expect(await posts.remove(1)).toBeUndefined()
  })

  test('rejects with the faults of a 400', async () => {
    const details = [{ path: 'title', message: 'is required' }]
    const { posts } = await clientOf((_req, res) => {
      res.writeHead(400, { 'content-type': 'application/json' })
      res.end(JSON.stringify({ error: 'validation failed', details }))
    })
    const refused = posts.create({ title: '' })
    await expect(refused).rejects.toBeInstanceOf(ApiError)
    await expect(refused).rejects.toMatchObject({ message: 'validation failed', details })
  })

  test('rejects with the seconds of Retry-After, also if a proxy sends no JSON', async () => {
    const { posts } = await clientOf((_req, res) => {
      res.writeHead(429, { 'retry-after': '7' }).end('slow down')
    })
    await expect(posts.list()).rejects.toMatchObject({ status: 429, retryAfter: 7 })
  })

  test('cancels a request when its signal aborts', async () => {
    const controller = new AbortController()
    const { posts } = await clientOf(() => controller.abort())
    const pending = posts.find(1, { signal: controller.signal })
    await expect(pending).rejects.toMatchObject({ name: 'AbortError' })
  })

  test('sends the token, and the headers of a call', async () => {
    const sent: unknown[] = []
    const { posts } = await clientOf(({ headers }, res) => {
      sent.push(headers.authorization, headers['if-match'], headers['content-type'])
      res.writeHead(204).end()
    })
    await posts.update(1, { title: 'new' }, { headers: { 'if-match': '"1"' } })
    expect(sent).toEqual(['Bearer secret', '"1"', 'application/json'])
  })
})

const browser = {
  target: 'es2022',
  lib: ['es2022', 'dom'],
  types: [],
  module: 'esnext',
  moduleResolution: 'bundler',
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
}

async function clientOf(respond: RequestListener) {
  const server = createServer(respond)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo // A TCP server has a port.
  return createClient({ baseUrl: `http://127.0.0.1:${port}`, token: 'secret' })
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
