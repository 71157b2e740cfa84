import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  type Called,
  startServer,
  type TestServer,
} from '../../test/support/daemon/http/test-server.ts'
import type { Project } from '../domain/records.ts'

let server: TestServer
let shop: Project
let other: Project
beforeEach(async () => {
  server = await startServer()
  shop = await server.addProject('shop')
  other = await server.addProject('other')
})
afterEach(() => server.stop())

const payloadOf = (name: string, branch = 'main') =>
  JSON.stringify({
    ref: `refs/heads/${branch}`,
    repository: { clone_url: `https://git.example.com/Acme/${name}.git` },
  })

async function createSecret({ id }: Project): Promise<string> {
  const { status, json } = await server.call('POST', `/projects/${id}/webhook-secret`)
  expect({ status, json }).toEqual({
    status: 201,
    json: { webhook_secret: expect.stringMatching(/^[0-9a-f]{64}$/) },
  })
  return (json as { webhook_secret: string }).webhook_secret
}

function deliver(
  secret: string,
  raw: string,
  headers: Record<string, string> = {},
): Promise<Called> {
  const signature = `sha256=${createHmac('sha256', secret).update(raw).digest('hex')}`
  return server.call('POST', '/webhooks/github', {
    token: null,
    raw,
    headers: { 'x-github-event': 'push', 'x-hub-signature-256': signature, ...headers },
  })
}

const queued = ({ id }: Project) => ({
  status: 202,
  json: { status: 'queued', project_ids: [id] },
})

describe('the webhook secret of a project', () => {
  test('is accepted for pushes of that project beside the secret of the daemon', async () => {
    const secret = await createSecret(shop)
    expect(await deliver(secret, payloadOf('shop'))).toMatchObject(queued(shop))
    expect(await deliver('webhook-secret', payloadOf('shop'))).toMatchObject(queued(shop))
    expect(await deliver('webhook-secret', payloadOf('other'))).toMatchObject(queued(other))
  })

  test('does not sign for another project, with and without a secret of its own', async () => {
    const secret = await createSecret(shop)
    const unknown = await deliver('a'.repeat(64), payloadOf('nothing'))
    expect(unknown.status).toBe(401)
    expect(await deliver(secret, payloadOf('other'))).toMatchObject({
      status: 401,
      json: unknown.json,
    })
    await createSecret(other)
    expect(await deliver(secret, payloadOf('other'))).toMatchObject({
      status: 401,
      json: unknown.json,
    })
    expect(await deliver(secret, payloadOf('nothing'))).toMatchObject({ status: 401 })
    expect(await server.rig.store.queue.list()).toEqual([])
  })

  test('does not reach another project whose name is hidden in the payload', async () => {
    const secret = await createSecret(shop)
    const target = '{"clone_url":"https://git.example.com/acme/other"}'
    const own = '{"clone_url":"https://git.example.com/acme/shop"}'
    const hidden = [
      `{"ref":"refs/heads/main","repository":${own},"repository":${target}}`,
      `{"ref":"refs/heads/main","repository":${target},"repository":${own}}`,
      `{"ref":"refs/heads/main","repository":${own},"repositor\\u0079":${target}}`,
      `{"ref":"refs/heads/main","project":{"url":"https://git.example.com/acme/shop"},"repository":${target}}`,
    ]
    const answers = await Promise.all(hidden.map((raw) => deliver(secret, raw)))
    expect(answers.map(({ status }) => status)).toEqual([401, 202, 404, 404])
    const entries = await server.rig.store.queue.list()
    expect(entries.map(({ projectId }) => projectId)).not.toContain(other.id)
  })

  test('is replaced by the next one, and removed', async () => {
    const first = await createSecret(shop)
    const second = await createSecret(shop)
    expect((await deliver(first, payloadOf('shop'))).status).toBe(401)
    expect((await deliver(second, payloadOf('shop'))).status).toBe(202)
    const path = `/projects/${shop.id}`
    expect((await server.call('GET', path)).json).toMatchObject({ has_webhook_secret: true })
    expect((await server.call('DELETE', `${path}/webhook-secret`)).status).toBe(204)
    expect((await deliver(second, payloadOf('shop'))).status).toBe(401)
    expect((await server.call('GET', path)).json).toMatchObject({ has_webhook_secret: false })
    expect((await server.call('DELETE', `${path}/webhook-secret`)).status).toBe(404)
    expect((await server.call('POST', '/projects/999/webhook-secret')).status).toBe(404)
    const audit = await server.rig.store.audit.list({ projectId: shop.id, limit: 10 })
    const updates = audit.filter(({ kind }) => kind === 'project_updated')
    expect(updates.map(({ detail }) => detail)).toEqual([
      'webhookSecret: removed',
      'webhookSecret',
      'webhookSecret',
    ])
    expect(JSON.stringify(audit)).not.toContain(second)
  })

  test('verifies the ping of a new webhook, and the token of GitLab', async () => {
    const secret = await createSecret(shop)
    const ping = '{"zen":"x","repository":{"clone_url":"https://git.example.com/acme/shop.git"}}'
    const answer = await deliver(secret, ping, { 'x-github-event': 'ping' })
    expect(answer).toMatchObject({ status: 200, json: { status: 'ignored' } })
    const gitlab = (token: string) =>
      server.call('POST', '/webhooks/gitlab', {
        token: null,
        raw: JSON.stringify({
          object_kind: 'push',
          ref: 'refs/heads/main',
          project: { git_http_url: 'https://git.example.com/acme/shop.git' },
        }),
        headers: { 'x-gitlab-token': token },
      })
    expect(await gitlab(secret)).toMatchObject(queued(shop))
    expect((await gitlab(`${secret}0`)).status).toBe(401)
  })

  test('of two projects with one remote: one delivery id reaches each of them once', async () => {
    const web = await server.addProject('shop')
    const [first, second] = [await createSecret(shop), await createSecret(web)]
    const headers = { 'x-github-delivery': 'one-event' }
    expect(await deliver(first, payloadOf('shop'), headers)).toMatchObject(queued(shop))
    expect(await deliver(second, payloadOf('shop'), headers)).toMatchObject(queued(web))
    expect(await deliver(first, payloadOf('shop'), headers)).toMatchObject({ status: 200 })
    const global = await deliver('webhook-secret', payloadOf('shop'), headers)
    expect(global).toMatchObject({ status: 200, json: { why: 'duplicate delivery' } })
  })

  test('of a renamed repository moves only its own project', async () => {
    const secret = await createSecret(shop)
    const renamed = JSON.stringify({
      action: 'renamed',
      changes: { repository: { name: { from: 'shop' } } },
      repository: {
        name: 'store',
        full_name: 'acme/store',
        clone_url: 'https://git.example.com/acme/store.git',
      },
    })
    const answer = await deliver(secret, renamed, { 'x-github-event': 'repository' })
    expect(answer).toMatchObject({ json: { status: 'renamed', project_ids: [shop.id] } })
    expect((await server.rig.store.projects.find(shop.id))?.remoteKey).toBe(
      'git.example.com/acme/store',
    )
  })
})

test('a daemon without a secret of its own accepts the secrets of projects', async () => {
  await server.stop()
  server = await startServer({ config: { webhookSecret: null } })
  shop = await server.addProject('shop')
  expect(await deliver('any', payloadOf('shop'))).toMatchObject({ status: 503 })
  const secret = await createSecret(shop)
  expect((await deliver('any', payloadOf('shop'))).status).toBe(401)
  expect(await deliver(secret, payloadOf('shop'))).toMatchObject(queued(shop))
})

test('the database and the project never show a webhook secret', async () => {
  const secret = await createSecret(shop)
  const project = await server.rig.store.projects.find(shop.id)
  expect(project?.webhookSecret).toMatch(/^v1\./)
  const shown = await server.call('GET', `/projects/${shop.id}`)
  expect(`${JSON.stringify(project)}${shown.text}`).not.toContain(secret)
  expect(JSON.stringify(server.logged)).not.toContain(secret)
})

test('/infra/status counts the webhook secrets of projects', async () => {
  await server.stop()
  server = await startServer({ config: { webhookSecret: null } })
  shop = await server.addProject('shop')
  const check = async () => {
    const { json } = await server.call('GET', '/infra/status')
    const { checks } = json as { checks: { name: string; ok: boolean }[] }
    return checks.find(({ name }) => name === 'webhook secret')
  }
  expect(await check()).toMatchObject({ ok: false })
  await createSecret(shop)
  expect(await check()).toMatchObject({ ok: true })
})
