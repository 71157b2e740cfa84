import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../../test/support/apps/eventually.ts'
import { settled } from '../../test/support/daemon/app/fake-clock.ts'
import { startServer, type TestServer } from '../../test/support/daemon/http/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  await server.addProject('shop')
})
afterAll(() => server.stop())

const payload = {
  ref: 'refs/heads/main',
  repository: { clone_url: 'https://git.example.com/Acme/Shop.git' },
}
const hmac = (raw: string | Uint8Array) =>
  createHmac('sha256', 'webhook-secret').update(raw).digest('hex')

let deliveries = 0

function deliver(raw: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) {
  deliveries += 1
  return server.call('POST', '/webhooks/github', {
    token: null,
    raw,
    headers: {
      'content-type': 'application/json',
      'x-github-event': 'push',
      'x-github-delivery': `d-${deliveries}`,
      'x-hub-signature-256': `sha256=${hmac(raw)}`,
      ...headers,
    },
  })
}

test('a signed push to a known repository is queued for its projects', async () => {
  const { status, json } = await deliver(JSON.stringify(payload), { 'x-github-delivery': 'push-7' })
  expect(status).toBe(202)
  expect(json).toEqual({ status: 'queued', project_ids: [expect.any(Number)] })
  const input = {
    remoteKey: 'git.example.com/acme/shop',
    branch: 'main',
    isDeleted: false,
    host: 'github',
    deliveryId: 'push-7:main',
    actor: expect.objectContaining({ operator: 'webhook:github' }),
  }
  expect(server.changes().at(-1)).toMatchObject({ name: 'deploys.push', args: [input] })
})

test('a push that deletes a branch answers with the destroyed environments', async () => {
  const { status, json } = await deliver(JSON.stringify({ ...payload, deleted: true }))
  expect({ status, json }).toEqual({
    status: 202,
    json: { status: 'destroyed', environment_ids: [] },
  })
})

test('a push to a repository without a project answers 404', async () => {
  const repository = { clone_url: 'https://git.example.com/acme/shop-two.git' }
  const { status, json } = await deliver(JSON.stringify({ ...payload, repository }))
  expect({ status, json }).toEqual({ status: 404, json: { error: expect.any(String) } })
})

test('an event other than a push is ignored with 200', async () => {
  const { status, json } = await deliver('{}', { 'x-github-event': 'ping' })
  expect(status).toBe(200)
  expect(json).toMatchObject({ status: 'ignored' })
})

test('a wrong or missing signature answers 401 before the payload is parsed', async () => {
  const before = server.changes().length
  const wrong = `sha256=${'0'.repeat(64)}`
  expect((await deliver('{broken', { 'x-hub-signature-256': wrong })).status).toBe(401)
  expect((await deliver(JSON.stringify(payload), { 'x-hub-signature-256': wrong })).status).toBe(
    401,
  )
  expect((await deliver(JSON.stringify(payload), { 'x-hub-signature-256': '' })).status).toBe(401)
  expect(server.changes().length).toBe(before)
})

test('a signed payload that is not a valid push answers 400', async () => {
  expect((await deliver('{broken')).status).toBe(400)
  expect((await deliver('{"ref":"refs/heads/main"}')).status).toBe(400)
})

test('a payload of up to 25 MiB is accepted, a larger one answers 413', async () => {
  const fits = JSON.stringify({ ...payload, pad: 'x'.repeat(24 * 2 ** 20) })
  expect((await deliver(fits)).status).toBe(202)
  const { status, json } = await deliver('x'.repeat(25 * 2 ** 20 + 1))
  expect({ status, json }).toEqual({ status: 413, json: { error: expect.any(String) } })
})

describe('webhook deliveries without a valid signature', () => {
  const sockets: Socket[] = []
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy()
  })

  /** Sends a delivery with a wrong signature, but only the headers and the start of its body. */
  async function begin(announced: number, body: string | Buffer, localAddress = '127.0.0.1') {
    const socket = connect({ port: server.port, host: '127.0.0.1', localAddress })
    sockets.push(socket)
    const sender = { socket, answer: '' }
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      sender.answer += chunk
    })
    const head = `POST /api/v1/webhooks/gogs HTTP/1.1\r\nHost: a\r\nX-Gogs-Signature: x\r\nContent-Length: ${announced}`
    socket.write(`${head}\r\n\r\n`)
    await new Promise((written) => socket.write(body, written))
    return sender
  }

  const push = () => deliver(JSON.stringify(payload))

  test('that announce a large body and send little do not delay a signed push', async () => {
    await Promise.all(Array.from({ length: 300 }, () => begin(25 * 2 ** 20, '{')))
    expect((await push()).status).toBe(202)
    expect((await deliver(JSON.stringify({ ...payload, pad: 'x'.repeat(2 ** 20) }))).status).toBe(
      202,
    )
  })

  test('that arrive too slowly answer 408 and are disconnected', async () => {
    const slow = await begin(2 ** 20, '{')
    const faster = await begin(2 ** 20, 'x'.repeat(500_000))
    await settled()
    await server.rig.clock.advance(10_000)
    expect(await eventually(() => slow.socket.destroyed, 5_000)).toBe(true)
    expect(slow.answer).toMatch(/^HTTP\/1\.1 408 .*Connection: close.*too slowly/s)
    expect(faster.answer).toBe('')
    await server.rig.clock.advance(110_000)
    expect(await eventually(() => faster.answer.includes(' 408 '), 5_000)).toBe(true)
  })

  test('above 50 MiB of one peer answer 429 to the oldest large delivery', async () => {
    const part = Buffer.alloc(20 * 2 ** 20)
    const neighbor = await begin(25 * 2 ** 20, part, '127.0.0.2')
    const small = await begin(25 * 2 ** 20, '{')
    const senders = [await begin(25 * 2 ** 20, part)]
    senders.push(await begin(25 * 2 ** 20, part), await begin(25 * 2 ** 20, part))
    const answers = () => senders.map(({ answer }) => answer.slice(9, 12))
    expect(await eventually(() => answers().join() === '429,,', 5_000)).toBe(true)
    expect(senders[0]?.answer).toMatch(/Retry-After: 5.*too many large deliveries/s)
    expect((await push()).status).toBe(202)
    expect([neighbor.answer, small.answer]).toEqual(['', ''])
  })
})

test('the queue, the audit log and the environment name the person who pushed', async () => {
  const branch = 'by-ada'
  const pushed = { ...payload, ref: `refs/heads/${branch}`, pusher: { name: 'ada\r\n' } }
  const operator = 'webhook:github:ada'
  const list = async (path: string) => (await server.call('GET', path)).json as object[]
  server.rig.commit(branch)
  server.rig.builder.gates.shut('build')
  expect((await deliver(JSON.stringify(pushed))).status).toBe(202)
  const queued = (await list('/queue')).find(
    (entry) => 'branch' in entry && entry.branch === branch,
  )
  expect(queued).toMatchObject({ operator })
  server.rig.builder.gates.open('build')
  const path = `/audit?branch=${branch}`
  expect(await eventually(async () => (await list(path)).length === 1, 5_000)).toBe(true)
  expect(await list(path)).toMatchObject([{ kind: 'build_succeeded', operator }])
  const [row] = await server.rig.store.environments.listLive()
  expect(row).toMatchObject({ branch, operator })
})

test('each git host has its own signature header and operator name', async () => {
  const raw = JSON.stringify(payload)
  for (const [host, headers] of [
    ['gitea', { 'x-gitea-event': 'push', 'x-gitea-signature': hmac(raw) }],
    ['gogs', { 'x-gogs-event': 'push', 'x-gogs-signature': hmac(raw) }],
  ] as const) {
    const { status } = await server.call('POST', `/webhooks/${host}`, { token: null, raw, headers })
    expect({ host, status }).toEqual({ host, status: 202 })
    expect(server.changes().at(-1)?.actor).toMatchObject({ operator: `webhook:${host}` })
  }
  const gitlab = readFileSync(new URL('../webhooks/fixtures/gitlab-push.json', import.meta.url))
  const unknown = await server.call('POST', '/webhooks/gitlab', {
    token: null,
    raw: new Uint8Array(gitlab),
    headers: { 'x-gitlab-event': 'Push Hook', 'x-gitlab-token': 'webhook-secret' },
  })
  expect(unknown.status).toBe(404)
})

test('webhooks answer 503 without a webhook secret', async () => {
  const bare = await startServer({ config: { webhookSecret: null } })
  const { status, json } = await bare.call('POST', '/webhooks/gitlab', {
    token: null,
    raw: '{}',
    headers: { 'x-gitlab-token': '' },
  })
  expect(status).toBe(503)
  expect((json as { error: string }).error).toContain('SERVICE_WEBHOOK_SECRET')
  await bare.stop()
})
