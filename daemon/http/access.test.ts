import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod'
import { accessRows, columns } from '../../test/support/daemon/http/access-table.ts'
import { type AccessTarget, statusOf } from '../../test/support/daemon/http/access-target.ts'
import { manualClock } from '../../test/support/daemon/http/clocks.ts'
import { masterToken, type Started, start } from '../../test/support/daemon/http/started.ts'
import { pathOf, type RouteRecord } from '../api/route.ts'
import { routes } from '../api/routes.ts'
import type { AuditFilter } from '../ports.ts'

let server: Started
let target: AccessTarget
const clock = manualClock()

beforeAll(async () => {
  server = await start({ clock })
  target = {
    masterToken,
    call: server.call,
    async fresh() {
      const project = server.addProject('shop')
      const node = await server.call('POST', '/nodes', { body: { name: 'n', endpoint: 'local' } })
      return {
        id: project.id,
        outside: server.addProject('other').id,
        environment: server.addEnvironment(project.id, 'main').id,
        queue: server.addQueueEntry(project.id, 'main').id,
        node: (node.json as { id: number }).id,
      }
    },
    passOneSecond: async () => clock.advance(1000),
  }
})

afterAll(() => server.stop())

/** The template of a row as the route table spells it. */
function templateOf(path: string): string {
  const template = path.replace(/\?.*/, '').replace(/\{(queue|token|node)\}/, '{id}')
  return template.startsWith('//') ? template.slice(1) : `/api/v1${template}`
}

/** What an answer of this status must look like, where it is JSON. */
function schemaOf(method: string, path: string, status: number): z.ZodType | undefined {
  const route: RouteRecord | undefined = routes.find(
    (one) => one.method === method && pathOf(one) === templateOf(path),
  )
  const answer = route?.responses[status]
  return answer instanceof z.ZodType ? answer : undefined
}

test('the table of accesses has a row for every route, and no other rows', () => {
  const served = routes.map((route) => `${route.method} ${pathOf(route)}`)
  const tabled = accessRows.map(({ method, path }) => `${method} ${templateOf(path)}`)
  expect([...new Set(tabled)].sort()).toEqual([...served].sort())
})

for (const row of accessRows) {
  test(`${row.method} ${row.path} answers each credential with the status of the table`, async () => {
    for (const column of columns) {
      const answer = await statusOf(target, row, column)
      expect({ column, status: answer.status }).toEqual({ column, status: row.expected[column] })
      const schema = schemaOf(row.method, row.path, answer.status)
      if (schema) expect(schema.safeParse(answer.json).error).toBeUndefined()
      if (answer.status >= 400) {
        expect(Object.keys(answer.json as object)).toEqual(['error'])
      }
      if (answer.status === 401) {
        const isWebhook = row.path.startsWith('/webhooks/')
        expect(answer.headers.has('www-authenticate') || isWebhook).toBe(true)
      }
    }
  })
}

test('a scoped token can not tell another project’s things from those that are not there', async () => {
  const { id, environment, queue, outside } = await target.fresh()
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
    const nobodys = await server.call('GET', absent, { token })
    expect(others.status).toBe(404)
    expect(others.text).toBe(nobodys.text)
  }
  const others = await server.call('DELETE', `/queue/${queue}`, { token })
  expect(others.text).toBe((await server.call('DELETE', '/queue/999999', { token })).text)
})

test('lists show a scoped token only what its projects have', async () => {
  const { id, outside } = await target.fresh()
  const { json } = await server.call('POST', '/tokens', {
    body: { name: 'narrow', projects: [id] },
  })
  const { token } = json as { token: string }
  const projects = await server.call('GET', '/projects', { token })
  expect((projects.json as { id: number }[]).map((one) => one.id)).toEqual([id])
  const queue = await server.call('GET', '/queue', { token })
  expect((queue.json as { project_id: number }[]).map((one) => one.project_id)).toEqual([id])
  const asked: AuditFilter[] = []
  server.useCases.audit.list = async (filter) => {
    asked.push(filter)
    return []
  }
  await server.call('GET', `/audit?project_id=${outside}`, { token })
  await server.call('GET', '/audit')
  expect(asked).toEqual([{ limit: 50, projectIds: [id], projectId: outside }, { limit: 50 }])
  expect(projects.text).not.toContain(`"id":${outside},`)
})

test('credential, scope and role come before the shape of a request', async () => {
  const { id, outside } = await target.fresh()
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
