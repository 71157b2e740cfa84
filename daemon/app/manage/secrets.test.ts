import { expect, test } from 'vitest'
import { filledStore } from '../../../test/support/daemon/store/temp-store.ts'
import { redacted } from '../../domain/redacted.ts'
import { createVault } from '../../vault/vault.ts'
import { createSecretUseCases } from './secrets.ts'

const actor = { principal: { kind: 'master' }, operator: 'master', requestId: 'r1' } as const
const everywhere = { kind: 'global' } as const
const project = { kind: 'project', projectId: 1 } as const
const branch = { kind: 'branch', projectId: 1, branch: 'main' } as const

test('listing secrets shows only names and scopes, and the app receives the value', async () => {
  const { secrets, store, vault } = await build()
  await secrets.set({ name: 'KEY', value: redacted('hush'), scope: project }, actor)
  await secrets.set({ name: 'KEY', value: redacted('hush 2'), scope: branch }, actor)
  expect(await secrets.list(project)).toEqual([{ name: 'KEY', scope: 'project' }])
  expect(await secrets.list(branch)).toEqual([{ name: 'KEY', scope: 'branch' }])
  expect(await secrets.list(everywhere)).toEqual([])
  const values = (await store.secrets.listFor(1, 'main')).map(({ value }) => value)
  expect(values.map((value) => vault.open(value).reveal())).toEqual(['hush', 'hush 2'])
  expect(values.join()).not.toContain('hush')
})

test('setting and removing a secret is audited with its name, not its value', async () => {
  const { secrets, store } = await build()
  await secrets.set({ name: 'KEY', value: redacted('hush'), scope: branch }, actor)
  await secrets.remove('KEY', branch, actor)
  const rows = await store.audit.list({ limit: 9 })
  expect(rows.map(({ kind, detail }) => [kind, detail])).toEqual([
    ['secret_deleted', 'KEY'],
    ['secret_set', 'KEY'],
  ])
  expect(rows[0]).toMatchObject({ projectId: 1, branch: 'main', operator: 'master' })
})

test.each(['A', '_', 'a_b1', 'PORTS', 'STRATA', 'x'.repeat(128)])(
  'accepts the secret name %s',
  async (name) => {
    const { secrets } = await build()
    await secrets.set({ name, value: redacted(''), scope: everywhere }, actor)
    expect(await secrets.list(everywhere)).toEqual([{ name, scope: 'global' }])
  },
)

test.each([
  '',
  '1A',
  'A-B',
  'A B',
  'A=B',
  'Ä',
  'A\n',
  'x'.repeat(129),
  'PORT',
  'STRATA_URL',
  'STRATA_',
])('rejects the secret name %j', async (name) => {
  const { secrets } = await build()
  const set = secrets.set({ name, value: redacted('x'), scope: everywhere }, actor)
  await expect(set).rejects.toMatchObject({ kind: 'bad-request' })
  expect(await secrets.list(everywhere)).toEqual([])
})

test('rejects a secret value over 64 KiB in bytes or with a NUL character', async () => {
  const { secrets } = await build()
  const set = (value: string) =>
    secrets.set({ name: 'A', value: redacted(value), scope: everywhere }, actor)
  await set('x'.repeat(65_536))
  await expect(set('x'.repeat(65_537))).rejects.toMatchObject({ kind: 'bad-request' })
  await expect(set('ü'.repeat(32_769))).rejects.toMatchObject({ kind: 'bad-request' })
  await expect(set('a\0b')).rejects.toThrow(/contains a NUL/)
})

test('removing an absent secret, or setting a secret of an absent project, is not found and writes no audit record', async () => {
  const { secrets, store } = await build()
  const elsewhere = { kind: 'project', projectId: 99 } as const
  await expect(secrets.remove('A', project, actor)).rejects.toMatchObject({ kind: 'not-found' })
  const set = secrets.set({ name: 'A', value: redacted('x'), scope: elsewhere }, actor)
  await expect(set).rejects.toMatchObject({ kind: 'not-found' })
  expect(await store.audit.list({ limit: 9 })).toEqual([])
})

async function build() {
  const store = await filledStore()
  const vault = await createVault({ key: redacted('a'.repeat(64)) }, { sealed: store.sealed })
  return { store, vault, secrets: createSecretUseCases({ store, vault, clock: { now: () => 7 } }) }
}
