import { afterEach, beforeEach, expect, test } from 'vitest'
import { createClient } from '../../daemon/client/client.ts'
import { ResponseError } from '../../daemon/client/errors.ts'
import { type DaemonEvent, followEvents } from '../../daemon/client/follow-events.ts'
import { openEvents } from '../../daemon/client/open-events.ts'
import { redacted } from '../../daemon/domain/redacted.ts'
import { eventually } from '../support/apps/eventually.ts'
import { call } from '../support/stratad/call.ts'
import { cleanUp, type Daemon, masterToken, startDaemon } from '../support/stratad/daemon.ts'
import { createProject, deploy, rowsOf } from '../support/stratad/project.ts'

let daemon: Daemon
const readers: AbortController[] = []
beforeEach(async () => {
  daemon = await startDaemon()
})
afterEach(async () => {
  for (const reader of readers.splice(0)) reader.abort()
  await daemon.stop('SIGKILL')
  cleanUp(daemon.dataDir)
})

/** Follows the events of the daemon with its client. */
function follow({ token = masterToken, afterId }: { token?: string; afterId?: string } = {}) {
  const over = new AbortController()
  readers.push(over)
  const events: DaemonEvent[] = []
  const drops: string[] = []
  const client = createClient({
    url: `http://127.0.0.1:${daemon.port}`,
    token: redacted(token),
  })
  const ended = (async () => {
    const stream = followEvents(openEvents(client, over.signal), {
      signal: over.signal,
      onDrop: (why) => drops.push(why),
      ...(afterId !== undefined && { afterId }),
    })
    for await (const event of stream) events.push(event)
  })().then(
    () => undefined,
    (error: unknown) => error,
  )
  const until = (isThere: (event: DaemonEvent) => boolean) =>
    eventually(() => events.some(isThere), 20_000)
  return { events, drops, ended, until, leave: () => over.abort() }
}

test('a deploy appears as queue entry, environment and audit entry, and its last state is that of the API', async () => {
  const reader = follow()
  expect(await reader.until(({ event }) => event === 'ready')).toBe(true)
  const shop = await createProject(daemon)
  expect((await deploy(daemon, shop)).status).toBe(201)
  expect(await reader.until(({ event }) => event === 'queue_entry_removed')).toBe(true)
  const seen = reader.events.flatMap(({ event, data }) => {
    if (event === 'environment' || event === 'queue_entry') return `${event} ${data.state}`
    return event === 'audit_entry' ? `${event} ${data.kind}` : event
  })
  expect([...new Set(seen)]).toEqual([
    'ready',
    'project',
    'audit_entry project_created',
    'queue_entry waiting',
    'queue_entry running',
    'environment building',
    'environment running',
    'audit_entry build_succeeded',
    'queue_entry_removed',
  ])
  const last = reader.events.filter(({ event }) => event === 'environment').at(-1)
  expect([last?.data]).toEqual(await rowsOf(daemon, shop))
})

test('a reader that was away gets every change in between, and `reset` after a restart of the daemon', async () => {
  const first = follow()
  expect(await first.until(({ event }) => event === 'ready')).toBe(true)
  first.leave()
  await first.ended
  const shop = await createProject(daemon)
  await call(daemon, 'PATCH', `/projects/${shop.id}`, { pause_after: '2h' })
  const second = follow({ afterId: first.events[0]?.id ?? '' })
  expect(await second.until(({ event }) => event === 'ready')).toBe(true)
  expect(second.events.map(({ event }) => event)).toEqual([
    'project',
    'audit_entry',
    'project',
    'audit_entry',
    'ready',
  ])
  await daemon.stop('SIGKILL')
  daemon = await daemon.restart()
  expect(await second.until(({ event }) => event === 'reset')).toBe(true)
  expect(second.drops).toHaveLength(1)
  await call(daemon, 'PATCH', `/projects/${shop.id}`, { pause_after: '3h' })
  const isNew = ({ event, data }: DaemonEvent) => event === 'project' && data.pause_after === '3h'
  expect(await second.until(isNew)).toBe(true)
})

test('a scoped reader sees its project only, and its revocation ends the stream with a 401', async () => {
  const shop = await createProject(daemon, 'shop')
  const blog = await createProject(daemon, 'blog')
  const { body } = await call(daemon, 'POST', '/tokens', {
    name: 'shop-viewer',
    projects: [shop.id],
    role: 'viewer',
  })
  const reader = follow({ token: body.token })
  expect(await reader.until(({ event }) => event === 'ready')).toBe(true)
  expect((await deploy(daemon, blog)).status).toBe(201)
  expect((await deploy(daemon, shop)).status).toBe(201)
  expect(await reader.until(({ event }) => event === 'queue_entry_removed')).toBe(true)
  const projects = reader.events.flatMap(({ data }) =>
    'project_id' in data ? data.project_id : [],
  )
  expect(new Set(projects)).toEqual(new Set([shop.id]))
  expect((await call(daemon, 'DELETE', `/tokens/${body.id}`)).status).toBe(204)
  const error = await reader.ended
  expect(error).toBeInstanceOf(ResponseError)
  expect(error).toMatchObject({ status: 401 })
})
