import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  createFakeDatabaseServer,
  type FakeDatabaseServer,
} from '../../../test/support/daemon/app/fake-database-server.ts'
import { createRig, operator, type Rig } from '../../../test/support/daemon/app/rig.ts'

let rig: Rig
let server: FakeDatabaseServer
const { signal } = new AbortController()

beforeEach(async () => {
  server = createFakeDatabaseServer()
  rig = await createRig({ databaseServers: { postgres: server } })
  rig.builder.launch = { ...rig.builder.launch, store: { kind: 'postgres', data: 'empty' } }
})
afterEach(async () => {
  await rig.close()
})

const databases = () => rig.app.useCases.databases
const urlOf = async (branch: string) =>
  (await databases().url(rig.project.id, branch, operator)).reveal()

/** Deploys a branch whose database holds `data`. Returns its URL. */
async function deployedWith(branch: string, data: string): Promise<string> {
  rig.commit(branch)
  await rig.deployed(branch)
  const url = await urlOf(branch)
  server.at(url).data = data
  return url
}

test('a copy replaces the data of a branch, whose app runs on it, and keeps the previous data in the trash', async () => {
  await deployedWith('main', 'rows of main')
  const before = await deployedWith('preview', 'rows of the preview')
  const entryId = await databases().copy(
    rig.project.id,
    { from: 'main', to: 'preview' },
    operator,
    signal,
  )
  const after = await urlOf('preview')
  expect(server.at(after)).toMatchObject({ data: 'rows of main', mayLogIn: true })
  expect(server.at(before)).toMatchObject({ data: 'rows of the preview', mayLogIn: false })
  const live = await rig.store.environments.findLive(rig.project.id, 'preview')
  expect(live?.state).toBe('running')
  const url = rig.runtime.started.at(-1)?.env.DATABASE_URL
  expect(typeof url === 'object' && url.reveal()).toBe(after)
  expect(await rig.app.useCases.trash.list(null)).toMatchObject([
    { id: entryId, branch: 'preview' },
  ])
  await rig.app.useCases.trash.purge(entryId, operator)
  expect(server.databases.size).toBe(2)
})

test('a dump of a branch restores its data', async () => {
  const url = await deployedWith('main', 'rows')
  const { body, fileName } = await databases().dump(rig.project.id, 'main', operator, signal)
  expect(fileName).toMatch(/^st_1_main_\w+\.dump$/)
  const dump = await text(body)
  server.at(url).data = 'a mistake'
  await databases().restore(rig.project.id, 'main', Readable.from([dump]), operator, signal)
  expect(server.at(await urlOf('main')).data).toBe('rows')
})

test('a dump that breaks off leaves the data as it was, and no rest on the server', async () => {
  const url = await deployedWith('main', 'rows')
  const broken = new Readable({
    read() {
      this.destroy(new Error('gone'))
    },
  })
  await expect(
    databases().restore(rig.project.id, 'main', broken, operator, signal),
  ).rejects.toThrow('gone')
  expect(await urlOf('main')).toBe(url)
  expect(server.at(url)).toMatchObject({ data: 'rows', mayLogIn: true })
  expect(server.databases.size).toBe(1)
})

test('a branch without a database is absent, and an audit record names the reader of a URL', async () => {
  await expect(urlOf('main')).rejects.toMatchObject({ kind: 'not-found' })
  await deployedWith('main', 'rows')
  const [entry] = await rig.store.audit.list({ kind: 'data_read', limit: 10 })
  expect(entry).toMatchObject({ branch: 'main', operator: 'master' })
  expect(JSON.stringify(entry)).not.toContain('postgres://')
})
