import { createHmac } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { redacted } from '../domain/redacted.ts'
import { DaemonError } from '../errors.ts'
import type { HostName } from './event.ts'
import { webhookHosts } from './webhooks.ts'

const secret = redacted('it is a secret')
const fixture = (name: string) => readFileSync(new URL(`fixtures/${name}.json`, import.meta.url))
const hmac = (bytes: Uint8Array) =>
  createHmac('sha256', 'it is a secret').update(bytes).digest('hex')

const signatureHeaders: Readonly<Record<HostName, (bytes: Uint8Array) => Record<string, string>>> =
  {
    github: (bytes) => ({ 'x-hub-signature-256': `sha256=${hmac(bytes)}` }),
    gitlab: () => ({ 'x-gitlab-token': 'it is a secret' }),
    gitea: (bytes) => ({ 'x-gitea-signature': hmac(bytes) }),
    gogs: (bytes) => ({ 'x-gogs-signature': hmac(bytes) }),
  }
const eventHeaders = (host: HostName, event: string, id = 'd-1'): Record<string, string> =>
  ({
    github: { 'x-github-event': event, 'x-github-delivery': id },
    gitlab: { 'x-gitlab-event': event, 'x-gitlab-event-uuid': id },
    gitea: { 'x-gitea-event': event, 'x-gitea-delivery': id },
    gogs: { 'x-gogs-event': event, 'x-gogs-delivery': id },
  })[host]
const hosts = Object.keys(webhookHosts) as HostName[]

describe.each(hosts)('the webhook signature of %s', (host) => {
  const body = Buffer.from('{"ref": "refs/heads/main"}\n')
  const { verify, isSigned } = webhookHosts[host]

  test('is valid for the raw bytes under the secret', () => {
    expect(verify(body, signatureHeaders[host](body), secret)).toBe(true)
    expect(isSigned(signatureHeaders[host](body))).toBe(true)
  })

  test('is invalid under another secret, if absent, and in another format', () => {
    const [name = ''] = Object.keys(signatureHeaders[host](body))
    expect(verify(body, signatureHeaders[host](body), redacted('another'))).toBe(false)
    expect(isSigned({})).toBe(false)
    for (const value of ['', 'x', 'sha256=', hmac(body).slice(1), `sha1=${hmac(body)}`, 'é']) {
      expect(verify(body, { [name]: value }, secret)).toBe(false)
    }
  })

  test('is invalid if the bytes differ in white space', () => {
    if (host === 'gitlab') return
    expect(
      verify(Buffer.from('{"ref":"refs/heads/main"}'), signatureHeaders[host](body), secret),
    ).toBe(false)
  })
})

describe('the parser of webhook deliveries', () => {
  const github = ['github.com/acme/shop']
  const gitlab = ['gitlab.example.com/acme/apps/shop']
  const push = (branch: string, isDeleted: boolean, remoteKeys: unknown, pusher = 'ada') => ({
    kind: 'push',
    branch,
    isDeleted,
    remoteKeys,
    deliveryId: `d-1:${branch}`,
    pusher,
  })
  const ignored = { kind: 'ignored', why: expect.stringContaining('start no deploy') }
  const forge = expect.arrayContaining([
    expect.stringMatching(/^git\.example\.com(:\d+)?\/acme\/shop$/),
  ])

  test.each<[HostName, string, string, unknown]>([
    ['github', 'push', 'github-push', push('feature/cart', false, github)],
    ['github', 'push', 'github-push-deleted', push('feature/cart', true, github)],
    ['github', 'push', 'github-push-tag', ignored],
    ['github', 'delete', 'github-delete', push('feature/cart', true, github)],
    ['github', 'delete', 'github-delete-tag', ignored],
    ['github', 'ping', 'github-ping', ignored],
    ['github', 'pull_request', 'github-pull-request', ignored],
    ['github', 'pull_request_target', 'github-pull-request', ignored],
    [
      'github',
      'repository',
      'github-repository-renamed',
      {
        kind: 'renamed',
        fromKey: 'github.com/acme/shop',
        toKey: 'github.com/acme/store',
        path: 'Acme/Store',
      },
    ],
    [
      'github',
      'repository',
      'github-repository-transferred',
      {
        kind: 'renamed',
        fromKey: 'github.com/ada/store',
        toKey: 'github.com/acme/store',
        path: 'Acme/Store',
      },
    ],
    [
      'gitlab',
      'System Hook',
      'gitlab-system-project-rename',
      {
        kind: 'renamed',
        fromKey: 'gitlab.com/acme/apps/shop',
        toKey: 'gitlab.com/acme/apps/store',
        path: 'acme/apps/store',
      },
    ],
    ['gitlab', 'Push Hook', 'gitlab-push', push('main', false, gitlab)],
    ['gitlab', 'Push Hook', 'gitlab-push-deleted', push('feature/cart', true, gitlab)],
    ['gitlab', 'Tag Push Hook', 'gitlab-tag-push', ignored],
    ['gitlab', 'Merge Request Hook', 'gitlab-merge-request', ignored],
    ['gitlab', 'System Hook', 'gitlab-system-push', push('main', false, gitlab)],
    ['gitlab', 'System Hook', 'gitlab-system-repository-update', ignored],
    ['gitea', 'push', 'gitea-push', push('develop', false, forge, 'acme')],
    ['gitea', 'push', 'gitea-push-deleted', push('develop', true, forge, 'acme')],
    ['gitea', 'delete', 'gitea-delete', push('develop', true, forge, 'acme')],
    ['gitea', 'create', 'gitea-create-tag', ignored],
    ['gogs', 'push', 'gogs-push', push('develop', false, forge, 'acme')],
    ['gogs', 'push', 'gogs-push-deleted', push('develop', true, forge, 'acme')],
    ['gogs', 'delete', 'gogs-delete', push('develop', true, forge, 'acme')],
    ['gogs', 'create', 'gogs-create-tag', ignored],
  ])('parses the %s event %s of %s.json', (host, event, file, expected) => {
    expect(webhookHosts[host].parse(eventHeaders(host, event), fixture(file))).toEqual(expected)
  })

  test('covers all 24 recorded deliveries', () => {
    expect(readdirSync(new URL('fixtures', import.meta.url)).length).toBe(24)
  })

  test('parses a form-encoded GitHub delivery like the JSON one', () => {
    const form = Buffer.from(
      new URLSearchParams({ payload: String(fixture('github-push')) }).toString(),
    )
    const headers = {
      ...eventHeaders('github', 'push'),
      'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
    }
    const { parse } = webhookHosts.github
    expect(parse(headers, form)).toEqual(
      parse(eventHeaders('github', 'push'), fixture('github-push')),
    )
    expect(() => parse(headers, Buffer.from('pay=load'))).toThrow(DaemonError)
  })

  test('derives the remote key from the full name if the payload has no URL', () => {
    const bytes = Buffer.from('{"ref":"refs/heads/main","repository":{"full_name":"Acme/Shop"}}')
    const parse = (headers: Record<string, string>) =>
      webhookHosts.github.parse({ ...eventHeaders('github', 'push'), ...headers }, bytes)
    expect(parse({})).toMatchObject({ remoteKeys: ['github.com/acme/shop'] })
    expect(parse({ 'x-github-enterprise-host': 'ghe.example.com' })).toMatchObject({
      remoteKeys: ['ghe.example.com/acme/shop'],
    })
  })

  test('prefers GitLab’s idempotency key to the event UUID as the delivery id', () => {
    const headers = { ...eventHeaders('gitlab', 'Push Hook'), 'idempotency-key': 'k-9' }
    expect(webhookHosts.gitlab.parse(headers, fixture('gitlab-push'))).toMatchObject({
      deliveryId: 'k-9:main',
    })
    expect(webhookHosts.gitlab.parse({}, fixture('gitlab-push'))).toMatchObject({
      deliveryId: null,
    })
  })
})

describe('the name of the person who pushed', () => {
  const pusherOf = (host: HostName, changes: object) => {
    const payload = { ...JSON.parse(String(fixture(`${host}-push`))), ...changes }
    const event = host === 'gitlab' ? 'Push Hook' : 'push'
    const bytes = Buffer.from(JSON.stringify(payload))
    const parsed = webhookHosts[host].parse(eventHeaders(host, event), bytes)
    return parsed.kind === 'push' ? parsed.pusher : parsed
  }

  test.each<[HostName, object, string | null]>([
    ['github', { pusher: { name: 'ada', username: 'x' }, sender: { login: 'bob' } }, 'ada'],
    ['github', { pusher: { email: 'a@b' }, sender: { login: 'bob' } }, 'bob'],
    ['github', { pusher: null, sender: undefined }, null],
    ['gitlab', { user_username: 'ada', user_name: 'Ada Lovelace' }, 'ada'],
    ['gitlab', { user_username: undefined }, null],
    ['gitea', { pusher: { name: 'x', username: 'ada', login: 'bob' } }, 'ada'],
    ['gitea', { pusher: { username: '', login: 'bob' } }, 'bob'],
    ['gogs', { pusher: { login: 'bob' } }, 'bob'],
  ])('in a push of %s with %j is %s', (host, changes, name) => {
    expect(pusherOf(host, changes)).toBe(name)
  })

  test.each<[unknown, string | null]>([
    ['a\u0000d\u001b[31ma\r\n', 'ad[31ma'],
    ['ada\u202e\u2028\u0085', 'ada'],
    ['x'.repeat(5_000), 'x'.repeat(64)],
    ['\ud800', null],
    [' ', null],
    [7, null],
    [{ name: 'ada' }, null],
  ])('given as %j is shown as %j', (given, name) => {
    expect(pusherOf('gitlab', { user_username: given })).toBe(name)
    expect(pusherOf('github', { pusher: { name: given }, sender: undefined })).toBe(name)
  })
})

test.each(hosts)('rejects a malformed %s delivery with a DaemonError and never crashes', (host) => {
  const event = host === 'gitlab' ? 'Push Hook' : 'push'
  const parse = (bytes: Buffer) => webhookHosts[host].parse(eventHeaders(host, event), bytes)
  for (const text of ['', 'null', '[]', '{', '7', '{"ref":1,"object_kind":"push"}']) {
    expect(() => parse(Buffer.from(text))).toThrow(DaemonError)
  }
  expect(() => parse(Buffer.from([0x22, 0xff, 0x22]))).toThrow(DaemonError)
  const valid = JSON.parse(String(fixture(`${host}-push`)))
  fc.assert(
    fc.property(fc.constantFrom(...Object.keys(valid)), fc.jsonValue(), (key, value) => {
      try {
        parse(Buffer.from(JSON.stringify({ ...valid, [key]: value })))
      } catch (error) {
        expect(error).toBeInstanceOf(DaemonError)
      }
    }),
    { numRuns: 300 },
  )
})

test('rejects a branch that is empty, has a line break or a NUL, or is 300 characters long', () => {
  for (const name of ['a\nb', 'a\0b', 'x'.repeat(300), '']) {
    const payload = { ...JSON.parse(String(fixture('github-push'))), ref: `refs/heads/${name}` }
    const bytes = Buffer.from(JSON.stringify(payload))
    expect(() => webhookHosts.github.parse(eventHeaders('github', 'push'), bytes)).toThrow(
      DaemonError,
    )
  }
})
