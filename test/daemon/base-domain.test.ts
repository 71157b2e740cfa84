import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, visit } from '../support/stratad/call.ts'
import { cleanUp, type Daemon, startDaemon } from '../support/stratad/daemon.ts'
import { createProject, deploy, type Project, rowOf } from '../support/stratad/project.ts'

/** A daemon that is restarted with other base domains. The tests build on each other. */
describe('stratad with another base domain', () => {
  let daemon: Daemon
  let shop: Project

  const restart = async (domain: string) => {
    await daemon.stop()
    daemon = await daemon.restart({ SERVICE_BASE_DOMAIN: domain })
  }

  beforeAll(async () => {
    daemon = await startDaemon()
    shop = await createProject(daemon)
    shop.repository.git('branch', 'preview')
    await deploy(daemon, shop, 'main')
    await deploy(daemon, shop, 'preview')
    const { id } = await rowOf(daemon, shop, 'preview')
    expect((await call(daemon, 'POST', `/environments/${id}/pause`)).status).toBe(204)
  })
  afterAll(async () => {
    await daemon.stop()
    cleanUp(daemon.dataDir)
  })

  test('serves a running app at its new host, from the same start of the app, and not at the old one', async () => {
    const { boot } = (await visit(daemon, 'main--shop.localhost')).body
    await restart('apps.example.com')
    const answer = await visit(daemon, 'main--shop.apps.example.com')
    expect(answer).toMatchObject({ status: 200, body: { branch: 'main', boot } })
    expect((await visit(daemon, 'main--shop.localhost')).status).toBe(404)
    expect((await rowOf(daemon, shop)).url).toBe('main--shop.apps.example.com')
  })

  test('wakes a sleeping app at its new host, with its new address in STRATA_URL', async () => {
    expect((await rowOf(daemon, shop, 'preview')).state).toBe('paused')
    expect((await visit(daemon, 'preview--shop.localhost')).status).toBe(404)
    const answer = await visit(daemon, 'preview--shop.apps.example.com')
    expect(answer).toMatchObject({ status: 200, body: { branch: 'preview' } })
    const url = `http://preview--shop.apps.example.com:${daemon.gatewayPort}`
    expect(answer.body.url).toBe(url)
  })

  test('publishes the new hosts for a reverse proxy', async () => {
    const { text } = await call(daemon, 'GET', '/proxy/config')
    expect(text).toContain('Host(`main--shop.apps.example.com`)')
    expect(text).toContain('Host(`preview--shop.apps.example.com`)')
    expect(text).not.toContain('shop.localhost')
  })

  test('redeploys at the new host, and takes the hosts back with the first domain', async () => {
    const sha = shop.repository.commit({ 'note.txt': 'second' })
    expect((await deploy(daemon, shop)).status).toBe(201)
    await restart('localhost')
    const answer = await visit(daemon, 'main--shop.localhost')
    expect(answer).toMatchObject({ status: 200, body: { commit: sha } })
    expect((await visit(daemon, 'main--shop.apps.example.com')).status).toBe(404)
  })
})
