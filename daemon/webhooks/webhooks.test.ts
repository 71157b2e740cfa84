import { createHmac } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { redacted } from '../domain/redacted.ts'
import { DaemonError } from '../errors.ts'
import { type HostName, webhookHosts } from './webhooks.ts'

const secret = redacted('it is a secret')
const fixture = (name: string) => readFileSync(new URL(`fixtures/${name}.json`, import.meta.url))
const hmac = (bytes: Uint8Array) =>
  createHmac('sha256', 'it is a secret').update(bytes).digest('hex')

const signed: Readonly<Record<HostName, (bytes: Uint8Array) => Record<string, string>>> = {
  github: (bytes) => ({ 'x-hub-signature-256': `sha256=${hmac(bytes)}` }),
  gitlab: () => ({ 'x-gitlab-token': 'it is a secret' }),
  gitea: (bytes) => ({ 'x-gitea-signature': hmac(bytes) }),
  gogs: (bytes) => ({ 'x-gogs-signature': hmac(bytes) }),
}
const named = (host: HostName, event: string, id = 'd-1'): Record<string, string> =>
  ({
    github: { 'x-github-event': event, 'x-github-delivery': id },
    gitlab: { 'x-gitlab-event': event, 'x-gitlab-event-uuid': id },
    gitea: { 'x-gitea-event': event, 'x-gitea-delivery': id },
    gogs: { 'x-gogs-event': event, 'x-gogs-delivery': id },
  })[host]
const hosts = Object.keys(webhookHosts) as HostName[]

describe.each(hosts)('the signature of %s', (host) => {
  const body = Buffer.from('{"ref": "refs/heads/main"}\n')
  const { verify, isSigned } = webhookHosts[host]

  test('fits the raw bytes under the secret', () => {
    expect(verify(body, signed[host](body), secret)).toBe(true)
    expect(isSigned(signed[host](body))).toBe(true)
  })

  test('does not fit another secret, none and other shapes', () => {
    const [name = ''] = Object.keys(signed[host](body))
    expect(verify(body, signed[host](body), redacted('another'))).toBe(false)
    expect(isSigned({})).toBe(false)
    for (const value of ['', 'x', 'sha256=', hmac(body).slice(1), `sha1=${hmac(body)}`, 'é']) {
      expect(verify(body, { [name]: value }, secret)).toBe(false)
    }
  })

  test('does not fit bytes that differ, in white space even', () => {
    if (host === 'gitlab') return
    expect(verify(Buffer.from('{"ref":"refs/heads/main"}'), signed[host](body), secret)).toBe(false)
  })
})

describe('what a delivery says', () => {
  const github = ['github.com/acme/shop']
  const gitlab = ['gitlab.example.com/acme/apps/shop']
  const push = (branch: string, isDeleted: boolean, remoteKeys: unknown) => ({
    kind: 'push',
    branch,
    isDeleted,
    remoteKeys,
    deliveryId: `d-1:${branch}`,
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
    ['gitea', 'push', 'gitea-push', push('develop', false, forge)],
    ['gitea', 'push', 'gitea-push-deleted', push('develop', true, forge)],
    ['gitea', 'delete', 'gitea-delete', push('develop', true, forge)],
    ['gitea', 'create', 'gitea-create-tag', ignored],
    ['gogs', 'push', 'gogs-push', push('develop', false, forge)],
    ['gogs', 'push', 'gogs-push-deleted', push('develop', true, forge)],
    ['gogs', 'delete', 'gogs-delete', push('develop', true, forge)],
    ['gogs', 'create', 'gogs-create-tag', ignored],
  ])('%s, %s: %s', (host, event, file, expected) => {
    expect(webhookHosts[host].parse(named(host, event), fixture(file))).toEqual(expected)
  })

  test('every recorded delivery is looked at', () => {
    expect(readdirSync(new URL('fixtures', import.meta.url)).length).toBe(24)
  })

  test('GitHub’s form-encoded deliveries say the same as its JSON ones', () => {
    const form = Buffer.from(
      new URLSearchParams({ payload: String(fixture('github-push')) }).toString(),
    )
    const headers = {
      ...named('github', 'push'),
      'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
    }
    const { parse } = webhookHosts.github
    expect(parse(headers, form)).toEqual(parse(named('github', 'push'), fixture('github-push')))
    expect(() => parse(headers, Buffer.from('pay=load'))).toThrow(DaemonError)
  })

  test('a repository is found by its name when the payload has no URL of it', () => {
    const bytes = Buffer.from('{"ref":"refs/heads/main","repository":{"full_name":"Acme/Shop"}}')
    const parse = (headers: Record<string, string>) =>
      webhookHosts.github.parse({ ...named('github', 'push'), ...headers }, bytes)
    expect(parse({})).toMatchObject({ remoteKeys: ['github.com/acme/shop'] })
    expect(parse({ 'x-github-enterprise-host': 'ghe.example.com' })).toMatchObject({
      remoteKeys: ['ghe.example.com/acme/shop'],
    })
  })

  test('GitLab’s idempotency key stands for a delivery before its event’s id', () => {
    const headers = { ...named('gitlab', 'Push Hook'), 'idempotency-key': 'k-9' }
    expect(webhookHosts.gitlab.parse(headers, fixture('gitlab-push'))).toMatchObject({
      deliveryId: 'k-9:main',
    })
    expect(webhookHosts.gitlab.parse({}, fixture('gitlab-push'))).toMatchObject({
      deliveryId: null,
    })
  })
})

test.each(hosts)(
  '%s: what is no delivery is refused with a sentence, never with a crash',
  (host) => {
    const event = host === 'gitlab' ? 'Push Hook' : 'push'
    const parse = (bytes: Buffer) => webhookHosts[host].parse(named(host, event), bytes)
    for (const text of ['', 'null', '[]', '{', '7', '{"ref":1,"object_kind":"push"}']) {
      expect(() => parse(Buffer.from(text))).toThrow(DaemonError)
    }
    expect(() => parse(Buffer.from([0x22, 0xff, 0x22]))).toThrow(DaemonError)
    const whole = JSON.parse(String(fixture(`${host}-push`)))
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(whole)), fc.jsonValue(), (key, value) => {
        try {
          parse(Buffer.from(JSON.stringify({ ...whole, [key]: value })))
        } catch (error) {
          expect(error).toBeInstanceOf(DaemonError)
        }
      }),
      { numRuns: 300 },
    )
  },
)

test('a branch with a line break, a NUL or 300 characters is refused', () => {
  for (const name of ['a\nb', 'a\0b', 'x'.repeat(300), '']) {
    const payload = { ...JSON.parse(String(fixture('github-push'))), ref: `refs/heads/${name}` }
    const bytes = Buffer.from(JSON.stringify(payload))
    expect(() => webhookHosts.github.parse(named('github', 'push'), bytes)).toThrow(DaemonError)
  }
})
