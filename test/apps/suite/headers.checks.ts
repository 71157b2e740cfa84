import assert from 'node:assert/strict'
import { assertStatus } from './answers.ts'
import type { AppUnderTest, Check } from './check.ts'
import { type Reply, send } from './http.ts'
import { create, freshBody, post, type Resource, remove } from './resource.ts'

/** Checks of security headers and the request id, on every kind of response. */
export function headerChecks(resource: Resource): readonly Check[] {
  const check = (title: string, holds: (reply: Reply) => void): Check => ({
    title,
    run: async (app) => {
      for (const reply of await answersOfEveryKind(app, resource)) holds(reply)
    },
  })
  return [
    check('every response has nosniff', (reply) => {
      const header = reply.headers['x-content-type-options']
      assert.equal(header, 'nosniff', `${reply.call} (${reply.status})`)
    }),
    check('every response forbids framing', (reply) => {
      const policy = String(reply.headers['content-security-policy'] ?? '')
      const frame = String(reply.headers['x-frame-options'] ?? '')
      const denied = /^deny$/i.test(frame) || /frame-ancestors\s+'none'/i.test(policy)
      assert.ok(denied, `${reply.call} (${reply.status}) may be framed: ${frame} ${policy}`)
    }),
    check('every response sets a no-referrer policy', (reply) => {
      const header = reply.headers['referrer-policy']
      assert.equal(header, 'no-referrer', `${reply.call} (${reply.status})`)
    }),
    check('no response names the framework', (reply) => {
      assert.equal(reply.headers['x-powered-by'], undefined, reply.call)
      const banner = `${reply.headers.server ?? ''} ${reply.status < 300 ? '' : reply.text}`
      assert.doesNotMatch(banner, /express|node\.?js|cannot (get|post|put|patch|delete) /i)
    }),
    {
      title: 'every response has a request id: the one of the request or a new one',
      run: async (app) => {
        const made = (await answersOfEveryKind(app, resource)).map(requestIdOf)
        assert.equal(new Set(made).size, made.length, `an id came twice: ${made.join(', ')}`)
        for (const path of ['/health', '/nope', `${resource.path}/abc`]) {
          const headers = { 'X-Request-Id': 'conformance-1:a.b_c' }
          assert.equal(requestIdOf(await send(app, { path, headers })), 'conformance-1:a.b_c', path)
        }
      },
    },
  ]
}

function requestIdOf(reply: Reply): string {
  const id = reply.headers['x-request-id']
  assert.ok(typeof id === 'string' && id !== '', `${reply.call} (${reply.status}): no X-Request-Id`)
  return id
}

async function answersOfEveryKind(app: AppUnderTest, resource: Resource): Promise<Reply[]> {
  const { path } = resource
  const { id } = await create(app, resource)
  const expected: readonly (readonly [number, Reply])[] = [
    [200, await send(app, { path: '/health' })],
    [200, await send(app, { path: '/openapi.json' })],
    [200, await send(app, { path })],
    [200, await send(app, { path: `${path}/${id}` })],
    [201, await post(app, resource, freshBody(resource))],
    [204, await remove(app, resource, id)],
    [400, await post(app, resource, {})],
    [400, await send(app, { path: `${path}/abc` })],
    [400, await send(app, { path: `${path}?page=0` })],
    [404, await send(app, { path: `${path}/${id}` })],
    [404, await send(app, { path: '/nope' })],
    [405, await send(app, { method: 'PROPFIND', path })],
    [415, await send(app, { method: 'POST', path, body: 'x' })],
  ]
  for (const [status, reply] of expected) assertStatus(reply, status)
  return expected.map(([, reply]) => reply)
}
