import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  browserReason,
  hasBrowser,
  keepScreenshots,
  tooWideAt,
  violationsOf,
} from '../support/page/browser.ts'
import { type PageOfDaemon, startPageOfDaemon } from '../support/page/page-of-daemon.ts'
import { call } from '../support/stratad/call.ts'
import { createProject, type Project } from '../support/stratad/project.ts'

const canary = "<img/src=x/onerror=alert('canary')>"

describe.skipIf(!hasBrowser)(`the notifications of a project${browserReason}`, () => {
  let site: PageOfDaemon
  let shop: Project
  let receiver: Server
  let origin: string
  let status = 204
  const bodies: string[] = []

  beforeAll(async () => {
    receiver = createServer((request, response) => {
      let body = ''
      request.on('data', (chunk) => {
        body += chunk
      })
      request.on('end', () => {
        bodies.push(body)
        response.writeHead(status).end()
      })
    })
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
    site = await startPageOfDaemon({ SERVICE_PRIVATE_HOSTS: '127.0.0.1' })
    shop = await createProject(site.daemon, 'shop')
  })

  afterAll(async () => {
    await site?.stop()
    receiver?.close()
  })

  const open = async (options = {}) => {
    const opened = await site.open(`/projects/${shop.id}?tab=notifications`, options)
    const list = opened.page.getByRole('list', { name: 'Receivers of notifications' })
    return { ...opened, list, dialog: opened.page.getByRole('dialog') }
  }

  test('are added by keyboard, tested, fail with the reason, and are removed after a warning', async () => {
    const { page, list, dialog, complaints } = await open()
    await page.getByRole('button', { name: 'Add a receiver' }).press('Enter')
    await dialog.getByLabel('URL').fill(`${origin}/hook`)
    await dialog.getByLabel('An app crashes').press('Space')
    expect(await violationsOf(page)).toEqual([])
    await keepScreenshots(page, 'dialog-notification')
    await dialog.getByLabel('URL').press('Enter')
    await list.getByText(/whsec_/).waitFor()
    await list.getByText('Nothing sent yet').waitFor()
    await list.getByText('A deploy succeeds · A deploy fails · A domain gets').waitFor()
    await list.getByRole('button', { name: 'Send a test' }).press('Enter')
    await list.getByText('The receiver accepted the test with status 204.').waitFor()
    await list.getByText('Delivered', { exact: true }).waitFor()
    expect(JSON.parse(bodies.at(-1) ?? '')).toMatchObject({ type: 'test' })
    status = 503
    await list.getByRole('button', { name: 'Send a test' }).press('Enter')
    await list.getByText(/did not accept the test: .*503/).waitFor()
    await list.getByText('Newest message failed').waitFor()
    expect(await violationsOf(page)).toEqual([])
    expect(await tooWideAt(page, 320, 768, 1440, 2560)).toEqual([])
    await keepScreenshots(page, 'notifications')
    await page.reload()
    await list.getByText('Newest message failed').waitFor()
    expect(await page.getByText(/whsec_/).count()).toBe(0)
    await list.getByRole('button', { name: `Remove ${origin}/hook` }).press('Enter')
    await dialog.getByText('those that wait are dropped').waitFor()
    await dialog.getByRole('button', { name: 'Remove', exact: true }).press('Enter')
    await page.getByText('No receiver of notifications').waitFor()
    // The browser reports the refused test itself.
    expect(complaints.filter((each) => !/\b(422|404)\b/.test(each))).toEqual([])
  })

  test('connect a git host without showing its token, and disconnect it', async () => {
    const { page, dialog } = await open()
    await page.getByRole('button', { name: 'Connect a git host' }).click()
    await dialog.getByLabel('Git host').selectOption('gitea')
    await dialog.getByLabel('API token').fill('token-of-gitea')
    await dialog.getByLabel('Repository').fill('acme/shop')
    await dialog.getByLabel('API address').fill(`${origin}/api/v1`)
    expect(await violationsOf(page)).toEqual([])
    await keepScreenshots(page, 'dialog-statuses')
    await dialog.getByRole('button', { name: 'Connect', exact: true }).click()
    const card = page.getByRole('region', { name: 'Commit statuses' })
    await card.getByText('acme/shop').waitFor()
    await card.getByText(`${origin}/api/v1`).waitFor()
    expect(await page.getByText('token-of-gitea').count()).toBe(0)
    expect(await violationsOf(page)).toEqual([])
    expect(await tooWideAt(page, 320, 1440)).toEqual([])
    await card.getByRole('button', { name: 'Disconnect' }).click()
    await dialog.getByText('The daemon deletes the API token.').waitFor()
    await dialog.getByRole('button', { name: 'Disconnect' }).click()
    await card.getByRole('button', { name: 'Connect a git host' }).waitFor()
    expect((await call(site.daemon, 'GET', `/projects/${shop.id}/statuses`)).status).toBe(404)
  })

  test('show a hostile URL as text, and say which role a viewer lacks', async () => {
    const url = `${origin}/${canary}`
    const added = await call(site.daemon, 'POST', `/projects/${shop.id}/notifications`, { url })
    expect(added.status).toBe(201)
    const alerts: string[] = []
    const prepare = async (page: import('playwright-core').Page) => {
      page.on('dialog', (alert) => {
        alerts.push(alert.message())
        void alert.dismiss()
      })
    }
    const { page, list } = await open({ prepare })
    await list.getByText(canary).first().waitFor()
    expect(await tooWideAt(page, 320, 1440)).toEqual([])
    expect(alerts).toEqual([])
    const viewer = await call(site.daemon, 'POST', '/tokens', { name: 'guest', role: 'viewer' })
    const other = await open({ token: viewer.body.token })
    await other.page
      .getByText(/maintainer/)
      .first()
      .waitFor()
    expect(await other.page.getByText(canary).count()).toBe(0)
  })
})
