import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createRig, operator, type Rig } from '../../../test/support/daemon/app/rig.ts'
import { type StandIn, startStandIn } from '../../../test/support/daemon/outgoing/stand-in.ts'
import type { NotificationEvent } from '../../domain/receivers.ts'
import { DaemonError } from '../../errors.ts'

let rig: Rig
let receiver: StandIn
beforeEach(async () => {
  rig = await createRig()
  receiver = await startStandIn()
})
afterEach(async () => {
  await rig.close()
  await receiver.close()
})

async function add(options: { server?: boolean; events?: NotificationEvent[] } = {}) {
  const projectId = options.server ? null : rig.project.id
  const input = { projectId, url: `${receiver.url}/hook?key=secret`, events: options.events }
  return rig.app.useCases.receivers.addWebhook(input, operator)
}

const events = () => receiver.received.map(({ body }) => JSON.parse(body))
const types = () => events().map(({ type }) => type)

test('a deploy sends a signed notification', async () => {
  const { signingKey } = await add()
  const commitSha = rig.commit('main')
  const { id, hostname } = await rig.deployed('main')
  await rig.until(() => receiver.received.length === 1)
  const [first] = receiver.received
  if (!first) throw new Error('nothing was received')
  const { headers, body, path } = first
  expect(path).toBe('/hook?key=secret')
  expect(JSON.parse(body)).toMatchObject({
    type: 'deploy.succeeded',
    data: {
      project: { id: rig.project.id, name: rig.project.name },
      ...{ branch: 'main', commit_sha: commitSha, environment_id: id },
      url: `http://${hostname}:9080`,
    },
  })
  const key = Buffer.from(signingKey.reveal().replace('whsec_', ''), 'base64')
  expect(key).toHaveLength(32)
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const signature = createHmac('sha256', key).update(signed).digest('base64')
  expect(headers['webhook-signature']).toBe(`v1,${signature}`)
  expect(Number(headers['webhook-timestamp'])).toBe(Math.floor(rig.clock.now() / 1000))
})

test('a failed deploy sends its reason, and an attempt that is repeated sends nothing', async () => {
  await add()
  rig.builder.buildFault = new DaemonError('unprocessable', 'no such script')
  rig.commit('main')
  await rig.deploy('main')
  await rig.until(() => receiver.received.length === 1)
  expect(events()).toMatchObject([
    {
      type: 'deploy.failed',
      data: { url: null, message: expect.stringContaining('no such script') },
    },
  ])
})

test('a crash loop sends one notification', async () => {
  await add({ events: ['app.crashed'] })
  rig.commit('main')
  const { id } = await rig.deployed('main')
  rig.runtime.crash(id, 3)
  await rig.until(() => receiver.received.length === 1)
  await rig.clock.advance(1_000)
  await rig.until(async () => (await rig.row(id)).hostPort !== null)
  rig.runtime.crash(id, 3)
  await rig.until(async () => /again in 2 s/.test((await rig.row(id)).reason ?? ''))
  expect(await rig.store.outgoing.listHeads()).toEqual([])
  expect(events()).toMatchObject([
    { type: 'app.crashed', data: { message: expect.stringContaining('exited with code 3') } },
  ])
})

test('a receiver of the server gets certificates and backups of all, but deploys only by request', async () => {
  await add({ server: true })
  rig.commit('main')
  await rig.deployed('main')
  expect(await rig.store.outgoing.listHeads()).toEqual([])
  await rig.app.announceBackupFault('a scheduled backup failed: the disk is full')
  await rig.until(() => receiver.received.length === 1)
  await add({ server: true, events: ['deploy.succeeded'] })
  rig.commit('main')
  await rig.deployed('main')
  await rig.until(() => receiver.received.length === 2)
  expect(types()).toEqual(['backup.failed', 'deploy.succeeded'])
})

test('a test is sent at once, and its failure tells the reason', async () => {
  const { receivers } = rig.app.useCases
  const { receiver: added } = await add()
  const { signal } = new AbortController()
  expect(await receivers.testWebhook(rig.project.id, added.id, signal)).toEqual({ status: 204 })
  expect(types()).toEqual(['test'])
  receiver.answers.push({ status: 503 })
  await expect(receivers.testWebhook(rig.project.id, added.id, signal)).rejects.toMatchObject({
    kind: 'unprocessable',
    message: `${receiver.url} did not accept the test: the answer was HTTP 503`,
  })
  const [view] = await receivers.listWebhooks(rig.project.id)
  expect(view).toMatchObject({ waiting: 0, receiver: { fault: 'the answer was HTTP 503' } })
  const other = await rig.addProject('other')
  await expect(receivers.testWebhook(other.id, added.id, signal)).rejects.toMatchObject({
    kind: 'not-found',
  })
  await expect(receivers.removeWebhook(null, added.id, operator)).rejects.toMatchObject({
    kind: 'not-found',
  })
})

test('audit records and logs have no part of a URL that may be secret', async () => {
  await add()
  receiver.answers.push({ status: 500 })
  rig.commit('main')
  await rig.deployed('main')
  await rig.until(() => rig.warnings.includes('could not deliver a message'))
  const audit = await rig.store.audit.list({ limit: 100 })
  expect(audit.some(({ detail }) => detail.includes(`go to ${receiver.url}`))).toBe(true)
  expect(JSON.stringify(audit)).not.toContain('key=secret')
})

test('the oldest of more than 200 waiting messages is given up', async () => {
  const { receiver: added } = await add({ server: true })
  receiver.answers.push('hang', 'hang')
  for (let count = 0; count < 201; count += 1) await rig.app.announceBackupFault(`fault ${count}`)
  expect(await rig.store.outgoing.count(added.id)).toBe(200)
  const details = (await rig.store.audit.list({ limit: 500 })).map(({ detail }) => detail)
  const dropped = details.filter((detail) => detail.includes('too many messages wait for it'))
  expect(dropped).toHaveLength(1)
})

test('a project has at most ten notifications', async () => {
  for (let count = 0; count < 10; count += 1) await add()
  await expect(add()).rejects.toMatchObject({ kind: 'conflict' })
})
