import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createRig, operator, type Rig } from '../../../test/support/daemon/app/rig.ts'
import type { TrashEntry } from '../../domain/records.ts'
import { DaemonError } from '../../errors.ts'

const minuteMs = 60_000
const dayMs = 86_400_000

let rig: Rig
beforeEach(async () => {
  rig = await createRig()
})
afterEach(async () => {
  await rig.close()
})

const volumes = (projectId = rig.project.id) => join(rig.dataDir, 'volumes', String(projectId))

/** Returns the data folder of a project's only branch with a volume. */
function volume(projectId = rig.project.id): string {
  return join(volumes(projectId), readdirSync(volumes(projectId))[0] ?? 'no volume')
}

/** Returns the rows in the data folder of the project's only branch; undefined if it has none. */
function rows(projectId = rig.project.id): string | undefined {
  const file = join(volume(projectId), 'rows')
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

/** Deploys a branch whose app writes `text`. Returns the environment. */
async function deployedWith(text: string, branch = 'main') {
  rig.commit(branch)
  const environment = await rig.deployed(branch)
  writeFileSync(join(volume(), 'rows'), text)
  return environment
}

const destroy = (id: number, purgeData = false) =>
  rig.app.useCases.environments.destroy(id, { purgeSecrets: false, purgeData }, operator)
const listTrash = () => rig.app.useCases.trash.list(null)

async function trashed(text: string): Promise<TrashEntry> {
  const { id } = await deployedWith(text)
  await destroy(id)
  const [entry] = await listTrash()
  if (!entry) throw new Error('the trash is empty')
  return entry
}

const makeHostile: Readonly<Record<string, (folder: string) => void>> = {
  'names that are not UTF-8': (folder) =>
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0x66, 0xff])]), ''),
  'closed folders': (folder) => {
    mkdirSync(join(folder, 'closed/inner'), { recursive: true })
    chmodSync(join(folder, 'closed'), 0)
  },
  FIFOs: (folder) => void execFileSync('mkfifo', [join(folder, 'pipe')]),
  // Longer than the longest path: each folder is made inside the previous one.
  'deep folders': (folder) => {
    const script = `for (let i = 0; i < 60; i++) { const n = 'n'.repeat(200); require('fs').mkdirSync(n); process.chdir(n) }`
    execFileSync(process.execPath, ['-e', script], { cwd: folder })
  },
}

const trashFolders = () => readdirSync(join(rig.dataDir, 'trash'))

describe('a destroyed branch', () => {
  test('has its data in the trash for 30 days, with the reason and the operator', async () => {
    const entry = await trashed('one')
    expect(entry).toMatchObject({
      projectId: rig.project.id,
      project: rig.project.name,
      source: rig.project.repoDir,
      branch: 'main',
      operator: 'master',
      reason: 'destroyed',
      expiresAt: entry.trashedAt + 30 * dayMs,
    })
    expect(entry.sizeBytes).toBeGreaterThan(0)
    expect(existsSync(join(rig.dataDir, 'volumes', entry.volume))).toBe(false)
    const [audit] = await rig.store.audit.list({ kind: 'destroy', limit: 1 })
    expect(audit?.detail).toContain('its data goes to the trash for 30d')
    expect((await rig.app.useCases.stats.read()).trash).toEqual({
      entries: 1,
      bytes: entry.sizeBytes,
    })
  })

  test('gets its data back with its next deploy', async () => {
    await trashed('one')
    rig.commit('main')
    await rig.deployed('main')
    expect(rows()).toBe('one')
    expect(await listTrash()).toEqual([])
    expect(trashFolders()).toEqual([])
    const [audit] = await rig.store.audit.list({ kind: 'data_restored', limit: 1 })
    expect(audit).toMatchObject({ projectId: rig.project.id, branch: 'main', environmentId: null })
  })

  test('keeps its data if the next deploy fails', async () => {
    await trashed('one')
    rig.commit('main')
    rig.builder.buildFault = new DaemonError('unprocessable', 'npm ci failed')
    expect(await rig.deploy('main')).toMatchObject({ kind: 'failed' })
    expect(rows()).toBe('one')
  })

  test('without files leaves nothing in the trash and no empty folder', async () => {
    rig.commit('main')
    const { id } = await rig.deployed('main')
    await destroy(id)
    expect(await listTrash()).toEqual([])
    expect(readdirSync(volumes())).toEqual([])
  })

  test('of several generations gets the newest back', async () => {
    const first = await trashed('one')
    await rig.app.useCases.trash.restore(first.id, { projectId: undefined }, operator)
    rig.commit('main')
    const second = await rig.deployed('main')
    writeFileSync(join(volume(), 'rows'), 'two')
    mkdirSync(join(rig.dataDir, 'trash/99/data'), { recursive: true })
    writeFileSync(join(rig.dataDir, 'trash/99/data/rows'), 'old')
    await rig.store.trash.add({ ...first, id: 99 })
    await destroy(second.id)
    expect((await listTrash()).map(({ id }) => id)).toEqual([100, 99])
    rig.commit('main')
    await rig.deployed('main')
    expect(rows()).toBe('two')
    expect((await listTrash()).map(({ id }) => id)).toEqual([99])
  })

  test('loses all its data with purge_data, older data in the trash too', async () => {
    const first = await trashed('one')
    mkdirSync(join(rig.dataDir, 'trash/99/data'), { recursive: true })
    await rig.store.trash.add({ ...first, id: 99 })
    rig.commit('main')
    const { id } = await rig.deployed('main')
    await destroy(id, true)
    expect(await rig.store.trash.list()).toEqual([])
    expect(trashFolders()).toEqual([])
    rig.commit('main')
    await rig.deployed('main')
    expect(rows()).toBe(undefined)
  })

  test('loses its data in the trash if purge_data comes with a second request', async () => {
    const { id } = await deployedWith('one')
    await destroy(id)
    await destroy(id, true)
    expect(await rig.store.trash.list()).toEqual([])
    expect(trashFolders()).toEqual([])
  })

  test('keeps its data if purge_data names an old environment of a live branch', async () => {
    const old = await deployedWith('one')
    rig.commit('main')
    await rig.deployed('main')
    await destroy(old.id, true)
    expect(rows()).toBe('one')
  })

  test.each(['names that are not UTF-8', 'closed folders', 'FIFOs', 'deep folders'])(
    'loses data with %s too',
    async (name) => {
      const { id } = await deployedWith('one')
      makeHostile[name]?.(volume())
      await destroy(id)
      const [entry] = await listTrash()
      await rig.app.useCases.trash.purge(entry?.id ?? 0, operator)
      expect(trashFolders()).toEqual([])
    },
  )

  test('keeps the files that a symbolic link in its data names', async () => {
    const outside = join(rig.dataDir, 'outside')
    mkdirSync(outside)
    writeFileSync(join(outside, 'precious'), '')
    const { id } = await deployedWith('one')
    symlinkSync(outside, join(volume(), 'link'))
    await destroy(id, true)
    expect(existsSync(join(outside, 'precious'))).toBe(true)
    expect(await rig.store.trash.list()).toEqual([])
  })
})

describe('a restore from the trash', () => {
  const restore = (id: number, projectId?: number) =>
    rig.app.useCases.trash.restore(id, { projectId }, operator)

  test('is refused while the branch runs or has data', async () => {
    const entry = await trashed('one')
    await restore(entry.id)
    await expect(restore(entry.id)).rejects.toMatchObject({ kind: 'not-found' })
    await rig.store.trash.add(entry)
    mkdirSync(join(rig.dataDir, `trash/${entry.id}/data`), { recursive: true })
    await expect(restore(entry.id)).rejects.toMatchObject({
      kind: 'conflict',
      message: expect.stringContaining('branch main has data'),
    })
    rig.commit('main')
    await rig.deployed('main')
    await expect(restore(entry.id)).rejects.toMatchObject({
      kind: 'conflict',
      message: expect.stringContaining('is running: destroy it first'),
    })
    expect(rows()).toBe('one')
  })

  test('of a deleted project needs another project, which then has the data', async () => {
    await deployedWith('one')
    await rig.app.useCases.projects.remove(rig.project.id, { purgeData: false }, operator)
    const [entry] = await listTrash()
    expect(entry).toMatchObject({ project: rig.project.name, reason: 'project_deleted' })
    const id = entry?.id ?? 0
    await expect(restore(id)).rejects.toMatchObject({ kind: 'conflict' })
    const again = await rig.addProject('repository')
    expect(again.id).toBeGreaterThan(rig.project.id)
    await rig.deployed('main', again)
    expect(rows(again.id)).toBe(undefined)
    const [environment] = await rig.store.environments.list(again.id)
    await destroy(environment?.id ?? 0)
    await restore(id, again.id)
    await rig.deployed('main', again)
    expect(rows(again.id)).toBe('one')
  })

  test('refuses another project while the own project exists', async () => {
    const { id } = await trashed('one')
    const other = await rig.addProject('other')
    await expect(restore(id, other.id)).rejects.toMatchObject({ kind: 'conflict' })
    expect((await listTrash()).map((entry) => entry.id)).toEqual([id])
  })
})

describe('a deleted project', () => {
  test('has the data of all its branches in the trash, restored data without a deploy too', async () => {
    const { id } = await trashed('one')
    await rig.app.useCases.trash.restore(id, { projectId: undefined }, operator)
    rig.commit('preview')
    await rig.deployed('preview')
    for (const name of readdirSync(volumes())) writeFileSync(join(volumes(), name, 'more'), '')
    await rig.app.useCases.projects.remove(rig.project.id, { purgeData: false }, operator)
    expect((await listTrash()).map(({ branch }) => branch).sort()).toEqual(['main', 'preview'])
    expect(existsSync(volumes())).toBe(false)
  })

  test('loses its data with purge_data', async () => {
    await trashed('one')
    await deployedWith('two')
    await rig.app.useCases.projects.remove(rig.project.id, { purgeData: true }, operator)
    expect(await rig.store.trash.list()).toEqual([])
    expect(trashFolders()).toEqual([])
    expect(existsSync(volumes())).toBe(false)
  })
})

test('data in the trash counts for the quota of its project', async () => {
  await rig.close()
  rig = await createRig({ config: { dataQuotaMb: 1 } })
  await trashed('x'.repeat(2 ** 21))
  const { stats } = rig.app.useCases
  await rig.clock.advance(60_000)
  await rig.until(async () => (await stats.read()).data.some(({ bytes }) => (bytes ?? 0) > 2 ** 20))
  rig.commit('preview')
  await expect(rig.deploy('preview')).rejects.toThrow('also from the trash')
})

describe('the upkeep of the trash', () => {
  test('removes data past its time, but not within the grace time of a start', async () => {
    await rig.close()
    rig = await createRig({ config: { trashKeepMs: 20 * minuteMs } })
    await trashed('one')
    await rig.clock.advance(21 * minuteMs)
    await rig.until(async () => (await rig.store.trash.list()).length === 0)
    expect(trashFolders()).toEqual([])
    const [audit] = await rig.store.audit.list({ kind: 'data_purged', limit: 1 })
    expect(audit).toMatchObject({ operator: 'daemon', branch: 'main' })

    await trashed('two')
    rig.clock.jump(21 * minuteMs)
    await rig.restart()
    await rig.clock.advance(9 * minuteMs)
    expect(await listTrash()).toHaveLength(1)
    await rig.clock.advance(2 * minuteMs)
    await rig.until(async () => (await rig.store.trash.list()).length === 0)
  })

  test('removes nothing after the clock has jumped', async () => {
    await trashed('one')
    rig.clock.jump(31 * dayMs)
    await rig.clock.advance(11 * minuteMs)
    expect(await listTrash()).toHaveLength(1)
  })

  test('lists data again that a restored database does not know, under its id', async () => {
    const entry = await trashed('one')
    await rig.store.trash.remove(entry.id)
    await rig.restart()
    expect(await listTrash()).toEqual([entry])
  })

  test('gives data back to a branch that a restored database has brought back to life', async () => {
    const entry = await trashed('one')
    const [environment] = await rig.store.environments.list(rig.project.id)
    const at = rig.clock.now()
    await rig.store.environments.update(environment?.id ?? 0, { state: 'paused' }, { at })
    await rig.store.trash.remove(entry.id)
    await rig.restart()
    expect(rows()).toBe('one')
    expect(await listTrash()).toEqual([])
  })

  test('forgets entries whose data is gone', async () => {
    const entry = await trashed('one')
    await rig.store.trash.add({ ...entry, id: 50 })
    await rig.restart()
    expect(await listTrash()).toEqual([entry])
  })
})

describe('a daemon killed while it destroys a branch', () => {
  test.each(['destroy:clear', 'trash:move', 'trash:moved'])(
    'at %s has the data in the trash once, after its restart',
    async (step) => {
      const { id } = await deployedWith('one')
      rig.failpoints.shut(step)
      destroy(id).catch(() => undefined)
      await rig.failpoints.reached(step)
      await rig.restart()
      await rig.until(async () => (await listTrash()).length === 1)
      expect(await rig.store.trash.list()).toHaveLength(1)
      expect(trashFolders()).toHaveLength(1)
      rig.commit('main')
      await rig.deployed('main')
      expect(rows()).toBe('one')
      expect(await rig.store.trash.list()).toEqual([])
    },
  )

  test.each(['destroy:clear', 'trash:move', 'trash:moved', 'trash:purge', 'trash:purged'])(
    'with purge_data at %s has removed the data after its restart',
    async (step) => {
      const { id } = await deployedWith('one')
      rig.failpoints.shut(step)
      destroy(id, true).catch(() => undefined)
      await rig.failpoints.reached(step)
      await rig.restart()
      await rig.until(async () => (await rig.store.trash.list()).length === 0)
      await rig.until(() => trashFolders().length === 0)
      rig.commit('main')
      await rig.deployed('main')
      expect(rows()).toBe(undefined)
    },
  )

  test.each(['trash:restore', 'trash:restored'])(
    'at %s of a deploy has the data in the new environment, and not in the trash',
    async (step) => {
      await trashed('one')
      rig.commit('main')
      rig.failpoints.shut(step)
      rig.deploy('main').catch(() => undefined)
      await rig.failpoints.reached(step)
      await rig.restart()
      await rig.until(
        async () =>
          (await rig.store.environments.findLive(rig.project.id, 'main'))?.state === 'running',
      )
      expect(rows()).toBe('one')
      expect(await rig.store.trash.list()).toEqual([])
      expect(trashFolders()).toEqual([])
    },
  )
})
