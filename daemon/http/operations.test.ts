import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../../test/support/daemon/http/test-server.ts'
import { nodeDraft } from '../../test/support/daemon/store/record-drafts.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

test('the response that creates a token contains the token, and lists never do', async () => {
  const created = await server.call('POST', '/tokens', {
    body: { name: 'ci', projects: [1], expires_in: '7d' },
  })
  const { token, expires_at } = created.json as { token: string; expires_at: string }
  expect(created.json).toMatchObject({ name: 'ci', projects: [1], role: 'maintainer' })
  expect(token).toMatch(/^[0-9a-f]{64}$/)
  expect(expires_at).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/)
  const list = await server.call('GET', '/tokens')
  expect(list.text).not.toContain(token)
  expect(list.text).not.toContain('hash')
})

test('the value of a secret appears in no response and no log line', async () => {
  const path = `/projects/${(await server.addProject('shop')).id}/secrets`
  await server.call('POST', path, { body: { name: 'DB', value: 'hunter2-value' } })
  const { text, json } = await server.call('GET', path)
  expect(json).toEqual({ secrets: [{ name: 'DB', scope: 'project' }] })
  expect(text).not.toContain('hunter2')
  expect(JSON.stringify([server.logged, server.calls])).not.toContain('hunter2')
  expect((await server.call('DELETE', `${path}/DB`)).status).toBe(204)
  expect((await server.call('DELETE', `${path}/DB`)).status).toBe(404)
  expect((await server.call('DELETE', `${path}/no-name`)).status).toBe(404)
})

test('logs are one string with one line per log line', async () => {
  const { id } = await server.addEnvironment({})
  const { write } = server.rig.logs.sink(id, 'stdout')
  for (const line of ['one', 'two', 'three']) write(Buffer.from(line), 'stdout')
  expect((await server.call('GET', `/environments/${id}/logs?lines=2`)).json).toEqual({
    logs: 'two\nthree',
  })
})

test('metrics are in Prometheus format and count requests by route', async () => {
  await server.rig.store.nodes.put(nodeDraft({ name: 'local "one"' }))
  await server.call('GET', '/health')
  const { text, headers } = await server.call('GET', '//metrics')
  expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  expect(text).toContain('strata_environments{state="running"} ')
  expect(text).toContain('strata_node_environments_live{node="local \\"one\\""} ')
  expect(text).toContain(
    'strata_http_requests_total{method="GET",route="/api/v1/health",status="200"} 1\n',
  )
  expect(text).not.toMatch(/NaN|undefined/)
  for (const sample of text.split('\n').filter((line) => /^[^#]/.test(line))) {
    expect(sample).toMatch(/^[a-z_]+(\{.*\})? \d+$/)
  }
})

test('the proxy configuration answers 304 until its ETag changes', async () => {
  const path = '/proxy/config'
  const first = await server.call('GET', path)
  const etag = first.headers.get('etag') ?? ''
  expect(etag).toMatch(/^"[0-9a-f]{64}"$/)
  for (const tag of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
    const { status, text, headers } = await server.call('GET', path, {
      headers: { 'if-none-match': tag },
    })
    expect({ tag, status, text }).toEqual({ tag, status: 304, text: '' })
    expect(headers.get('etag')).toBe(etag)
  }
  expect((await server.call('GET', path, { headers: { 'if-none-match': '"x"' } })).status).toBe(200)
  await server.addEnvironment({ branch: 'feature' })
  const next = await server.call('GET', path, { headers: { 'if-none-match': etag } })
  expect(next.status).toBe(200)
  expect(next.text).toContain('Host(`feature--p1.localhost`)')
  // Each answer counts as a poll, a 304, too. Readers differ by address and token.
  expect(server.proxyReaders).toEqual(Array(7).fill('127.0.0.1 master'))
})
