import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { projectDraft } from '../../../test/support/daemon/store/record-drafts.ts'
import { filledStore } from '../../../test/support/daemon/store/temp-store.ts'
import { systemClock } from '../../clock.ts'
import { createTokenUseCases } from './tokens.ts'

const actor = { principal: { kind: 'master' }, operator: 'master', requestId: 'r1' } as const
const plain = { name: 'ci', projects: null, role: null, expiresInMs: null } as const

test('a token is 64 hex digits, and only its hash is stored', async () => {
  const { tokens, store } = await build()
  const { token, secret } = await tokens.create(plain, actor)
  expect(secret.reveal()).toMatch(/^[0-9a-f]{64}$/)
  expect(token.hash).toBe(createHash('sha256').update(secret.reveal()).digest('hex'))
  expect(`${secret} ${JSON.stringify({ secret })}`).not.toContain(secret.reveal())
  expect(JSON.stringify(await store.audit.list({ limit: 9 }))).not.toContain(secret.reveal())
  expect(await tokens.list()).toEqual([token])
})

test('the default role of a token is admin, or maintainer for a token with projects', async () => {
  const { tokens } = await build()
  const roleOf = async (changes: object) =>
    (await tokens.create({ ...plain, ...changes }, actor)).token.role
  expect(await roleOf({ name: 'a' })).toBe('admin')
  expect(await roleOf({ name: 'b', projects: [1] })).toBe('maintainer')
  expect(await roleOf({ name: 'c', projects: [1], role: 'viewer' })).toBe('viewer')
})

test('the projects of a token must exist and are stored once each', async () => {
  const { tokens, store } = await build()
  await store.projects.create(projectDraft({ context: 'second' }))
  const create = (projects: number[]) => tokens.create({ ...plain, projects }, actor)
  await expect(create([])).rejects.toMatchObject({ kind: 'bad-request' })
  await expect(create([1, 99])).rejects.toThrow(/no project 99/)
  expect((await create([2, 1, 2])).token.projects).toEqual([1, 2])
})

test('token names have 1 to 100 characters and are unique among active tokens', async () => {
  const { tokens } = await build()
  for (const name of ['', 'x'.repeat(101)]) {
    const create = tokens.create({ ...plain, name }, actor)
    await expect(create).rejects.toMatchObject({ kind: 'bad-request' })
  }
  const { token } = await tokens.create(plain, actor)
  const again = await Promise.allSettled([tokens.create(plain, actor), tokens.create(plain, actor)])
  expect(again.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await expect(tokens.create(plain, actor)).rejects.toMatchObject({ kind: 'conflict' })
  await tokens.revoke(token.id, actor)
  await tokens.create(plain, actor)
})

test('only one of two concurrent requests for the same token name succeeds', async () => {
  const { tokens } = await build()
  const asked = await Promise.allSettled([tokens.create(plain, actor), tokens.create(plain, actor)])
  expect(asked.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
})

test('a token authenticates until it expires or is revoked', async () => {
  const { tokens, time } = await build()
  const { token, secret } = await tokens.create(
    { ...plain, projects: [1], role: 'developer', expiresInMs: 1_000 },
    actor,
  )
  const principal = {
    kind: 'token',
    id: token.id,
    name: 'ci',
    role: 'developer',
    projects: [1],
    expiresAt: 11_000,
  }
  expect(await tokens.authenticate(secret.reveal())).toEqual(principal)
  for (const other of ['', secret.reveal().toUpperCase(), secret.reveal().slice(1), token.hash]) {
    expect(await tokens.authenticate(other)).toBeUndefined()
  }
  time.now += 999
  expect(await tokens.authenticate(secret.reveal())).toEqual(principal)
  time.now += 1
  expect(await tokens.authenticate(secret.reveal())).toBeUndefined()

  const second = await tokens.create({ ...plain, name: 'second' }, actor)
  expect(await tokens.authenticate(second.secret.reveal())).toBeDefined()
  await tokens.revoke(second.token.id, actor)
  expect(await tokens.authenticate(second.secret.reveal())).toBeUndefined()
})

test('creating and revoking a token is audited; revoking an absent token is not found', async () => {
  const { tokens, store } = await build()
  const { token } = await tokens.create(plain, actor)
  await tokens.revoke(token.id, actor)
  await expect(tokens.revoke(token.id, actor)).rejects.toMatchObject({ kind: 'not-found' })
  await expect(tokens.revoke(99, actor)).rejects.toMatchObject({ kind: 'not-found' })
  const rows = await store.audit.list({ limit: 9 })
  expect(rows.map(({ kind, detail }) => [kind, detail])).toEqual([
    ['token_revoked', 'ci'],
    ['token_created', 'ci'],
  ])
})

async function build() {
  const store = await filledStore()
  const time = { now: 10_000 }
  return {
    store,
    time,
    tokens: createTokenUseCases({ store, clock: { ...systemClock, now: () => time.now } }),
  }
}
