import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventually } from '../../test/support/apps/eventually.ts'
import { manualClock } from '../../test/support/daemon/http/clocks.ts'
import { masterToken, type Started, start } from '../../test/support/daemon/http/started.ts'
import * as environments from '../api/environments.ts'
import type { DeployOutcome } from '../app/ground/use-cases.ts'

let server: Started
let path: string
const clock = manualClock()
beforeEach(async () => {
  server = await start({ clock })
  path = `/projects/${server.addProject('shop').id}`
})
afterEach(() => server.stop())

const deploy = (headers: Record<string, string> = {}) =>
  server.call('POST', `${path}/deploy`, { body: { branch: 'main' }, headers })

test('a deploy answers with the environment and how long the build took', async () => {
  const { status, json } = await deploy()
  expect(status).toBe(201)
  expect(environments.deployed.safeParse(json).error).toBeUndefined()
  expect(json).toMatchObject({
    branch: { name: 'main', commit_sha: 'a'.repeat(40) },
    state: 'running',
    url: 'main--p1.localhost',
    host_port: 40_000,
    public_port: 9080,
    build: { duration_ms: 12 },
  })
})

test('a failed one is 422 with the reason and the environment', async () => {
  server.deployWith(async () => ({ kind: 'failed', reason: 'exited with 1', environmentId: 9 }))
  const { status, json } = await deploy()
  expect({ status, json }).toEqual({
    status: 422,
    json: { error: 'exited with 1', environment_id: 9 },
  })
})

test('a queued one is 202 with its position', async () => {
  server.deployWith(async () => ({ kind: 'queued', position: 3 }))
  const { status, json } = await deploy()
  expect({ status, json }).toEqual({ status: 202, json: { status: 'queued', position: 3 } })
})

test('Prefer: respond-async does not wait, and is answered for', async () => {
  const asked: boolean[] = []
  server.deployWith(async (_branch, wait) => {
    asked.push(wait)
    return { kind: 'queued', position: 1 }
  })
  const { status, headers } = await deploy({ prefer: 'Respond-Async, wait=10' })
  expect(status).toBe(202)
  expect(headers.get('preference-applied')).toBe('respond-async')
  await deploy({ prefer: 'return=minimal' })
  await server.call('POST', `${path}/rollback`, {
    body: { branch: 'main', to_sha: 'ABCDEF12' },
    headers: { prefer: 'respond-async' },
  })
  expect(asked).toEqual([false, true, false])
  expect(server.changes.at(-1)).toContain('"toSha":"abcdef12","wait":false')
})

test('who has waited ten minutes is told that it goes on', async () => {
  let finish = (_outcome: DeployOutcome) => {}
  server.deployWith(
    () =>
      new Promise((resolve) => {
        finish = resolve
      }),
  )
  const answer = deploy()
  expect(await eventually(() => server.changes.length > 0, 5000)).toBe(true)
  server.addQueueEntry(1, 'other')
  server.addQueueEntry(1, 'main')
  clock.advance(599_999)
  clock.advance(1)
  const { status, json } = await answer
  expect({ status, json }).toEqual({ status: 202, json: { status: 'queued', position: 2 } })
  finish({ kind: 'queued', position: 0 })
})

test('a caller who hangs up cancels nothing', async () => {
  let finish = (_outcome: DeployOutcome) => {}
  const work = new Promise<DeployOutcome>((resolve) => {
    finish = resolve
  })
  server.deployWith(() => work)
  const body = '{"branch":"main"}'
  const connection = new AbortController()
  const answer = fetch(`${server.url}/api/v1${path}/deploy`, {
    method: 'POST',
    body,
    headers: { authorization: `Bearer ${masterToken}`, 'content-type': 'application/json' },
    signal: connection.signal,
  })
  expect(await eventually(() => server.changes.length > 0, 5000)).toBe(true)
  connection.abort()
  await expect(answer).rejects.toThrow()
  expect(await eventually(() => server.logged.some((line) => line.isCutOff === true), 5000)).toBe(
    true,
  )
  finish({ kind: 'queued', position: 0 })
  expect((await server.call('GET', '/health')).status).toBe(200)
  expect(server.logged.filter(({ level }) => level === 'error')).toEqual([])
})

test('closing the server answers who waits: the deploy is written down', async () => {
  server.deployWith(() => new Promise(() => {}))
  const answer = deploy()
  expect(await eventually(() => server.changes.length > 0, 5000)).toBe(true)
  let isClosed = false
  server.http.close(10_000).then(() => {
    isClosed = true
  })
  expect((await answer).status).toBe(202)
  // Connections that fall idle only now are closed at the next sweep.
  const sweep = () => {
    clock.advance(50)
    return isClosed
  }
  expect(await eventually(sweep, 5000)).toBe(true)
})
