import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DatabaseSync } from '@photostructure/sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bundleProgram, type Program } from '../../../test/support/daemon/store/killed-child.ts'
import { nodeDraft, projectDraft } from '../../../test/support/daemon/store/record-drafts.ts'
import {
  filledStore,
  tempFolder,
  tempStore,
} from '../../../test/support/daemon/store/temp-store.ts'
import type { Sealed } from '../../domain/records.ts'
import { redacted } from '../../domain/redacted.ts'
import type { Database, KeyVault } from '../../ports.ts'
import { encryptedColumns } from '../../store/encrypted-columns.ts'
import { createVault } from '../../vault/vault.ts'
import { createFailpoints } from '../ground/failpoints.ts'
import { createKeyUseCases } from './rotate-key.ts'

const actor = { principal: { kind: 'master' }, operator: 'master', requestId: 'r1' } as const
const clock = { now: () => 5_000 }
const values = [
  'a git token',
  'a webhook secret',
  'a global one',
  'of a project',
  'of a branch',
  'a private key',
  'a password of a database',
  'a key of a certificate',
  'a key of an account',
  'signing key',
]

describe('a key rotation', () => {
  test('re-encrypts every value, keeps the new key, and writes an audit record', async () => {
    const { store, keyFile, vault } = await filled()
    const before = vault.keyId()
    const fileBefore = readFileSync(keyFile, 'utf8')
    const keys = createKeyUseCases({ database: store, vault, clock })
    expect(await keys.rotate(actor)).toEqual({ values: values.length })
    expect(vault.keyId()).not.toBe(before)
    expect(readFileSync(keyFile, 'utf8')).not.toBe(fileBefore)
    expect(existsSync(`${keyFile}.next`)).toBe(false)
    const again = await createVault({ keyFile }, { sealed: store.sealed })
    expect(await opened(store, again)).toEqual(values)
    expect(await store.audit.list({ limit: 9 })).toMatchObject([
      { kind: 'key_rotated', operator: 'master', requestId: 'r1', occurredAt: 5_000 },
    ])
  })

  test('leaves values readable that were loaded before the rotation', async () => {
    const { store, vault } = await filled()
    const [secret] = await store.secrets.listFor(1, 'main')
    await createKeyUseCases({ database: store, vault, clock }).rotate(actor)
    expect(secret && vault.open(secret.value).reveal()).toBe('a global one')
  })

  test('re-encrypts values sealed before and written after the rotation', async () => {
    const { store, keyFile, vault } = await filled()
    const late = vault.seal(redacted('late'))
    await createKeyUseCases({ database: store, vault, clock }).rotate(actor)
    await store.secrets.set({ name: 'LATE', scope: { kind: 'global' }, value: late }, 1)
    await store.projects.update(1, { gitToken: late })
    await store.nodes.put(nodeDraft({ name: 'late', tls: { ca: 'c', cert: 'c', key: late } }))
    const again = await createVault({ keyFile }, { sealed: store.sealed })
    expect((await opened(store, again)).filter((value) => value === 'late')).toHaveLength(3)
  })

  test('loses no concurrent write, ten times in a row', async () => {
    const { store, keyFile, vault } = await filled()
    const keys = createKeyUseCases({ database: store, vault, clock })
    let isOver = false
    let count = 0
    const write = async (inTransaction: boolean) => {
      while (!isOver) {
        count += 1
        const name = `N${count}`
        const value = vault.seal(redacted(name))
        // Lets other work run between sealing and writing.
        await new Promise((resolve) => setImmediate(resolve))
        const secret = { name, scope: { kind: 'global' }, value } as const
        if (inTransaction) await store.transaction((tx) => tx.secrets.set(secret, 1))
        else await store.secrets.set(secret, 1)
      }
    }
    const writers = [write(true), write(false), write(false)]
    for (let round = 0; round < 10; round += 1) await keys.rotate(actor)
    isOver = true
    await Promise.all(writers)
    const again = await createVault({ keyFile }, { sealed: store.sealed })
    const rest = (await opened(store, again)).filter((value) => /^N\d+$/.test(value))
    expect(new Set(rest).size).toBe(count)
    expect(count).toBeGreaterThan(10)
  })

  test('changes nothing if it fails', async () => {
    const { store, keyFile, vault } = await filled()
    const before = vault.keyId()
    const reached = (step: string) => {
      if (step === 'values-sealed') throw new Error('no luck')
    }
    const keys = createKeyUseCases({
      database: store,
      vault,
      clock,
      failpoints: createFailpoints(reached),
    })
    await expect(keys.rotate(actor)).rejects.toThrow('no luck')
    expect(vault.keyId()).toBe(before)
    const again = await createVault({ keyFile }, { sealed: store.sealed })
    expect(again.keyId()).toBe(before)
    expect(await opened(store, again)).toEqual(values)
    expect(existsSync(`${keyFile}.next`)).toBe(false)
  })

  test('keeps the key of a previous rotation whose key file could not be replaced', async () => {
    const { store, keyFile, vault } = await filled()
    let isBroken = true
    const reached = (step: string) => {
      if (step === 'committed' && isBroken) throw new Error('the disk is gone')
      if (step === 'next-key-kept') expect(keyIn(keyFile)).toBe(vault.key(vault.keyId())?.reveal())
    }
    const keys = createKeyUseCases({
      database: store,
      vault,
      clock,
      failpoints: createFailpoints(reached),
    })
    await expect(keys.rotate(actor)).rejects.toThrow('the disk is gone')
    expect(keyIn(`${keyFile}.next`)).toBe(vault.key(vault.keyId())?.reveal())
    isBroken = false
    await keys.rotate(actor)
    const again = await createVault({ keyFile }, { sealed: store.sealed })
    expect(await opened(store, again)).toEqual(values)
  })

  test('is refused during another rotation, and if the operator owns the key', async () => {
    const { store, vault } = await filled()
    const keys = createKeyUseCases({ database: store, vault, clock })
    const first = keys.rotate(actor)
    await expect(keys.rotate(actor)).rejects.toMatchObject({ kind: 'conflict' })
    await first
    const given = await createVault({ key: redacted('a'.repeat(64)) })
    const owned = createKeyUseCases({ database: store, vault: given, clock })
    await expect(owned.rotate(actor)).rejects.toThrow(/SERVICE_MASTER_KEY/)
  })
})

describe('a killed key rotation', () => {
  let program: Program
  beforeAll(async () => {
    const entry = new URL('../../../test/support/daemon/store/rotating-child.ts', import.meta.url)
    program = await bundleProgram(fileURLToPath(entry))
  })
  afterAll(() => program.remove())

  const steps = ['next-key-kept', 'values-sealed', 'committed', 'key-in-place']
  test.each([...steps, ''])(
    'leaves one key that opens every value if killed at "%s"',
    async (step) => {
      const file = join(tempFolder(), 'database.sqlite')
      const { store, keyFile } = await filled(file)
      const before = keyIn(keyFile)
      await store.close()
      const { reached, isKilled } = await program.run([file, keyFile], step)
      expect(isKilled).toBe(step !== '')
      expect(reached).toEqual(step === '' ? steps : steps.slice(0, steps.indexOf(step) + 1))

      const isDone = reached.includes('committed')
      const after = await tempStore(file)
      const vault = await createVault({ keyFile }, { sealed: after.sealed })
      expect(await opened(after, vault)).toEqual(values)
      expect(keyIn(keyFile) === before).toBe(!isDone)
      expect(existsSync(`${keyFile}.next`)).toBe(false)
      const kinds = (await after.audit.list({ limit: 9 })).map(({ kind }) => kind)
      expect(kinds).toEqual(isDone ? ['key_rotated'] : [])
      await createKeyUseCases({ database: after, vault, clock }).rotate(actor)
      expect(await opened(after, vault)).toEqual(values)
    },
  )
})

test('key rotation covers every column with encrypted values', async () => {
  const file = join(tempFolder(), 'database.sqlite')
  const { store } = await filled(file)
  await store.close()
  const raw = new DatabaseSync(file, { readOnly: true })
  const tables = raw.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
  const sealed = tables.flatMap(({ name: table }) =>
    raw
      .prepare(`PRAGMA table_info(${table})`)
      .all()
      .map(({ name }) => ({ table, column: name }))
      .filter(({ column }) => {
        const query = `SELECT count(*) AS n FROM ${table} WHERE CAST(${column} AS TEXT) GLOB 'v1.*.*.*'`
        return raw.prepare(query).get()?.n > 0
      }),
  )
  raw.close()
  const names = (list: readonly { table: string; column: string }[]) =>
    list.map(({ table, column }) => `${table}.${column}`).sort()
  expect(names(sealed)).toEqual(names(encryptedColumns))
})

/** Returns a store with a value in every encrypted column. */
async function filled(
  file?: string,
): Promise<{ store: Database; keyFile: string; vault: KeyVault }> {
  const store = await filledStore(file)
  const keyFile = join(tempFolder(), 'master.key')
  const vault = await createVault({ keyFile }, { sealed: store.sealed })
  const seal = (value: string) => vault.seal(redacted(value))
  const [gitToken, webhookSecret, global, ofProject, ofBranch, key, ...others] = values.map(
    seal,
  ) as [Sealed, Sealed, Sealed, Sealed, Sealed, Sealed, Sealed, Sealed, Sealed, Sealed]
  const [password, certificateKey, accountKey, secret] = others
  await store.projects.create(projectDraft({ context: 'sealed', gitToken, webhookSecret }))
  const project = { kind: 'project', projectId: 1 } as const
  const branch = { ...project, kind: 'branch', branch: 'main' } as const
  await store.secrets.set({ name: 'A', scope: { kind: 'global' }, value: global }, 1)
  await store.secrets.set({ name: 'A', scope: project, value: ofProject }, 1)
  await store.secrets.set({ name: 'A', scope: branch, value: ofBranch }, 1)
  await store.nodes.put(nodeDraft({ name: 'east', tls: { ca: 'ca', cert: 'cert', key } }))
  const named = { projectId: 1, branch: 'main', createdAt: 1 }
  await store.branchDatabases.create({
    ...{ ...named, kind: 'postgres', name: 'shop', password, state: 'ready', trashId: null },
  })
  const { id } = await store.domains.add({ ...named, domain: 'shop.example.com' })
  const certificate = { chain: 'chain', key: certificateKey, notBefore: 1, notAfter: 2 }
  await store.domains.update(id, { certificate })
  await store.acmeAccounts.set('https://acme.example.com/directory', accountKey)
  await store.receivers.create({
    ...{ projectId: 1, kind: 'webhook', url: 'https://ops.example.com', repository: null },
    ...{ secret, events: [], createdAt: 1, deliveredAt: null, fault: null },
  })
  return { store, keyFile, vault }
}

/** Returns every decrypted value, in the order of `values`. */
async function opened(store: Database, vault: KeyVault): Promise<string[]> {
  const projects = (await store.projects.list()).flatMap((project) => [
    project.gitToken,
    project.webhookSecret,
  ])
  const secrets = (await store.secrets.listFor(1, 'main')).map(({ value }) => value)
  const nodes = (await store.nodes.list()).map(({ tls }) => tls?.key ?? null)
  const databases = (await store.branchDatabases.list()).map(({ password }) => password)
  const domains = (await store.domains.list(null)).map(
    ({ certificate }) => certificate?.key ?? null,
  )
  const account = (await store.acmeAccounts.find('https://acme.example.com/directory')) ?? null
  const receivers = (await store.receivers.list(1)).map(({ secret }) => secret)
  const all = [...projects, ...secrets, ...nodes, ...databases, ...domains, account, ...receivers]
  return all.flatMap((value) => (value === null ? [] : [vault.open(value).reveal()]))
}

function keyIn(path: string): string {
  return readFileSync(path, 'utf8').trim()
}
