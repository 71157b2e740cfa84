import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { bodies } from '../../test/support/daemon/http/access-table.ts'
import { startServer, type TestServer } from '../../test/support/daemon/http/test-server.ts'
import { trashDraft } from '../../test/support/daemon/store/record-drafts.ts'
import type { RouteRecord } from '../api/route.ts'
import { routes } from '../api/route-table.ts'
import { jsonFault } from './json-faults.ts'

let server: TestServer
let ids: { project: number; node: number; trash: number }
beforeAll(async () => {
  server = await startServer()
  const node = await server.call('POST', '/nodes', { body: { name: 'n', endpoint: 'local' } })
  const project = await server.addProject('p')
  ids = { project: project.id, node: (node.json as { id: number }).id, trash: 1 }
  // The first of two commits that have run is the target of the rollback.
  server.rig.commit('main')
  await server.rig.deployed('main', project)
  server.rig.commit('main')
  await server.rig.deployed('main', project)
})
/** Puts the data of a deleted project into the trash. Its restore has a body, and takes it out again. */
beforeEach(async () => {
  const { store, dataDir } = server.rig
  if (await store.trash.find(ids.trash)) return
  mkdirSync(join(dataDir, 'trash', String(ids.trash), 'data'), { recursive: true })
  await store.trash.add({ ...trashDraft({ projectId: 9000 }), id: ids.trash })
})
afterAll(() => server.stop())

const withBody = (routes as readonly RouteRecord[]).filter(({ body }) => body)
const fill = ({ path }: RouteRecord) =>
  path
    .replace('/nodes/{id}', `/nodes/${ids.node}`)
    .replace('/trash/{id}', `/trash/${ids.trash}`)
    .replace('{id}', String(ids.project))
const valid = ({ method, path }: RouteRecord) =>
  path === '/trash/{id}/restore'
    ? { project_id: ids.project }
    : (bodies[`${method} ${path.replace('/nodes/{id}', '/nodes/{node}')}`] as Record<
        string,
        unknown
      >)

/** Expects a 400 with only an error message, and no call of a use case. Returns the message. */
async function refuses(route: RouteRecord, raw: string | Uint8Array<ArrayBuffer>) {
  const before = server.changes().length
  const { status, json, text } = await server.call(route.method, fill(route), {
    raw,
    headers: { 'content-type': 'application/json' },
  })
  expect({ status, text, sent: String(raw).slice(0, 200) }).toMatchObject({ status: 400 })
  expect(Object.keys(json as object)).toEqual(['error'])
  expect((json as { error: string }).error.length).toBeGreaterThan(5)
  expect(server.changes().length).toBe(before)
  return (json as { error: string }).error
}

for (const route of withBody) {
  describe(`the body of ${route.method} ${route.path}`, () => {
    test('is accepted if it matches the contract', async () => {
      // Only a registered domain can be tried again.
      if (route.path.endsWith('/domains/retry')) {
        await server.call('POST', fill(route).replace('/retry', ''), { body: valid(route) })
      }
      const { status, text } = await server.call(route.method, fill(route), { body: valid(route) })
      // The branches of this server have no database.
      const isDone = route.path.includes('/databases/') ? status === 404 : status < 300
      expect({ isDone, text }).toMatchObject({ isDone: true })
    })

    test('is refused with an unknown key, and the error names the key', async () => {
      const error = await refuses(route, JSON.stringify({ ...valid(route), projcts: [1] }))
      expect(error).toContain('projcts')
    })

    test('is refused unless it is a JSON object in UTF-8', async () => {
      const isOptional = route.body?.safeParse(undefined).success
      for (const raw of [
        ...(isOptional ? [] : ['']),
        'null',
        '[]',
        '"text"',
        '7',
        '{',
        '{"a":1}x',
        'undefined',
        '{a:1}',
      ]) {
        await refuses(route, raw)
      }
      await refuses(route, new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]))
    })

    test('is refused with keys that name properties of Object.prototype', async () => {
      const rest = JSON.stringify(valid(route)).slice(1)
      for (const key of ['__proto__', 'constructor', 'prototype', 'toString']) {
        expect(await refuses(route, `{"${key}":{"role":"admin"},${rest}`)).toContain(key)
      }
    })

    test('is refused if it is nested 40 to 200,000 levels deep', async () => {
      for (const depth of [40, 5000, 200_000]) {
        await refuses(route, `{"x":${'['.repeat(depth)}${']'.repeat(depth)}}`)
        await refuses(route, '['.repeat(depth))
      }
    })

    test('answers 413 if it is larger than 1 MiB, with or without Content-Length', async () => {
      const before = server.changes().length
      const raw = JSON.stringify({ ...valid(route), pad: 'x'.repeat(2 ** 20) })
      const announced = await server.call(route.method, fill(route), { raw })
      expect(announced).toMatchObject({ status: 413, json: { error: expect.any(String) } })
      const chunked = await fetch(`${server.url}/api/v1${fill(route)}`, {
        method: route.method,
        headers: { authorization: `Bearer ${'m'.repeat(64)}` },
        body: new Blob([raw]).stream(),
        duplex: 'half',
      } as RequestInit)
      expect(chunked.status).toBe(413)
      expect(await chunked.json()).toEqual({ error: expect.any(String) })
      expect(server.changes().length).toBe(before)
    })

    test('is refused if any field has a wrong type', async () => {
      const shape = shapeOf(route.body as z.ZodType)
      for (const key of Object.keys(shape)) {
        const alien = ['number', 'boolean'].includes(typeof valid(route)[key]) ? 'text' : 3.5
        for (const value of [alien, { a: 1 }, [[]], ['\0'], [3.5]]) {
          await refuses(route, JSON.stringify({ ...valid(route), [key]: value }))
        }
      }
    })

    test('is refused with NUL or an unpaired surrogate in a string', async () => {
      for (const [key, value] of Object.entries(valid(route))) {
        if (typeof value !== 'string') continue
        const text = JSON.stringify({ ...valid(route), [key]: 'HERE' })
        for (const odd of ['a\\u0000b', '\\ud800', 'a\\udc00']) {
          await refuses(route, text.replace('HERE', odd))
        }
      }
    })

    test('never causes a 5xx, for any JSON value', async () => {
      const keys = Object.keys(shapeOf(route.body as z.ZodType))
      const anything = fc.oneof(
        fc.json(),
        fc
          .dictionary(fc.constantFrom(...keys), fc.jsonValue())
          .map((value) => JSON.stringify(value)),
      )
      await fc.assert(
        fc.asyncProperty(anything, async (raw) => {
          const { status, json } = await server.call(route.method, fill(route), { raw })
          expect(status).toBeLessThan(500)
          if (status >= 400) expect(Object.keys(json as object)).toEqual(['error'])
        }),
        { numRuns: 60 },
      )
    })
  })
}

function shapeOf(schema: z.ZodType): Record<string, unknown> {
  return (z.toJSONSchema(schema, { io: 'input' }).properties ?? {}) as Record<string, unknown>
}

test.each([
  ['POST', '/projects', {}],
  ['POST', '/projects', { repo_dir: '/srv/a', repo_url: 'https://a.example/b/c' }],
  ['POST', '/projects', { repo_url: 'https://a.example/b/c', context: '../up' }],
  ['POST', '/projects', { repo_url: 'https://a.example/b/c', context: '/etc' }],
  ['POST', '/projects', { repo_url: 'https://a.example/b\n/c' }],
  ['POST', '/tokens', { name: 'ci', projects: [] }],
  ['POST', '/tokens', { name: 'ci', projects: null }],
  ['POST', '/tokens', { name: 'ci', projects: [0] }],
  ['POST', '/tokens', { name: 'ci', projects: [1.5] }],
  ['POST', '/tokens', { name: 'ci', project: [1] }],
  ['POST', '/tokens', { name: 'ci', role: 'owner' }],
  ['POST', '/tokens', { name: 'ci', expires_in: '0s' }],
  ['POST', '/tokens', { name: 'ci', expires_in: '5' }],
  ['POST', '/tokens', { name: 'ci', expires_in: '99999999999d' }],
  ['POST', '/tokens', { name: '' }],
  ['POST', '/tokens', { name: 'master' }],
  ['POST', '/tokens', { name: 'webhook:github' }],
  ['POST', '/secrets', { name: 'A B', value: '' }],
  ['POST', '/secrets', { name: '1A', value: '' }],
  ['POST', '/secrets', { name: 'A', value: '', scope: 'project' }],
  ['POST', '/secrets', { name: 'A', value: 'x'.repeat(70_000) }],
  ['POST', '/nodes', { name: 'n', endpoint: 'http://x' }],
  ['POST', '/nodes', { name: 'n', endpoint: 'tcp://h:2376', tls_ca: 'x' }],
  ['POST', '/nodes', { name: 'n', endpoint: 'local', reserved_memory_mb: -1 }],
])('%s %s refuses %j', async (method, path, body) => {
  const before = server.changes().length
  const { status, json } = await server.call(method, path, { body })
  expect(status).toBe(400)
  expect(json).toEqual({ error: expect.any(String) })
  expect(server.changes().length).toBe(before)
})

test('PATCH /projects/{id} refuses invalid settings and applies valid ones', async () => {
  const path = `/projects/${ids.project}`
  for (const body of [
    {},
    { pause_after: '30' },
    { pause_after: '1.5h' },
    { pause_after: null },
    { destroy_after: '-1d' },
    { destroy_after: '07d' },
    { max_environments: 0 },
    { max_environments: '3' },
    { branches: 'main' },
    { branches: [''] },
    { ignore: Array(200).fill('x') },
    { git_token: 'with space' },
  ]) {
    const { status } = await server.call('PATCH', path, { body })
    expect({ body, status }).toEqual({ body, status: 400 })
  }
  const changes = {
    pause_after: '2h',
    destroy_after: '7d',
    branches: ['main', 'feature/*'],
    ignore: [],
    max_environments: null,
    git_token: '',
  }
  const { json } = await server.call('PATCH', path, { body: changes })
  const { git_token, ...kept } = changes
  expect(json).toMatchObject({ ...kept, has_git_token: false })
})

test('PATCH /nodes/{id} refuses the state `down`, which only a failed probe sets', async () => {
  const { status, json } = await server.call('PATCH', `/nodes/${ids.node}`, {
    body: { state: 'down' },
  })
  expect(status).toBe(400)
  expect((json as { error: string }).error).toContain('down')
})

test('a secret with scope `branch` needs a branch, and one with scope `project` refuses it', async () => {
  const path = `/projects/${ids.project}/secrets`
  const set = async (body: object) =>
    (await server.call('POST', path, { body: { name: 'K', value: 'v', ...body } })).status
  expect(await set({ scope: 'branch' })).toBe(400)
  expect(await set({ scope: 'project', branch: 'main' })).toBe(400)
  expect(await set({ scope: 'global' })).toBe(400)
  expect(await set({ scope: 'branch', branch: 'main' })).toBe(204)
  expect((await server.call('GET', path)).json).not.toMatchObject({ secrets: [{ name: 'K' }] })
  expect((await server.call('GET', `${path}?branch=main`)).json).toMatchObject({
    secrets: [{ name: 'K', scope: 'branch' }],
  })
})

test('a body needs the content type JSON or none, and no content encoding', async () => {
  let count = 0
  const post = async (headers: Record<string, string>) => {
    count += 1
    const raw = new TextEncoder().encode(`{"name":"typed-${count}"}`)
    return (await server.call('POST', '/tokens', { raw, headers })).status
  }
  expect(await post({})).toBe(201)
  expect(await post({ 'content-type': 'application/json; charset=UTF-8' })).toBe(201)
  expect(await post({ 'content-type': 'text/plain' })).toBe(400)
  expect(await post({ 'content-type': 'application/x-www-form-urlencoded' })).toBe(400)
  expect(await post({ 'content-type': 'application/json; charset=latin1' })).toBe(400)
  expect(await post({ 'content-type': 'application/json', 'content-encoding': 'gzip' })).toBe(400)
})

test('a route without a body schema accepts no body or an empty object', async () => {
  const pause = async (branch: string, raw: string) => {
    const { id } = await server.addEnvironment({ projectId: ids.project, branch })
    return (await server.call('POST', `/environments/${id}/pause`, { raw })).status
  }
  expect(await pause('a', '')).toBe(204)
  expect(await pause('b', '{}')).toBe(204)
  expect(await pause('c', '{"force":true}')).toBe(400)
  expect(await pause('d', '{')).toBe(400)
})

test.each([
  '/audit?limit=0',
  '/audit?limit=1001',
  '/audit?limit=ten',
  '/audit?limit=5&limit=6',
  '/audit?kind=unknown',
  '/audit?since=yesterday',
  '/audit?since=2026-01-01',
  '/audit?until=2026-02-30T00:00:00Z',
  '/audit?project_id=0',
  '/audit?project_id=abc',
  '/audit?branch=',
  '/audit?branch=%00',
  '/audit?branch=%ff',
  '/audit?branch=%zz',
  '/audit?brunch=main',
  '/audit?__proto__=x',
  '/environments?node=x',
  '/projects?limit=5',
  '/stats?x',
])('refuses the query of %s', async (path) => {
  const { status, json } = await server.call('GET', path)
  expect(status).toBe(400)
  expect(json).toEqual({ error: expect.any(String) })
})

test.each([
  '/audit?limit=1000&kind=paused&since=2026-01-01T00:00:00Z&until=2026-01-01T00:00:00.5%2B02:00',
  '/audit?branch=feature%2Fa%2Bb&project_id=1',
  '/environments?node=1',
])('accepts the query of %s', async (path) => {
  expect((await server.call('GET', path)).status).toBe(200)
})

test('a body with bytes that are not UTF-8 is refused', async () => {
  const raw = new TextEncoder().encode('{"name":"KEY","value":"x?x"}')
  raw[raw.indexOf(0x3f)] = 0xff
  const { status, json } = await server.call('POST', '/secrets', { raw })
  expect({ status, json }).toEqual({ status: 400, json: { error: 'the body is not valid UTF-8' } })
})

test.each([
  ['a string', undefined],
  [{ a: [{ b: 'tab\t and line\n' }] }, undefined],
  ['a\0b', 'contains a NUL character'],
  [{ a: ['\ud800'] }, 'contains an unpaired surrogate'],
  [{ 'a\0': 1 }, 'contains a NUL character'],
  [JSON.parse('{"a":{"__proto__":1}}'), 'has __proto__, which is not a known field'],
  [nested(31), undefined],
  [nested(33), 'is nested deeper than 32 levels'],
])('finds the fault in the parsed JSON %j', (value, expected) => {
  expect(jsonFault(value)).toBe(expected)
})

function nested(depth: number): unknown {
  return depth === 0 ? 'x' : [nested(depth - 1)]
}
