import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { browserReason, hasBrowser } from '../support/page/browser.ts'
import { chattyApp, say } from '../support/page/chatty-app.ts'
import { type PageOfDaemon, startPageOfDaemon } from '../support/page/page-of-daemon.ts'
import { call } from '../support/stratad/call.ts'
import { masterToken } from '../support/stratad/daemon.ts'
import { createProject, deploy, type Project, rowOf } from '../support/stratad/project.ts'

/** Above the six connections that a browser has to one origin over HTTP/1.1. */
const tabs = 8

describe.skipIf(!hasBrowser)(`the page in many tabs of one browser${browserReason}`, () => {
  let site: PageOfDaemon
  let shop: Project

  beforeAll(async () => {
    site = await startPageOfDaemon()
    shop = await createProject(site.daemon, 'shop', chattyApp)
    expect((await deploy(site.daemon, shop)).status).toBe(201)
  })

  afterAll(() => site?.stop())

  /** Opens a tab of the browser of `context`. */
  async function openTab(context: BrowserContext, path = '/'): Promise<Page> {
    const page = await context.newPage()
    await page.goto(`http://127.0.0.1:${site.daemon.port}${path}`)
    return page
  }

  async function newContext(): Promise<BrowserContext> {
    const context = await site.browser.newContext()
    await context.addInitScript(`sessionStorage.setItem('strata-token', '${masterToken}')`)
    return context
  }

  const shows = (page: Page, state: string) =>
    page.getByRole('cell', { name: state }).first().waitFor()

  test('shows its data and its changes in each of them, and goes on when one is closed', async () => {
    const context = await newContext()
    const pages: Page[] = []
    for (let tab = 0; tab < tabs; tab += 1) pages.push(await openTab(context))
    for (const page of pages) await shows(page, 'Running')
    const { id } = await rowOf(site.daemon, shop)
    await call(site.daemon, 'POST', `/environments/${id}/pause`)
    for (const page of pages) await shows(page, 'Paused')
    const [first, ...others] = pages
    await first?.close()
    await call(site.daemon, 'POST', `/environments/${id}/wake`)
    for (const page of others) await shows(page, 'Running')
    await context.close()
  })

  test('gives up the connection to a log that nobody sees, and continues after its last line', async () => {
    const context = await newContext()
    const { id } = await rowOf(site.daemon, shop)
    const path = `/environments/${id}`
    // Headless browsers show all tabs.
    const show = `(state) => {
      Object.defineProperty(document, 'visibilityState', { value: state, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    }`
    const line = (page: Page, text: string) =>
      page.getByRole('log').getByText(text, { exact: true })
    await say(site.daemon, shop, ['before'])
    const hidden: Page[] = []
    for (let tab = 0; tab < tabs; tab += 1) {
      const page = await context.newPage()
      await page.addInitScript(`(${show})('hidden')`)
      await page.goto(`http://127.0.0.1:${site.daemon.port}${path}`)
      hidden.push(page)
    }
    const page = await openTab(context, path)
    await line(page, 'before').waitFor()
    await say(site.daemon, shop, ['while hidden'])
    await line(page, 'while hidden').waitFor()
    const [first] = hidden
    await first?.evaluate(`(${show})('visible')`)
    if (first) {
      await line(first, 'while hidden').waitFor()
      expect(await line(first, 'before').count()).toBe(1)
    }
    await context.close()
  })
})
