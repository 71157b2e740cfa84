import { request } from 'node:http'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventually } from '../../test/support/apps/eventually.ts'
import {
  masterToken,
  startServer,
  type TestServer,
} from '../../test/support/daemon/http/test-server.ts'
import { trashDraft } from '../../test/support/daemon/store/record-drafts.ts'
import { events } from '../api/events.ts'

let server: TestServer
beforeEach(async () => {
  server = await startServer()
})
afterEach(() => server.stop())

interface Received {
  readonly id: string | undefined
  readonly event: string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: tests assert on the members of the parsed data.
  readonly data: any
}

/** Opens the event stream, or another stream. `events()` returns the events received so far. */
function open({
  token = masterToken,
  after,
  path = '/events',
}: {
  token?: string
  after?: string | undefined
  path?: string
} = {}) {
  let text = ''
  let isOver = false
  const req = request(`${server.url}/api/v1${path}`, {
    headers: {
      authorization: `Bearer ${token}`,
      ...(after !== undefined && { 'last-event-id': after }),
    },
    agent: false,
  })
  const opened = new Promise<number | undefined>((resolve, reject) => {
    req.on('response', (res) => {
      res.setEncoding('utf8').on('data', (chunk) => {
        text += chunk
      })
      res.on('close', () => {
        isOver = true
      })
      res.on('error', () => undefined)
      resolve(res.statusCode)
    })
    req.on('error', reject)
    req.end()
  })
  const received = () => text.split('\n\n').slice(0, -1).filter(isEvent).map(parse)
  return {
    opened,
    events: received,
    async until(count: number): Promise<Received[]> {
      await eventually(() => received().length >= count, 5000)
      return received()
    },
    text: () => text,
    isOver: () => isOver,
    leave: () => req.destroy(),
  }
}

function isEvent(block: string): boolean {
  return !block.startsWith(':')
}

function parse(block: string): Received {
  const field = (name: string) =>
    block
      .split('\n')
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2)
  return { id: field('id'), event: field('event'), data: JSON.parse(field('data') ?? 'null') }
}

async function createToken(body: object): Promise<{ id: number; token: string }> {
  return (await server.call('POST', '/tokens', { body })).json as { id: number; token: string }
}

test('a stream begins with `ready`, then sends each change as the API shows it', async () => {
  const stream = open()
  const [ready] = await stream.until(1)
  expect(ready).toMatchObject({ event: 'ready', data: {} })
  const { id } = await server.addEnvironment({})
  await server.addProject('other')
  const [, environment, project] = await stream.until(3)
  expect(environment?.event).toBe('environment')
  expect(environment?.data).toEqual((await server.call('GET', `/environments/${id}`)).json)
  expect(project?.data).toEqual((await server.call('GET', '/projects/2')).json)
  const [first, second, third] = stream.events().map((event) => Number(event.id?.split('-')[1]))
  expect([second, third]).toEqual([Number(first) + 1, Number(first) + 2])
  stream.leave()
})

test('every event has the schema that the route table publishes', async () => {
  const stream = open()
  await stream.until(1)
  const { store } = server.rig
  await server.addEnvironment({})
  const entry = await server.addQueueEntry(1, 'main')
  await server.call('DELETE', `/queue/${entry.id}`)
  const { id } = await server.addProject('other')
  await server.call('PATCH', `/projects/${id}`, { body: { pause_after: '2h' } })
  await server.call('DELETE', `/projects/${id}`)
  await createToken({ name: 'ci' })
  const trash = await store.trash.create(trashDraft({ projectId: 1 }))
  await store.trash.remove(trash.id)
  await server.call('POST', '/nodes', { body: { name: 'second', endpoint: 'local' } })
  await server.call('DELETE', '/nodes/2')
  const names = () => new Set(stream.events().map(({ event }) => event))
  const expected = Object.keys(events).filter((name) => name !== 'reset')
  expect(await eventually(() => names().size === expected.length, 5000)).toBe(true)
  expect([...names()].sort()).toEqual(expected.sort())
  for (const { event, data } of stream.events()) {
    const schema = events[event as keyof typeof events]
    expect({ event, error: schema.safeParse(data).error }).toEqual({ event, error: undefined })
  }
  stream.leave()
})

test('a stream resumes after Last-Event-ID without a gap, and ends its replay with `ready`', async () => {
  const first = open()
  const [ready] = await first.until(1)
  first.leave()
  await server.addEnvironment({ branch: 'a' })
  await server.addEnvironment({ branch: 'b' })
  const second = open({ after: ready?.id })
  const received = await second.until(3)
  expect(received.map(({ event, data }) => [event, data.branch?.name])).toEqual([
    ['environment', 'a'],
    ['environment', 'b'],
    ['ready', undefined],
  ])
  second.leave()
  const third = open({ after: received[0]?.id })
  expect((await third.until(2)).map(({ data }) => data.branch?.name)).toEqual(['b', undefined])
  third.leave()
})

test('an id of another daemon start, of the future or before the kept events gets `reset`', async () => {
  for (const after of ['ffffffff-1', 'e90c4a11-999999']) {
    const stream = open({ after })
    const [reset] = await stream.until(1)
    expect(reset).toMatchObject({ event: 'reset', data: {} })
    await server.addEnvironment({ branch: `after-${after}` })
    expect((await stream.until(2))[1]?.data.branch.name).toBe(`after-${after}`)
    stream.leave()
  }
  const ids = await open().until(1)
  for (let count = 0; count < 10_001; count += 500) {
    await server.rig.store.transaction(async (tx) => {
      for (let n = 0; n < 500; n += 1) {
        await tx.environments.update(1, { reason: `${count + n}` }, { at: 1 })
      }
    })
  }
  const late = open({ after: ids[0]?.id })
  expect((await late.until(1))[0]?.event).toBe('reset')
  late.leave()
})

test.each(['x', '-1', 'e90c4a11', 'e90c4a11-', 'e90c4a11-1.5', '12'])(
  'the invalid id %s is answered with 400',
  async (after) => {
    expect(await open({ after }).opened).toBe(400)
  },
)

test('a token of one project sees the changes of that project only', async () => {
  const { id: other } = await server.addProject('other')
  const { token } = await createToken({ name: 'shop', projects: [1], role: 'viewer' })
  const stream = open({ token })
  await stream.until(1)
  await server.addEnvironment({ projectId: other, branch: 'hidden' })
  await server.addQueueEntry(other, 'hidden')
  await server.call('PATCH', `/projects/${other}`, { body: { pause_after: '2h' } })
  await server.call('POST', '/nodes', { body: { name: 'second', endpoint: 'local' } })
  await createToken({ name: 'hidden' })
  const gone = await server.rig.store.trash.create(trashDraft({ projectId: 9000 }))
  await server.rig.store.trash.update(gone.id, { sizeBytes: 5 })
  await server.call('POST', '/secrets', { body: { name: 'HIDDEN', value: 'x' } })
  await server.addEnvironment({ branch: 'shown' })
  const received = await stream.until(2)
  expect(received.map(({ event, data }) => [event, data.branch?.name])).toEqual([
    ['ready', undefined],
    ['environment', 'shown'],
  ])
  expect(stream.text()).not.toMatch(/hidden|HIDDEN/)
  stream.leave()
})

test('a named token for all projects sees everything but tokens', async () => {
  const { token } = await createToken({ name: 'ops', role: 'viewer' })
  const stream = open({ token })
  await stream.until(1)
  await createToken({ name: 'second' })
  await server.call('POST', '/nodes', { body: { name: 'second', endpoint: 'local' } })
  await stream.until(4)
  const names = stream.events().map(({ event }) => event)
  expect(names).toContain('node')
  expect(names).toContain('audit_entry')
  expect(names).not.toContain('token')
  stream.leave()
})

test('revoking a token ends its event streams and log streams at once, and no others', async () => {
  const { id: environment } = await server.addEnvironment({})
  const logs = `/environments/${environment}/logs/stream`
  server.rig.logs.follow = (_id, _after, signal) => silent(signal)
  const { id, token } = await createToken({ name: 'leaver' })
  const { token: kept } = await createToken({ name: 'stayer' })
  const ended = [open({ token }), open({ token }), open({ token, path: logs })]
  const others = [open(), open({ token: kept }), open({ token: kept, path: logs })]
  for (const stream of [...ended, ...others]) expect(await stream.opened).toBe(200)
  expect((await server.call('DELETE', `/tokens/${id}`)).status).toBe(204)
  expect(await eventually(() => ended.every((stream) => stream.isOver()), 5000)).toBe(true)
  expect(others.map((stream) => stream.isOver())).toEqual([false, false, false])
  expect(await open({ token }).opened).toBe(401)
  expect(ended.map((stream) => stream.text()).join()).not.toContain('token_revoked')
  for (const stream of others) stream.leave()
})

test('a stream ends when its token expires, also after a jump of the clock', async () => {
  const { token } = await createToken({ name: 'short', expires_in: '90s' })
  const { token: jumped } = await createToken({ name: 'jumped', expires_in: '30d' })
  const stream = open({ token })
  const longer = open({ token: jumped })
  await Promise.all([stream.opened, longer.opened])
  await server.rig.clock.advance(89_000)
  expect(stream.isOver()).toBe(false)
  await server.rig.clock.advance(1_000)
  expect(await eventually(stream.isOver, 5000)).toBe(true)
  expect(longer.isOver()).toBe(false)
  server.rig.clock.jump(31 * 86_400_000)
  await server.rig.clock.advance(60_000)
  expect(await eventually(longer.isOver, 5000)).toBe(true)
})

test('a credential has at most 100 streams, and a closed stream makes room', async () => {
  const { token } = await createToken({ name: 'greedy' })
  const streams = Array.from({ length: 100 }, () => open({ token }))
  expect(new Set(await Promise.all(streams.map(({ opened }) => opened)))).toEqual(new Set([200]))
  expect(await open({ token }).opened).toBe(429)
  const other = open()
  expect(await other.opened).toBe(200)
  streams[0]?.leave()
  const hasRoom = async () => {
    const stream = open({ token })
    const status = await stream.opened
    if (status === 200) streams.push(stream)
    return status === 200
  }
  expect(await eventually(hasRoom, 5000)).toBe(true)
  for (const stream of [...streams, other]) stream.leave()
})

async function* silent(signal: AbortSignal): AsyncGenerator<never> {
  await new Promise((resolve) => signal.addEventListener('abort', resolve))
}
