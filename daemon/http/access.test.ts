import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod'
import { operator } from '../../test/support/daemon/app/rig.ts'
import { accessRows, columns } from '../../test/support/daemon/http/access-table.ts'
import {
  type AccessTarget,
  type Objects,
  request,
} from '../../test/support/daemon/http/access-target.ts'
import {
  masterToken,
  startServer,
  type TestServer,
} from '../../test/support/daemon/http/test-server.ts'
import { nodeDraft, trashDraft } from '../../test/support/daemon/store/record-drafts.ts'
import { pathOf, type RouteRecord } from '../api/route.ts'
import { routes } from '../api/route-table.ts'
import { redacted } from '../domain/redacted.ts'

let server: TestServer
let target: AccessTarget
let outside: number

beforeAll(async () => {
  server = await startServer()
  server.rig.commit('main')
  outside = (await server.addProject('other')).id
  const backup = await fetch(`${server.url}/api/v1/backup`, {
    headers: { authorization: `Bearer ${masterToken}` },
  })
  target = {
    masterToken,
    backup: new Uint8Array(await backup.arrayBuffer()),
    call: server.call,
    passOneSecond: () => server.rig.clock.advance(1000),
  }
})

afterAll(() => server.stop())

let count = 0

async function createObjects(): Promise<Objects> {
  count += 1
  const { store, clock, git } = server.rig
  const repository = `shop-${count}`
  const { id } = await server.addHostedProject(repository)
  // The commit of this destroyed environment is the target of the rollback.
  const commitSha = git.upstream.get('main')
  const previous = await server.addEnvironment({ projectId: id, ...(commitSha && { commitSha }) })
  await store.environments.update(previous.id, { state: 'destroyed' }, { at: clock.now() })
  return {
    id,
    repository,
    outside,
    environment: (await server.addEnvironment({ projectId: id })).id,
    queue: (await server.addQueueEntry(id, 'waiting')).id,
    trash: await addTrash(id),
    orphan: await addTrash(9000),
    ...(await addReceivers(id)),
    node: (await store.nodes.put(nodeDraft({ name: `n-${count}` }))).id,
  }
}

async function addReceivers(projectId: number) {
  const { receivers } = server.rig.app.useCases
  // No server listens at port 1.
  const url = 'http://127.0.0.1:1'
  const place = { host: 'gitea', apiUrl: url, repository: 'acme/shop' } as const
  await receivers.setStatuses({ projectId, token: redacted('secret'), ...place }, operator)
  const own = await receivers.addWebhook({ projectId, url }, operator)
  for (const { receiver } of await receivers.listWebhooks(null)) {
    await receivers.removeWebhook(null, receiver.id, operator)
  }
  const ofServer = await receivers.addWebhook({ projectId: null, url }, operator)
  return { notification: own.receiver.id, serverNotification: ofServer.receiver.id }
}

async function addTrash(projectId: number): Promise<number> {
  const { id } = await server.rig.store.trash.create(trashDraft({ projectId }))
  const data = join(server.rig.dataDir, 'trash', String(id), 'data')
  mkdirSync(data, { recursive: true })
  writeFileSync(join(data, 'rows.db'), 'rows')
  return id
}

/** Returns the path of an access table row as the route table spells it, such as `/api/v1/projects/{id}`. */
function templateOf(path: string): string {
  const template = path
    .replace(/\?.*/, '')
    .replace(/\{(queue|token|node|trash|orphan)\}/, '{id}')
    .replace('{server-', '{')
  return template.startsWith('//') ? template.slice(1) : `/api/v1${template}`
}

/** Returns the schema of a JSON response with this status. */
function schemaOf(method: string, path: string, status: number): z.ZodType | undefined {
  const route: RouteRecord | undefined = routes.find(
    (record) => record.method === method && pathOf(record) === templateOf(path),
  )
  const schema = route?.responses[status]
  return schema instanceof z.ZodType ? schema : undefined
}

test('the access table has a row for every route, and no other rows', () => {
  const served = routes.map((route) => `${route.method} ${pathOf(route)}`)
  const tabled = accessRows.map(({ method, path }) => `${method} ${templateOf(path)}`)
  expect([...new Set(tabled)].sort()).toEqual([...served].sort())
})

for (const row of accessRows) {
  test(`${row.method} ${row.path} answers each credential with the status of the access table`, async () => {
    let objects: Objects | undefined
    for (const column of columns) {
      objects ??= await createObjects()
      const { status, json, text, headers } = await request(target, row, column, objects)
      // A successful request may have changed or deleted the objects.
      if (status < 300 && row.method !== 'GET') objects = undefined
      const expected = row.expected[column]
      expect({ column, status, text }).toEqual({ column, status: expected, text })
      const schema = schemaOf(row.method, row.path, status)
      if (schema) expect(schema.safeParse(json).error).toBeUndefined()
      if (status >= 400) expect(Object.keys(json as object)).toEqual(['error'])
      if (status === 401) {
        const isWebhook = row.path.startsWith('/webhooks/')
        expect(headers.has('www-authenticate') || isWebhook).toBe(true)
      }
    }
  })
}

test('a scoped token gets the same 404 for objects of another project and for absent objects', async () => {
  const { id, environment, queue, outside } = await createObjects()
  const { json } = await server.call('POST', '/tokens', {
    body: { name: 'apart', projects: [outside], role: 'admin' },
  })
  const { token } = json as { token: string }
  for (const [path, absent] of [
    [`/projects/${id}`, '/projects/999999'],
    [`/environments/${environment}`, '/environments/999999'],
    [`/environments/${environment}/logs`, '/environments/999999/logs'],
  ] as const) {
    const others = await server.call('GET', path, { token })
    const none = await server.call('GET', absent, { token })
    expect(others.status).toBe(404)
    expect(others.text).toBe(none.text)
  }
  const others = await server.call('DELETE', `/queue/${queue}`, { token })
  expect(others.text).toBe((await server.call('DELETE', '/queue/999999', { token })).text)
})

test('lists show a scoped token only the objects of its projects', async () => {
  const { id, outside } = await createObjects()
  const { json } = await server.call('POST', '/tokens', {
    body: { name: 'narrow', projects: [id] },
  })
  const { token } = json as { token: string }
  const projects = await server.call('GET', '/projects', { token })
  expect((projects.json as { id: number }[]).map((one) => one.id)).toEqual([id])
  const queue = await server.call('GET', '/queue', { token })
  expect((queue.json as { project_id: number }[]).map((one) => one.project_id)).toEqual([id])
  for (const project of [id, outside]) {
    await server.call('POST', `/projects/${project}/secrets`, { body: { name: 'K', value: 'v' } })
  }
  const before = server.calls.length
  const audit = async (query: string, token: string) => {
    const { json } = await server.call('GET', `/audit${query}`, { token })
    return [...new Set((json as { project_id: number | null }[]).map((one) => one.project_id))]
  }
  expect(await audit(`?project_id=${outside}`, token)).toEqual([])
  expect(await audit('', token)).toEqual([id])
  expect(await audit('', masterToken)).toEqual(expect.arrayContaining([id, outside]))
  const filters = server.calls.slice(before).filter(({ name }) => name === 'audit.list')
  expect(filters.map(({ args }) => args[0])).toEqual([
    { limit: 50, projectIds: [id], projectId: outside },
    { limit: 50, projectIds: [id] },
    { limit: 50 },
  ])
  expect(projects.text).not.toContain(`"id":${outside},`)
})

test('credential, scope and role are checked before path, query and body', async () => {
  const { id, outside } = await createObjects()
  const make = async (body: object) =>
    ((await server.call('POST', '/tokens', { body })).json as { token: string }).token
  const viewer = await make({ name: 'v', role: 'viewer' })
  const scoped = await make({ name: 's', role: 'viewer', projects: [id] })
  const ask = async (method: string, path: string, token: string | null) =>
    (await server.call(method, path, { token, raw: '{broken' })).status
  expect(await ask('PATCH', '/projects/abc', null)).toBe(401)
  expect(await ask('PATCH', '/projects/abc', viewer)).toBe(403)
  expect(await ask('PATCH', '/projects/abc', scoped)).toBe(404)
  expect(await ask('PATCH', `/projects/${outside}?x`, scoped)).toBe(404)
  expect(await ask('PATCH', `/projects/${id}?x`, scoped)).toBe(403)
  expect(await ask('PATCH', '/nodes/abc', scoped)).toBe(403)
  expect(await ask('DELETE', '/tokens/abc', viewer)).toBe(403)
  expect(await ask('DELETE', '/environments/abc?purge_secrets=%ff', viewer)).toBe(403)
  expect(await ask('PATCH', `/projects/${id}`, masterToken)).toBe(400)
  expect(await ask('PATCH', '/projects/abc', masterToken)).toBe(404)
})
