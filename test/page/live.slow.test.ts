import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../support/apps/eventually.ts'
import { createProxy } from '../support/client/proxy.ts'
import { browserReason, hasBrowser, openInBrowser } from '../support/page/browser.ts'
import { type PageOfDaemon, startPageOfDaemon } from '../support/page/page-of-daemon.ts'
import { call } from '../support/stratad/call.ts'
import { masterToken } from '../support/stratad/daemon.ts'
import { createProject, deploy, type Project, rowOf } from '../support/stratad/project.ts'

describe.skipIf(!hasBrowser)(`the live page${browserReason}`, () => {
  let site: PageOfDaemon
  let shop: Project

  beforeAll(async () => {
    site = await startPageOfDaemon()
    shop = await createProject(site.daemon)
    expect((await deploy(site.daemon, shop)).status).toBe(201)
  })

  afterAll(() => site?.stop())

  /** Counts the requests of the page to a path of the API. */
  function count(page: Page, path: string) {
    let requests = 0
    page.on('request', (request) => {
      if (new URL(request.url()).pathname === `/api/v1${path}`) requests += 1
    })
    return () => requests
  }

  test('shows a change of an environment without a reload, and asks for nothing while nothing changes', async () => {
    const { page, complaints } = await site.open()
    await page.getByRole('cell', { name: 'Running' }).first().waitFor()
    const lists = count(page, '/environments')
    await page.waitForTimeout(6_000)
    expect(lists()).toBe(0)
    const { id } = await rowOf(site.daemon, shop)
    await call(site.daemon, 'POST', `/environments/${id}/pause`)
    await page.getByRole('cell', { name: 'Paused' }).first().waitFor({ timeout: 5_000 })
    await call(site.daemon, 'POST', `/environments/${id}/wake`)
    await page.getByRole('cell', { name: 'Running' }).first().waitFor({ timeout: 5_000 })
    expect(complaints).toEqual([])
  })

  test('resumes after a lost connection, and shows the changes that it missed', async () => {
    const proxy = await createProxy(site.daemon.port)
    const { browser } = site
    const { page } = await openInBrowser({ browser, origin: proxy.url, token: masterToken })
    await page.getByRole('cell', { name: 'Running' }).first().waitFor()
    const resumed: (string | undefined)[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/events')) resumed.push(request.headers()['last-event-id'])
    })
    await page.context().setOffline(true)
    proxy.cut()
    await page.getByText('The daemon does not answer.').waitFor()
    const { id } = await rowOf(site.daemon, shop)
    await call(site.daemon, 'POST', `/environments/${id}/pause`)
    await page.context().setOffline(false)
    await page.getByRole('cell', { name: 'Paused' }).first().waitFor()
    await page.getByText('The daemon does not answer.').waitFor({ state: 'hidden' })
    expect(resumed.at(-1)).toMatch(/^[0-9a-z]+-\d+$/)
    await call(site.daemon, 'POST', `/environments/${id}/wake`)
    await page.getByRole('cell', { name: 'Running' }).first().waitFor()
    await page.context().close()
    await proxy.close()
  })

  test('shows the memory of a running environment', async () => {
    const { page } = await site.open()
    await page.getByRole('cell', { name: /^[\d.]+ MiB$/ }).waitFor({ timeout: 60_000 })
  })

  /** Follows the ids after which the page asks for events; undefined for a first connection. */
  function resumesOf(page: Page): (string | undefined)[] {
    const ids: (string | undefined)[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/api/v1/events')) ids.push(request.headers()['last-event-id'])
    })
    return ids
  }

  test('gives its connection up in the background, and catches up when it is visible again', async () => {
    let ended = 0
    const { page } = await site.open('/', {
      prepare: async (fresh) => {
        await fresh.clock.install()
        fresh.on('requestfailed', (request) => {
          if (request.url().endsWith('/api/v1/events')) ended += 1
        })
      },
    })
    await page.getByRole('cell', { name: 'Running' }).first().waitFor()
    const show = (state: string) =>
      page.evaluate(
        `Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
        document.dispatchEvent(new Event('visibilitychange'))`,
      )
    const ids = resumesOf(page)
    await show('hidden')
    await page.clock.fastForward(61_000)
    expect(await eventually(() => ended > 0, 10_000)).toBe(true)
    const before = ids.length
    await page.clock.fastForward(60_000)
    expect(ids.length).toBe(before)
    const { id } = await rowOf(site.daemon, shop)
    await call(site.daemon, 'POST', `/environments/${id}/pause`)
    expect(await page.getByRole('cell', { name: 'Running' }).count()).toBeGreaterThan(0)
    await show('visible')
    await page.getByRole('cell', { name: 'Paused' }).first().waitFor()
    expect(ids.at(-1)).toMatch(/^[0-9a-z]+-\d+$/)
    await call(site.daemon, 'POST', `/environments/${id}/wake`)
    await page.getByRole('cell', { name: 'Running' }).first().waitFor()
  })

  test('replaces a connection that is silent for too long', async () => {
    const { page } = await site.open('/', { prepare: (fresh) => fresh.clock.install() })
    await page.getByRole('cell', { name: 'Running' }).first().waitFor()
    const ids = resumesOf(page)
    await page.clock.fastForward(36_000)
    expect(await eventually(() => ids.length > 0, 10_000)).toBe(true)
    expect(ids[0]).toMatch(/^[0-9a-z]+-\d+$/)
  })

  test('ends the session when the token is revoked, although the page asks for nothing', async () => {
    const { body } = await call(site.daemon, 'POST', '/tokens', { name: 'guest', role: 'viewer' })
    const { page } = await site.open('/', { token: body.token })
    await page.getByRole('link', { name: 'main' }).first().waitFor()
    await call(site.daemon, 'DELETE', `/tokens/${body.id}`)
    await page.getByText('The token was revoked or has expired.').waitFor({ timeout: 4_000 })
    expect(await page.evaluate('sessionStorage.length')).toBe(0)
  })

  test('shows what another person does after a restart of the daemon', async () => {
    const { page } = await site.open()
    await page.getByRole('link', { name: 'main' }).first().waitFor()
    await site.daemon.stop('SIGKILL')
    await page.getByText('The daemon does not answer.').waitFor()
    const restarted = await site.daemon.restart()
    await page.getByText('The daemon does not answer.').waitFor({ state: 'hidden' })
    const { id } = await rowOf(restarted, shop)
    await call(restarted, 'POST', `/environments/${id}/pause`, undefined, { token: masterToken })
    await page.getByRole('cell', { name: 'Paused' }).first().waitFor()
    await restarted.stop('SIGKILL')
  })
})
