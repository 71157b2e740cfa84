import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../support/apps/eventually.ts'
import { call } from '../support/stratad/call.ts'
import { cleanUp, type Daemon, startDaemon } from '../support/stratad/daemon.ts'
import { createProject, deploy, type Project, rowOf } from '../support/stratad/project.ts'
import { addRow, rowApp, rowsOfApp, trashOf } from '../support/stratad/row-app.ts'

const dayMs = 86_400_000

describe('the data of a destroyed branch', () => {
  let daemon: Daemon
  let shop: Project

  beforeAll(async () => {
    daemon = await startDaemon({ env: { SERVICE_GC_INTERVAL: '1s', SERVICE_SWEEP_GRACE: '1s' } })
    shop = await createProject(daemon, 'shop', rowApp)
    shop.repository.git('branch', 'preview')
  })
  afterAll(async () => {
    await daemon.stop()
    cleanUp(daemon.dataDir)
  })

  async function destroy(branch = 'main', query = '') {
    const { id } = await rowOf(daemon, shop, branch)
    return call(daemon, 'DELETE', `/environments/${id}${query}`)
  }
  const up = async (project = shop, branch = 'main') =>
    expect((await deploy(daemon, project, branch)).status).toBe(201)

  test('is listed in the trash, and a deploy has it back', async () => {
    await up()
    await addRow(daemon, shop, 'first')
    expect((await destroy()).status).toBe(204)
    const [entry, ...others] = await trashOf(daemon)
    expect(others).toEqual([])
    expect(entry).toMatchObject({
      project_id: shop.id,
      project: 'shop',
      source: shop.repository.folder,
      branch: 'main',
      operator: 'master',
      reason: 'destroyed',
    })
    expect(Date.parse(entry.expires_at) - Date.parse(entry.trashed_at)).toBe(30 * dayMs)
    expect(entry.size_bytes).toBeGreaterThan(0)
    const { body: stats } = await call(daemon, 'GET', '/stats')
    expect(stats.trash).toEqual({ entries: 1, bytes: entry.size_bytes })
    const { body: infra } = await call(daemon, 'GET', '/infra/status')
    expect(infra.checks).toContainEqual(expect.objectContaining({ name: 'trash', ok: true }))
    await up()
    expect(await rowsOfApp(daemon, shop)).toEqual(['first'])
    expect(await trashOf(daemon)).toEqual([])
  })

  test('goes to the trash when an idle preview expires', async () => {
    await up(shop, 'preview')
    await addRow(daemon, shop, 'draft', 'preview')
    await call(daemon, 'PATCH', `/projects/${shop.id}`, { destroy_after: '1s' })
    expect(await eventually(async () => (await trashOf(daemon)).length === 1, 20_000)).toBe(true)
    expect(await trashOf(daemon)).toMatchObject([
      { branch: 'preview', operator: 'daemon', reason: 'expired' },
    ])
    await call(daemon, 'PATCH', `/projects/${shop.id}`, { destroy_after: null })
    await up(shop, 'preview')
    expect(await rowsOfApp(daemon, shop, 'preview')).toEqual(['draft'])
  })

  test('comes back by hand, unless the branch has an environment', async () => {
    expect((await destroy('preview')).status).toBe(204)
    const [{ id }] = await trashOf(daemon)
    expect(await call(daemon, 'POST', `/trash/${id}/restore`)).toMatchObject({
      status: 200,
      body: { status: 'restored', project_id: shop.id, branch: 'preview' },
    })
    expect((await call(daemon, 'POST', `/trash/${id}/restore`)).status).toBe(404)
    await up(shop, 'preview')
    expect(await rowsOfApp(daemon, shop, 'preview')).toEqual(['draft'])
  })

  test('is removed now with purge_data, and not with an unknown parameter', async () => {
    expect((await destroy('preview', '?purge_dat=true')).status).toBe(400)
    expect((await destroy('preview', '?purge_data=true')).status).toBe(204)
    expect(await trashOf(daemon)).toEqual([])
    expect(readdirSync(join(daemon.dataDir, 'trash'))).toEqual([])
    await up(shop, 'preview')
    expect(await rowsOfApp(daemon, shop, 'preview')).toEqual([])
    const { body } = await call(daemon, 'GET', `/audit?kind=data_purged&project_id=${shop.id}`)
    expect(body).toMatchObject([{ branch: 'preview', operator: 'master' }])
  })

  test('survives a restart of the daemon and can be removed from the trash', async () => {
    await addRow(daemon, shop, 'last', 'preview')
    await destroy('preview')
    await daemon.stop()
    daemon = await daemon.restart()
    const [{ id }] = await trashOf(daemon)
    expect((await call(daemon, 'DELETE', `/trash/${id}`)).status).toBe(204)
    expect((await call(daemon, 'DELETE', `/trash/${id}`)).status).toBe(404)
    expect(readdirSync(join(daemon.dataDir, 'trash'))).toEqual([])
  })

  test('of a deleted project never reaches the same repository registered again by itself', async () => {
    const scoped = { name: 'ci', projects: [shop.id], role: 'admin' }
    const { token } = (await call(daemon, 'POST', '/tokens', scoped)).body
    const asScoped = (method: string, path: string) =>
      call(daemon, method, path, undefined, { token })
    await addRow(daemon, shop, 'second')
    expect((await call(daemon, 'DELETE', `/projects/${shop.id}`)).status).toBe(204)
    expect(existsSync(join(daemon.dataDir, 'volumes', String(shop.id)))).toBe(false)
    const [entry] = await trashOf(daemon)
    expect(entry).toMatchObject({ branch: 'main', reason: 'project_deleted', project: 'shop' })
    expect((await asScoped('GET', '/trash')).body).toEqual([])
    expect((await asScoped('DELETE', `/trash/${entry.id}`)).status).toBe(404)

    const body = { repo_dir: shop.repository.folder }
    const again = { ...shop, id: (await call(daemon, 'POST', '/projects', body)).body.id }
    expect(again.id).toBeGreaterThan(shop.id)
    await up(again)
    expect(await rowsOfApp(daemon, again)).toEqual([])
    const restore = (project_id?: number) =>
      call(daemon, 'POST', `/trash/${entry.id}/restore`, { project_id })
    expect(await restore()).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('project_id') },
    })
    expect(await restore(again.id)).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('destroy it first') },
    })
    const { id } = await rowOf(daemon, again)
    await call(daemon, 'DELETE', `/environments/${id}`)
    expect((await restore(again.id)).status).toBe(200)
    await up(again)
    expect(await rowsOfApp(daemon, again)).toEqual(['first', 'second'])
  })
})

test('a daemon removes data past SERVICE_TRASH_KEEP', async () => {
  const env = {
    SERVICE_GC_INTERVAL: '1s',
    SERVICE_SWEEP_GRACE: '1s',
    SERVICE_TRASH_KEEP: '5s',
  }
  const daemon = await startDaemon({ env })
  try {
    const shop = await createProject(daemon, 'shop', rowApp)
    expect((await deploy(daemon, shop)).status).toBe(201)
    await addRow(daemon, shop, 'first')
    const { id } = await rowOf(daemon, shop)
    await call(daemon, 'DELETE', `/environments/${id}`)
    expect(await trashOf(daemon)).toHaveLength(1)
    expect(await eventually(async () => (await trashOf(daemon)).length === 0, 20_000)).toBe(true)
    expect(readdirSync(join(daemon.dataDir, 'trash'))).toEqual([])
  } finally {
    await daemon.stop()
    cleanUp(daemon.dataDir)
  }
})
