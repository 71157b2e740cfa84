import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventually } from '../../test/support/apps/eventually.ts'
import {
  masterToken,
  startServer,
  type TestServer,
} from '../../test/support/daemon/http/test-server.ts'
import * as environments from '../api/environments.ts'
import { DaemonError } from '../errors.ts'

let server: TestServer
let sha: string
const path = '/projects/1'
beforeEach(async () => {
  server = await startServer()
  sha = server.rig.commit('main')
})
afterEach(() => server.stop())

const deploy = (headers: Record<string, string> = {}, branch = 'main') =>
  server.call('POST', `${path}/deploy`, { body: { branch }, headers })

/** Occupies both deploy slots until the gate `fetch` opens. */
async function fillSlots() {
  const { git } = server.rig
  git.gates.shut('fetch')
  for (const branch of ['first', 'second']) {
    server.rig.commit(branch)
    await deploy({ prefer: 'respond-async' }, branch)
  }
  expect(await eventually(() => git.fetches === 2, 5000)).toBe(true)
}

test('a deploy answers 201 with the environment and the duration of the build', async () => {
  const { builder, clock } = server.rig
  builder.gates.shut('build')
  const response = deploy()
  await builder.gates.reached('build')
  await clock.advance(12)
  builder.gates.open('build')
  const { status, json } = await response
  expect(status).toBe(201)
  expect(environments.deployed.safeParse(json).error).toBeUndefined()
  expect(json).toMatchObject({
    branch: { name: 'main', commit_sha: sha },
    state: 'running',
    url: 'main--repository.localhost',
    host_port: 20_001,
    public_port: 9080,
    build: { duration_ms: 12 },
  })
})

test('a failed deploy answers 422 with the reason and the environment', async () => {
  server.rig.builder.buildFault = new DaemonError('unprocessable', 'exited with 1')
  const { status, json } = await deploy()
  const [row] = await server.rig.store.environments.list(1)
  expect({ status, json }).toEqual({
    status: 422,
    json: { error: 'exited with 1', environment_id: row?.id },
  })
})

test('a deploy of an unknown branch answers 404', async () => {
  const { status, json } = await deploy({}, 'absent')
  expect({ status, json }).toEqual({ status: 404, json: { error: expect.any(String) } })
})

test('a deploy that waits for memory answers 202 with its queue position', async () => {
  const { runtime, builder } = server.rig
  runtime.memoryMb = 1000
  builder.launch = { ...builder.launch, memoryMb: 600 }
  for (const branch of ['a', 'b', 'c']) server.rig.commit(branch)
  expect((await deploy({}, 'a')).status).toBe(201)
  await deploy({}, 'b')
  await deploy({}, 'c')
  const { status, json } = await deploy()
  expect({ status, json }).toEqual({ status: 202, json: { status: 'queued', position: 3 } })
})

test('Prefer: respond-async answers 202 at once and is confirmed in a header', async () => {
  const { status, headers } = await deploy({ prefer: 'Respond-Async, wait=10' })
  expect(status).toBe(202)
  expect(headers.get('preference-applied')).toBe('respond-async')
  await deploy({ prefer: 'return=minimal' })
  server.rig.commit('main')
  await deploy()
  const rollback = await server.call('POST', `${path}/rollback`, {
    body: { branch: 'main', to_sha: sha.slice(0, 8).toUpperCase() },
    headers: { prefer: 'respond-async' },
  })
  expect(rollback.status).toBe(202)
  const inputs = server.changes().map(({ args }) => args[1])
  expect(inputs.map((input) => (input as { wait: boolean }).wait)).toEqual([
    false,
    true,
    true,
    false,
  ])
  expect(inputs.at(-1)).toEqual({ branch: 'main', toSha: sha.slice(0, 8), wait: false })
})

test('a caller that waits ten minutes gets 202 with the queue position', async () => {
  await fillSlots()
  await deploy({ prefer: 'respond-async' }, 'other')
  const response = deploy()
  expect(await eventually(() => server.changes().length === 4, 5000)).toBe(true)
  await server.rig.clock.advance(599_999)
  await server.rig.clock.advance(1)
  const { status, json } = await response
  expect({ status, json }).toEqual({ status: 202, json: { status: 'queued', position: 2 } })
})

test('a deploy continues if its caller disconnects', async () => {
  const { git, store } = server.rig
  git.gates.shut('fetch')
  const body = '{"branch":"main"}'
  const connection = new AbortController()
  const response = fetch(`${server.url}/api/v1${path}/deploy`, {
    method: 'POST',
    body,
    headers: { authorization: `Bearer ${masterToken}`, 'content-type': 'application/json' },
    signal: connection.signal,
  })
  await git.gates.reached('fetch')
  connection.abort()
  await expect(response).rejects.toThrow()
  expect(await eventually(() => server.logged.some((line) => line.isCutOff === true), 5000)).toBe(
    true,
  )
  git.gates.open('fetch')
  const isLive = async () => (await store.environments.findLive(1, 'main')) !== undefined
  expect(await eventually(isLive, 5000)).toBe(true)
  expect((await server.call('GET', '/health')).status).toBe(200)
  expect(server.logged.filter(({ level }) => level === 'error')).toEqual([])
})

test('closing the server answers 202 to callers that wait for a deploy', async () => {
  const { git, clock } = server.rig
  git.gates.shut('fetch')
  const response = deploy()
  await git.gates.reached('fetch')
  let isClosed = false
  server.http.close(10_000).then(() => {
    isClosed = true
  })
  expect((await response).status).toBe(202)
  // A sweep after 50 ms closes connections that have become idle.
  const sweep = async () => {
    await clock.advance(50)
    return isClosed
  }
  expect(await eventually(sweep, 5000)).toBe(true)
})
