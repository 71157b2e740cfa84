import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../support/apps/eventually.ts'
import { call, visit } from '../support/stratad/call.ts'
import { cleanUp, type Daemon, startDaemon } from '../support/stratad/daemon.ts'
import { createProject, deploy, type Project, rowOf } from '../support/stratad/project.ts'

describe('stratad with idle branches', () => {
  let daemon: Daemon
  let shop: Project
  const patch = (body: unknown) => call(daemon, 'PATCH', `/projects/${shop.id}`, body)

  beforeAll(async () => {
    daemon = await startDaemon({ env: { SERVICE_GC_INTERVAL: '1s', SERVICE_SWEEP_GRACE: '1s' } })
    shop = await createProject(daemon)
    shop.repository.git('branch', 'preview')
    await deploy(daemon, shop, 'preview')
    await deploy(daemon, shop, 'main')
  })
  afterAll(async () => {
    await daemon.stop()
    cleanUp(daemon.dataDir)
  })

  test('shows when a preview expires, and that the default branch never does', async () => {
    const preview = await rowOf(daemon, shop, 'preview')
    expect(Date.parse(preview.expires_at) - Date.parse(preview.last_accessed_at)).toBe(
      7 * 86_400_000,
    )
    expect((await rowOf(daemon, shop, 'main')).expires_at).toBeNull()
    const { body } = await call(daemon, 'GET', `/projects/${shop.id}`)
    expect(body).toMatchObject({ destroy_after: '7d', default_branch: 'main' })
  })

  test('accepts null for destroy_after and then keeps every branch', async () => {
    expect(await patch({ destroy_after: null })).toMatchObject({
      status: 200,
      body: { destroy_after: null },
    })
    const { id } = await rowOf(daemon, shop, 'preview')
    const shown = await call(daemon, 'GET', `/environments/${id}`)
    expect(shown.body.expires_at).toBeNull()
    const { body } = await call(daemon, 'GET', '/environments')
    expect(body.map((row: { expires_at: unknown }) => row.expires_at)).toEqual([null, null])
  })

  test('destroys an idle preview and keeps the idle default branch serving', async () => {
    expect((await patch({ destroy_after: '1s' })).status).toBe(200)
    const isGone = async () => (await rowOf(daemon, shop, 'preview')).state === 'destroyed'
    expect(await eventually(isGone, 15_000)).toBe(true)
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    expect((await rowOf(daemon, shop, 'main')).state).not.toBe('destroyed')
    expect((await visit(daemon, shop.host('main'))).body.branch).toBe('main')
  })
})
