import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Started, start } from '../../test/support/daemon/http/started.ts'

let server: Started
beforeAll(async () => {
  server = await start()
})
afterAll(() => server.stop())

test('a token is shown once and never in lists', async () => {
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

test('values of secrets never leave', async () => {
  const path = `/projects/${server.addProject('shop').id}/secrets`
  await server.call('POST', path, { body: { name: 'DB', value: 'hunter2-value' } })
  const { text, json } = await server.call('GET', path)
  expect(json).toEqual({ secrets: [{ name: 'DB', scope: 'project' }] })
  expect(text).not.toContain('hunter2')
  expect(JSON.stringify([server.logged, server.changes])).not.toContain('hunter2')
  expect((await server.call('DELETE', `${path}/DB`)).status).toBe(204)
  expect((await server.call('DELETE', `${path}/DB`)).status).toBe(404)
  expect((await server.call('DELETE', `${path}/no-name`)).status).toBe(404)
})

test('logs are one text', async () => {
  const { id } = server.addEnvironment(1, 'main')
  expect((await server.call('GET', `/environments/${id}/logs?lines=2`)).json).toEqual({
    logs: 'two\nthree',
  })
})

test('metrics are Prometheus text with counts by route', async () => {
  await server.call('GET', '/health')
  const { text, headers } = await server.call('GET', '//metrics')
  expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  expect(text).toContain('strata_environments{state="running"} ')
  expect(text).toContain('strata_node_environments_live{node="local \\"one\\""} ')
  expect(text).toContain(
    'strata_http_requests_total{method="GET",route="/api/v1/health",status="200"} 1\n',
  )
  expect(text).not.toMatch(/NaN|undefined/)
  for (const sample of text.split('\n').filter((one) => one !== '' && !one.startsWith('#'))) {
    expect(sample).toMatch(/^[a-z_]+(\{.*\})? \d+$/)
  }
})

test('the proxy’s configuration is cached by its ETag', async () => {
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
  server.addEnvironment(1, 'feature')
  const next = await server.call('GET', path, { headers: { 'if-none-match': etag } })
  expect(next.status).toBe(200)
  expect(next.text).toContain('Host(`feature--p1.localhost`)')
})
