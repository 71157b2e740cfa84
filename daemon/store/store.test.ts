import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { describe, expect, test } from 'vitest'
import {
  auditDraft,
  environmentDraft,
  nodeDraft,
  projectDraft,
  queueDraft,
} from '../../test/support/daemon/store/record-drafts.ts'
import { filledStore, tempFolder, tempStore } from '../../test/support/daemon/store/temp-store.ts'
import { openConnection } from './connection.ts'
import { migrate } from './migrate.ts'
import { migrations } from './migrations.ts'
import { createStore } from './store.ts'

describe('a database file', () => {
  test('keeps its data after it is reopened', async () => {
    const file = join(tempFolder(), 'database.sqlite')
    const first = await tempStore(file)
    const project = await first.projects.create(projectDraft({ branches: ['main', 'feature/*'] }))
    await first.close()
    const second = await tempStore(file)
    expect(await second.projects.find(project.id)).toEqual(project)
  })

  test('without SQLite data is refused', async () => {
    const file = join(tempFolder(), 'database.sqlite')
    writeFileSync(file, 'this is no database '.repeat(500))
    await expect(createStore({ file, now: Date.now })).rejects.toThrow(/is not a database/)
  })

  test('with damaged pages is refused', async () => {
    const file = join(tempFolder(), 'database.sqlite')
    const store = await filledStore(file)
    for (let i = 0; i < 200; i += 1)
      await store.audit.write(auditDraft({ detail: 'x'.repeat(900) }))
    await store.close()
    const { size } = statSync(file)
    const damaged = new Uint8Array(size)
    writeFileSync(file, damaged, { flag: 'r+' })
    await expect(createStore({ file, now: Date.now })).rejects.toThrow(/database/)
  })

  test('of a newer stratad is refused with both versions', async () => {
    const file = join(tempFolder(), 'database.sqlite')
    await (await tempStore(file)).close()
    const raw = new DatabaseSync(file)
    raw.exec("INSERT INTO migrations VALUES (900, 'later', 0)")
    raw.close()
    await expect(createStore({ file, now: Date.now })).rejects.toThrow(/schema 900 .* up to \d+/)
  })

  test('with several projects for one remote keeps them all and gives the oldest the key', async () => {
    const file = join(tempFolder(), 'database.sqlite')
    const connection = openConnection(file)
    migrate(connection, 0, migrations.slice(0, 1))
    const sql = `INSERT INTO projects (repo_url, context, remote_key, name, pause_after, destroy_after,
      branches_json, ignore_json, created_at) VALUES (?, ?, ?, 'shop', '30m', '7d', '[]', '[]', 0)`
    for (const [url, context] of [
      ['https://h/acme/shop', ''],
      ['ssh://git@h/acme/shop', ''],
      ['https://h/Acme/Shop.git', ''],
      ['ssh://git@h/acme/shop', 'web'],
    ]) {
      connection.query(sql, [url ?? '', context ?? '', 'h/acme/shop'])
    }
    connection.close()
    const store = await tempStore(file)
    expect((await store.projects.list()).map(({ id }) => id)).toEqual([1, 2, 3, 4])
    const source = { repoDir: null, context: '', remoteKey: 'h/acme/shop' }
    const find = async (repoUrl: string) =>
      (await store.projects.findBySource({ ...source, repoUrl }))?.id
    expect(await find('https://h/ACME/shop')).toBe(1)
    expect(await find('ssh://git@h/acme/shop')).toBe(2)
    const draft = projectDraft({ ...source, repoUrl: 'https://h/ACME/shop' })
    await expect(store.projects.create(draft)).rejects.toMatchObject({ kind: 'conflict' })
    await store.projects.remove(1)
    expect(await find('https://h/ACME/shop')).toBe(2)
  })

  test('of another program is refused', async () => {
    const file = join(tempFolder(), 'database.sqlite')
    const raw = new DatabaseSync(file)
    raw.exec('CREATE TABLE songs (title TEXT)')
    raw.close()
    await expect(createStore({ file, now: Date.now })).rejects.toThrow(/belongs to another program/)
  })

  test('in a missing folder is refused', async () => {
    const file = join(tempFolder(), 'absent/database.sqlite')
    await expect(createStore({ file, now: Date.now })).rejects.toThrow(/could not be opened/)
  })

  test('has a write-ahead log of bounded size', async () => {
    const file = join(tempFolder(), 'database.sqlite')
    const store = await filledStore(file)
    for (let i = 0; i < 3_000; i += 1) await store.queue.put(queueDraft({ branch: `b${i}` }))
    expect(statSync(`${file}-wal`).size).toBeLessThan(16 * 2 ** 20)
  })
})

describe('a database transaction', () => {
  test('rolls back every write if it fails', async () => {
    const store = await filledStore()
    const broken = store.transaction(async (tx) => {
      await tx.queue.put(queueDraft())
      await tx.audit.write(auditDraft())
      throw new Error('the work failed')
    })
    await expect(broken).rejects.toThrow('the work failed')
    expect(await store.queue.list()).toEqual([])
    expect(await store.audit.list({ limit: 10 })).toEqual([])
  })

  test('sees its own writes while readers outside see the previous state', async () => {
    const store = await filledStore()
    await store.transaction(async (tx) => {
      await tx.environments.create(environmentDraft())
      expect(await tx.environments.listLive()).toHaveLength(1)
      expect(await store.environments.listLive()).toHaveLength(0)
    })
    expect(await store.environments.listLive()).toHaveLength(1)
  })

  test('delays the writes of other callers', async () => {
    const store = await filledStore()
    let other: Promise<unknown> = Promise.resolve()
    const failed = store.transaction(async (tx) => {
      other = store.audit.write(auditDraft({ detail: 'of another' }))
      await tx.audit.write(auditDraft({ detail: 'of the transaction' }))
      throw new Error('undo')
    })
    await expect(failed).rejects.toThrow('undo')
    await other
    const details = (await store.audit.list({ limit: 10 })).map(({ detail }) => detail)
    expect(details).toEqual(['of another'])
  })

  test('refuses queries after the transaction has ended', async () => {
    const store = await filledStore()
    const leaked = await store.transaction(async (tx) => tx)
    await expect(leaked.queue.put(queueDraft())).rejects.toThrow(/after its transaction/)
    await expect(leaked.queue.list()).rejects.toThrow(/after its transaction/)
    await store.queue.put(queueDraft())
  })

  test('joins an enclosing transaction', async () => {
    const store = await filledStore()
    const failed = store.transaction(async (tx) => {
      await tx.transaction((inner) => inner.queue.put(queueDraft()))
      throw new Error('undo')
    })
    await expect(failed).rejects.toThrow('undo')
    expect(await store.queue.list()).toEqual([])
  })

  test('does not block readers', async () => {
    const store = await filledStore()
    let open = () => {}
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    const transaction = store.transaction(async (tx) => {
      await tx.queue.put(queueDraft())
      await gate
    })
    expect(await store.queue.list()).toEqual([])
    open()
    await transaction
    expect(await store.queue.list()).toHaveLength(1)
  })

  test('loses no update of concurrent callers', async () => {
    const store = await filledStore()
    await Promise.all(
      Array.from({ length: 200 }, () =>
        store.transaction(async (tx) => {
          const project = await tx.projects.find(1)
          await tx.projects.update(1, { maxEnvironments: (project?.maxEnvironments ?? 0) + 1 })
        }),
      ),
    )
    expect((await store.projects.find(1))?.maxEnvironments).toBe(200)
  })
})

describe('strings in the database', () => {
  test('are read back unchanged', async () => {
    const store = await filledStore()
    const texts = ["it's", '"; DROP TABLE audit; --', 'ünïcödé 🙂', '', '\n\t', '%_']
    for (const detail of texts) await store.audit.write(auditDraft({ detail }))
    const read = (await store.audit.list({ limit: 10 })).map(({ detail }) => detail)
    expect(read.reverse()).toEqual(texts)
  })

  test('with NUL are refused in conditions, and have NUL replaced in free text', async () => {
    const store = await filledStore()
    await expect(store.environments.findLiveByHostname('a\0b')).rejects.toThrow(/NUL/)
    await store.audit.write(auditDraft({ detail: 'before\0after' }))
    expect((await store.audit.list({ limit: 1 }))[0]?.detail).toBe('before\u{fffd}after')
  })
})

describe('projects in the database', () => {
  test('are found by their source, which is unique', async () => {
    const store = await filledStore()
    const remoteKey = 'git.example.com/acme/shop'
    const source = { repoDir: null, repoUrl: `https://${remoteKey}`, context: '', remoteKey }
    expect((await store.projects.findBySource(source))?.id).toBe(1)
    expect(await store.projects.findBySource({ ...source, context: 'web' })).toBeUndefined()
    await expect(store.projects.create(projectDraft())).rejects.toMatchObject({ kind: 'conflict' })
    const local = { repoDir: '/srv/shop', repoUrl: null, context: '', remoteKey }
    const { id } = await store.projects.create(projectDraft(local))
    expect((await store.projects.findBySource(local))?.id).toBe(id)
  })

  test('are listed by id or by remote', async () => {
    const store = await filledStore()
    const other = { repoUrl: 'https://git.example.com/acme/blog', remoteKey: 'x/y/z' }
    await store.projects.create(projectDraft(other))
    const idsOf = (list: { id: number }[]) => list.map(({ id }) => id)
    expect(idsOf(await store.projects.list())).toEqual([1, 2])
    expect(idsOf(await store.projects.list(null))).toEqual([1, 2])
    expect(idsOf(await store.projects.list([2, 99]))).toEqual([2])
    expect(await store.projects.list([])).toEqual([])
    expect(idsOf(await store.projects.listByRemote('x/y/z'))).toEqual([2])
  })

  test('keep the fields that an update does not set', async () => {
    const store = await filledStore()
    const before = await store.projects.find(1)
    const changes = { pauseAfter: '1h', branches: ['main'], maxEnvironments: 3 }
    expect(await store.projects.update(1, changes)).toEqual({ ...before, ...changes })
    const cleared = await store.projects.update(1, { maxEnvironments: null })
    expect(cleared?.maxEnvironments).toBeNull()
    expect(await store.projects.update(1, {})).toEqual(cleared)
    expect(await store.projects.update(99, { name: 'x' })).toBeUndefined()
  })

  test('are removed with all their data except audit records, and their ids are not reused', async () => {
    const store = await filledStore()
    await store.environments.create(environmentDraft())
    await store.queue.put(queueDraft())
    await store.environments.claimHostname('main--shop.localhost', 1, 'main')
    await store.audit.write(auditDraft({ projectId: 1 }))
    const version = store.environments.version()
    expect(await store.projects.remove(1)).toBe(true)
    expect(await store.projects.remove(1)).toBe(false)
    expect(await store.environments.list(1)).toEqual([])
    expect(await store.environments.listLive()).toEqual([])
    expect(await store.queue.list()).toEqual([])
    expect(store.environments.version()).toBeGreaterThan(version)
    expect(await store.audit.list({ projectId: 1, limit: 9 })).toHaveLength(1)
    expect((await store.projects.create(projectDraft())).id).toBe(2)
    const taken = await store.environments.claimHostname('main--shop.localhost', 2, 'main')
    expect(taken).toEqual({ claimed: true })
  })
})

describe('nodes in the database', () => {
  test('are updated by name and keep their id', async () => {
    const store = await filledStore()
    const tls = { ca: 'ca', cert: 'cert', key: 'v1.x' as never }
    const draft = nodeDraft({ name: 'east', endpoint: 'tcp://east:2376', tls, createdAt: 5 })
    const node = await store.nodes.put(draft)
    const corrected = await store.nodes.put({ ...draft, address: '10.0.0.2', createdAt: 9 })
    expect(corrected).toEqual({ ...node, address: '10.0.0.2' })
    expect((await store.nodes.update(node.id, { tls: null }))?.tls).toBeNull()
    expect(await store.nodes.list()).toHaveLength(2)
  })

  test('cannot be removed while an environment refers to them, even a destroyed one', async () => {
    const store = await filledStore()
    const { id } = await store.nodes.put(nodeDraft({ name: 'east' }))
    await store.environments.create(environmentDraft({ nodeId: id, state: 'destroyed' }))
    expect(await store.nodes.remove(id)).toBe('in-use')
    await store.projects.remove(1)
    expect(await store.nodes.remove(id)).toBe('removed')
    expect(await store.nodes.remove(id)).toBe('absent')
  })
})

describe('secrets in the database', () => {
  const sealed = (text: string) => text as never

  test('of a branch are listed in order: global, project, branch', async () => {
    const store = await filledStore()
    const branch = { kind: 'branch', projectId: 1, branch: 'main' } as const
    const project = { kind: 'project', projectId: 1 } as const
    await store.secrets.set({ name: 'A', scope: branch, value: sealed('3') }, 1)
    await store.secrets.set({ name: 'A', scope: { kind: 'global' }, value: sealed('1') }, 1)
    await store.secrets.set({ name: 'A', scope: project, value: sealed('old') }, 1)
    await store.secrets.set({ name: 'A', scope: project, value: sealed('2') }, 2)
    await store.secrets.set(
      { name: 'B', scope: { ...branch, branch: 'other' }, value: sealed('4') },
      1,
    )
    const values = (await store.secrets.listFor(1, 'main')).map(({ value }) => value)
    expect(values).toEqual(['1', '2', '3'])
    expect(await store.secrets.list(project)).toEqual([{ name: 'A', scope: project }])
    await store.secrets.removeBranch(1, 'main')
    expect(await store.secrets.list(branch)).toEqual([])
    expect(await store.secrets.remove('A', project)).toBe(true)
    expect(await store.secrets.remove('A', project)).toBe(false)
    expect(await store.secrets.list({ kind: 'global' })).toHaveLength(1)
  })
})

describe('tokens in the database', () => {
  test('have unique names, except revoked tokens', async () => {
    const store = await tempStore()
    const draft = {
      name: 'ci',
      hash: 'aa',
      projects: [1, 2],
      role: 'developer',
      expiresAt: null,
      revokedAt: null,
      createdAt: 1,
    } as const
    const token = await store.tokens.create(draft)
    expect(await store.tokens.findByHash('aa')).toEqual(token)
    const again = store.tokens.create({ ...draft, hash: 'bb' })
    await expect(again).rejects.toMatchObject({ kind: 'conflict' })
    expect(await store.tokens.revoke(token.id, 7)).toBe(true)
    expect(await store.tokens.revoke(token.id, 8)).toBe(false)
    await store.tokens.create({ ...draft, hash: 'bb', projects: null })
    expect((await store.tokens.list()).map(({ revokedAt }) => revokedAt)).toEqual([7, null])
  })
})

test('a webhook delivery id is accepted once per host until it is deleted', async () => {
  const { deliveries } = await tempStore()
  expect(await deliveries.remember('github', 'one', 10)).toBe(true)
  expect(await deliveries.remember('github', 'one', 11)).toBe(false)
  expect(await deliveries.remember('gitea', 'one', 12)).toBe(true)
  await deliveries.forgetBefore(11)
  expect(await deliveries.remember('github', 'one', 13)).toBe(true)
  expect(await deliveries.remember('gitea', 'one', 13)).toBe(false)
})
