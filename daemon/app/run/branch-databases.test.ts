import { mkdir, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  createFakeDatabaseServer,
  type FakeDatabaseServer,
} from '../../../test/support/daemon/app/fake-database-server.ts'
import { createRig, operator, type Rig } from '../../../test/support/daemon/app/rig.ts'
import type { Environment, StoreWish } from '../../domain/records.ts'
import { redacted } from '../../domain/redacted.ts'

let rig: Rig
let server: FakeDatabaseServer

beforeEach(async () => {
  server = createFakeDatabaseServer()
  rig = await createRig({ databaseServers: { postgres: server } })
  wish({ kind: 'postgres', data: 'empty' })
})
afterEach(async () => {
  await rig.close()
})

function wish(store: StoreWish): void {
  rig.builder.launch = { ...rig.builder.launch, store }
}

/** Deploys a new commit of a branch. Returns the environment and the URL that its app received. */
async function deployed(branch: string, project = rig.project) {
  rig.commit(branch)
  const environment = await rig.deployed(branch, project)
  return { environment, url: urlOf(environment) }
}

function urlOf({ id }: Environment): string {
  const app = rig.runtime.started.findLast(({ environmentId }) => environmentId === id)
  const url = app?.env.DATABASE_URL
  if (url === undefined || typeof url === 'string') throw new Error(`DATABASE_URL is ${url}`)
  return url.reveal()
}

const destroy = (id: number, purgeData = false) =>
  rig.app.useCases.environments.destroy(id, { purgeSecrets: false, purgeData }, operator)
const onlyEntry = async () => {
  const [entry] = await rig.app.useCases.trash.list(null)
  if (!entry) throw new Error('the trash is empty')
  return entry
}

describe('the database of a branch', () => {
  test('is its own, survives a deploy, and has a random password', async () => {
    const main = await deployed('main')
    const preview = await deployed('Feature/DROP-TABLE"x";--')
    expect(server.databases.size).toBe(2)
    expect([...server.databases.keys()][1]).toMatch(/^st_1_feature_dr_[0-9a-f]{8}$/)
    server.at(main.url).data = 'rows of main'
    expect(server.at(preview.url)).toMatchObject({ data: '', mayLogIn: true })
    expect((await deployed('main')).url).toBe(main.url)
    expect(server.at(main.url).data).toBe('rows of main')
    expect(new URL(main.url).password).not.toBe(new URL(preview.url).password)
  })

  test('begins as a copy of the default branch, once, if the app wishes it', async () => {
    wish({ kind: 'postgres', data: 'copy' })
    const main = await deployed('main')
    server.at(main.url).data = 'rows'
    const preview = await deployed('preview')
    expect(server.at(preview.url).data).toBe('rows')
    server.at(preview.url).data = 'migrated'
    expect(server.at((await deployed('preview')).url).data).toBe('migrated')
    expect(server.at(main.url).data).toBe('rows')
    const lines = await rig.logs.tail(preview.environment.id, 100)
    const output = lines.map(({ line }) => line).join('\n')
    expect(output).toContain('copied the data of main')
    expect(output).not.toContain(new URL(preview.url).password)
  })

  test('is not made for an app that has a DATABASE_URL of its own', async () => {
    rig.commit('main')
    await rig.store.secrets.set(
      {
        name: 'DATABASE_URL',
        scope: { kind: 'project', projectId: rig.project.id },
        value: rig.vault.seal(redacted('postgres://own')),
      },
      0,
    )
    const { id } = await rig.deployed('main')
    expect(server.databases.size).toBe(0)
    expect(urlOf(await rig.row(id))).toBe('postgres://own')
  })

  test.each([
    ['mongodb', 'this stratad makes none: set the secret DATABASE_URL'],
    ['mysql', 'set SERVICE_MYSQL_URL of stratad'],
    ['postgres', 'set SERVICE_POSTGRES_URL of stratad'],
  ] as const)(
    'of kind %s needs a server: the deploy fails before the build',
    async (kind, advice) => {
      const bare = await createRig()
      bare.builder.launch = { ...bare.builder.launch, store: { kind, data: 'empty' } }
      bare.commit('main')
      const reason = expect.stringContaining(advice)
      await expect(bare.deploy('main')).resolves.toMatchObject({ kind: 'failed', reason })
      expect(bare.builder.builds).toBe(0)
      await bare.close()
    },
  )

  test('is completed by a retry after the server did not answer', async () => {
    server.isDown = true
    rig.commit('main')
    const outcome = rig.deploy('main')
    await rig.until(async () => (await rig.store.queue.list())[0]?.lastError !== null)
    server.isDown = false
    await rig.clock.advance(60_000)
    await expect(outcome).resolves.toMatchObject({ kind: 'running' })
    expect(server.databases.size).toBe(1)
  })

  test.each(['database:dropped', 'database:created', 'database:filled'])(
    'is complete and single after a kill at %s',
    async (step) => {
      wish({ kind: 'postgres', data: 'copy' })
      const main = await deployed('main')
      server.at(main.url).data = 'rows'
      rig.commit('preview')
      rig.failpoints.shut(step)
      const request = { branch: 'preview', wait: false }
      await rig.app.useCases.deploys.deploy(rig.project.id, request, operator)
      await rig.failpoints.reached(step)
      await rig.restart()
      await rig.until(async () => (await rig.store.queue.list()).length === 0)
      const live = await rig.store.environments.findLive(rig.project.id, 'preview')
      if (!live) throw new Error('the preview does not run')
      expect(server.databases.size).toBe(2)
      expect(server.at(urlOf(live)).data).toBe('rows')
    },
  )

  test('that vanished from its server stops the deploy instead of an empty beginning', async () => {
    const { url } = await deployed('main')
    server.databases.clear()
    rig.commit('main')
    await expect(rig.deploy('main')).resolves.toMatchObject({
      kind: 'failed',
      reason: expect.stringMatching(/the database st_1_main_\w+ of branch main is missing/),
    })
    expect(() => server.at(url)).toThrow()
  })
})

describe('the database of a destroyed branch', () => {
  test('goes to the trash with its user refused, and a deploy brings it back', async () => {
    const { environment, url } = await deployed('main')
    server.at(url).data = 'rows'
    await destroy(environment.id)
    expect(server.at(url)).toMatchObject({ data: 'rows', mayLogIn: false })
    expect(await onlyEntry()).toMatchObject({ branch: 'main', sizeBytes: 4 })
    const again = await deployed('main')
    expect(again.url).toBe(url)
    expect(server.at(url)).toMatchObject({ data: 'rows', mayLogIn: true })
    expect(await rig.app.useCases.trash.list(null)).toEqual([])
  })

  test('survives a restart of the daemon in the trash, and is purged with its entry', async () => {
    const { environment } = await deployed('main')
    await destroy(environment.id)
    await rig.restart()
    const { id } = await onlyEntry()
    expect(server.databases.size).toBe(1)
    await rig.app.useCases.trash.purge(id, operator)
    expect(server.databases.size).toBe(0)
    expect(await rig.store.branchDatabases.list()).toEqual([])
  })

  test('is removed at once with purge_data', async () => {
    const { environment } = await deployed('main')
    await destroy(environment.id, true)
    expect(server.databases.size).toBe(0)
    expect(await rig.app.useCases.trash.list(null)).toEqual([])
  })

  test('is closed later if the server did not answer', async () => {
    const { environment, url } = await deployed('main')
    server.isDown = true
    await destroy(environment.id)
    expect(server.at(url).mayLogIn).toBe(true)
    server.isDown = false
    await rig.clock.advance(60_000)
    await rig.until(() => !server.at(url).mayLogIn)
    expect(await onlyEntry()).toMatchObject({ branch: 'main' })
  })

  test('is given to no project that is registered again, and can be restored into it', async () => {
    const { url } = await deployed('main')
    server.at(url).data = 'rows'
    await rig.app.useCases.projects.remove(rig.project.id, { purgeData: false }, operator)
    const next = await rig.addProject('repository')
    const other = await deployed('main', next)
    expect(server.at(other.url).data).toBe('')
    await destroy(other.environment.id, true)
    const { id } = await onlyEntry()
    await rig.app.useCases.trash.restore(id, { projectId: next.id }, operator)
    expect((await deployed('main', next)).url).toBe(url)
    expect(server.at(url)).toMatchObject({ data: 'rows', mayLogIn: true })
  })
})

describe('the database of a branch in a backup', () => {
  /** Dumps as a backup does, and leaves the dumps as an applied restore does. */
  async function dumped(): Promise<string> {
    const folder = join(rig.dataDir, 'dumps')
    expect(await rig.app.dumpDatabases(folder)).toEqual([])
    return folder
  }
  async function restored(folder: string): Promise<void> {
    const project = join(rig.dataDir, 'volumes', String(rig.project.id))
    await mkdir(project, { recursive: true })
    await rename(join(folder, String(rig.project.id), 'databases'), join(project, 'databases'))
  }
  const filesLeft = () =>
    readdir(join(rig.dataDir, 'volumes', String(rig.project.id), 'databases')).catch(() => [])

  test('comes back into a new database, and the replaced one stays closed on its server', async () => {
    const { url } = await deployed('main')
    server.at(url).data = 'rows'
    const folder = await dumped()
    server.at(url).data = 'rows of later'
    await restored(folder)
    await rig.restart()
    const next = await deployed('main')
    expect(next.url).not.toBe(url)
    expect(server.at(next.url).data).toBe('rows')
    expect(server.at(url)).toMatchObject({ data: 'rows of later', mayLogIn: false })
    expect(await filesLeft()).toEqual([])
  })

  test('comes back on a server that has never had it', async () => {
    const { url } = await deployed('main')
    server.at(url).data = 'rows'
    await restored(await dumped())
    server.databases.clear()
    await rig.restart()
    expect(server.at((await deployed('main')).url).data).toBe('rows')
  })

  test('keeps its dump and its branch waits while the server does not answer', async () => {
    const { url } = await deployed('main')
    server.at(url).data = 'rows'
    await restored(await dumped())
    server.isDown = true
    await rig.restart()
    server.isDown = false
    rig.commit('main')
    const reason = expect.stringContaining('waits for the end of its restore')
    await expect(rig.deploy('main')).resolves.toMatchObject({ kind: 'failed', reason })
    expect(await filesLeft()).toHaveLength(1)
    rig.errors.length = 0
    await rig.restart()
    expect(server.at((await deployed('main')).url).data).toBe('rows')
    await rig.until(() => server.databases.size === 2)
  })

  test('is missing in the backup with the reason if the server does not answer', async () => {
    await deployed('main')
    server.isDown = true
    const faults = await rig.app.dumpDatabases(join(rig.dataDir, 'dumps'))
    expect(faults).toEqual([
      {
        path: expect.stringMatching(/^1\/databases\/st_1_main_\w+\.dump$/),
        reason: 'the server does not answer',
      },
    ])
  })
})
