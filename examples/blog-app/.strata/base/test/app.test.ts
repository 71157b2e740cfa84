import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp } from './support/app.js'
import { getOpenApi } from './support/openapi-fetch.js'
import { memory } from './support/stores.js'

let app: Awaited<ReturnType<typeof startApp>>

beforeAll(async () => {
  app = await startApp(memory)
})
afterAll(() => app.stop())

test('GET /health responds with status ok and the time in UTC', async () => {
  const response = await fetch(`${app.baseUrl}/health`)
  expect(response.headers.get('content-type')).toMatch(/^application\/json/)
  const utc = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  expect(await response.json()).toEqual({ status: 'ok', timestamp: utc })
})

test('GET /ready responds with 503 if the store does not answer', async () => {
  expect((await fetch(`${app.baseUrl}/ready`)).status).toBe(200)
  const cutOff = await startApp(memory, { ping: () => Promise.reject(new Error('refused')) })
  const response = await fetch(`${cutOff.baseUrl}/ready`)
  await cutOff.stop()
  expect([response.status, await response.json()]).toEqual([503, { error: 'the app is not ready' }])
})

test('pages of CORS_ORIGINS may call the API', async () => {
  const origin = 'https://example.com'
  const open = await startApp(memory, { CORS_ORIGINS: [origin] })
  const { headers } = await fetch(`${open.baseUrl}/api/v1/nothing-here`, { headers: { origin } })
  await open.stop()
  expect(headers.get('access-control-allow-origin')).toBe(origin)
})

test('GET /metrics exists if METRICS is on', async () => {
  expect((await fetch(`${app.baseUrl}/metrics`)).status).toBe(404)
  const measured = await startApp(memory, { METRICS: true })
  await fetch(`${measured.baseUrl}/api/v1/nothing-here`)
  const text = await (await fetch(`${measured.baseUrl}/metrics`)).text()
  await measured.stop()
  expect(text).toMatch(/^http_request_duration_seconds_count\{.*status="404"\} 1$/m)
})

test('openapi.json is a valid OpenAPI 3.1 document', async () => {
  const document = await getOpenApi(app.baseUrl)
  expect(document.openapi).toMatch(/^3\.1\./)
  expect(await new Validator().validate({ ...document })).toEqual({ valid: true })
})

test('every documented path rejects undocumented methods with 405', async () => {
  const { paths } = await getOpenApi(app.baseUrl)
  for (const [path, operations] of Object.entries(paths)) {
    const response = await fetch(app.baseUrl + path.replace('{id}', '1'), { method: 'PROPFIND' })
    const documented = Object.keys(operations).filter((key) => key !== 'parameters')
    const allowed = response.headers.get('allow')?.toLowerCase().split(', ')
    expect([path, response.status, allowed]).toEqual([
      path,
      405,
      expect.arrayContaining(documented),
    ])
  }
})

test('an unknown path responds with 404 and a JSON error', async () => {
  const response = await fetch(`${app.baseUrl}/api/v1/nothing-here`)
  expect([response.status, await response.json()]).toEqual([404, { error: 'no such path' }])
})

test('every response has security headers and a request id, and no X-Powered-By', async () => {
  const { headers } = await fetch(`${app.baseUrl}/health`, { headers: { 'x-request-id': 'r-1' } })
  expect(headers.get('x-request-id')).toBe('r-1')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('x-frame-options')).toBe('DENY')
  expect(headers.get('referrer-policy')).toBe('no-referrer')
  expect(headers.get('x-powered-by')).toBeNull()
})
