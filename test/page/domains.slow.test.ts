import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DnsServer, startDnsServer } from '../support/acme/dns-server.ts'
import { freePort } from '../support/free-port.ts'
import {
  browserReason,
  hasBrowser,
  keepScreenshots,
  tooWideAt,
  violationsOf,
} from '../support/page/browser.ts'
import { type PageOfDaemon, startPageOfDaemon } from '../support/page/page-of-daemon.ts'
import { createProject, type Project } from '../support/stratad/project.ts'

const ip = '203.0.113.7'

describe.skipIf(!hasBrowser)(`the domains of a project${browserReason}`, () => {
  let dns: DnsServer
  let site: PageOfDaemon
  let shop: Project

  beforeAll(async () => {
    dns = await startDnsServer()
    site = await startPageOfDaemon({
      SERVICE_PUBLIC_ADDRESSES: ip,
      SERVICE_DOMAINS_RESOLVER: dns.address,
      SERVICE_GATEWAY_TLS_ADDR: `127.0.0.1:${await freePort()}`,
      SERVICE_ACME_DIRECTORY: `https://localhost:${await freePort()}/dir`,
    })
    shop = await createProject(site.daemon, 'shop')
  })

  afterAll(async () => {
    await site?.stop()
    dns?.close()
  })

  test('are added once they lead here, explain trouble, and are removed after a warning', async () => {
    const { page, complaints } = await site.open(`/projects/${shop.id}?tab=domains`)
    await page.getByText('No domains of your own').waitFor()
    await page.getByRole('button', { name: 'Add a domain' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Domain').fill('Shop.Example.com')
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    const waiting = dialog.getByRole('region', { name: 'Waiting for DNS' })
    await waiting.getByText(`shop.example.com. A ${ip}`).waitFor()
    expect(await violationsOf(page)).toEqual([])
    await keepScreenshots(page, 'domains-waiting')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    const list = page.getByRole('list', { name: 'Domains' })
    await list.getByText('Waiting for DNS').waitFor()
    await list.getByText('DNS has no address for it.').waitFor()
    await list.getByText(`shop.example.com. A ${ip}`).waitFor()
    expect(await violationsOf(page)).toEqual([])
    expect(await tooWideAt(page, 320, 360, 1440)).toEqual([])
    await keepScreenshots(page, 'domains-waiting-list')
    await list.getByRole('button', { name: 'Try again now' }).click()
    await list.getByText('Still waiting: DNS has no address for it.').waitFor()
    dns.setAddress(ip)
    await list.getByRole('button', { name: 'Try again now' }).click()
    await list.getByText(/localhost:\d+ can not be reached/).waitFor()
    await list.getByText('Trouble', { exact: true }).waitFor()
    expect(await violationsOf(page)).toEqual([])
    expect(await tooWideAt(page, 320, 360, 1440)).toEqual([])
    await keepScreenshots(page, 'domains-trouble')
    await list.getByRole('button', { name: 'Try again now' }).click()
    await page.getByText('The daemon asks for a certificate of shop.example.com now.').waitFor()
    await list.getByRole('button', { name: 'Try again now' }).click()
    await list.getByText(/limits failures: try again in 12 min/).waitFor()
    await list.getByRole('button', { name: 'Remove shop.example.com' }).click()
    await dialog.getByText('Visitors of this name get a 404 at once.').waitFor()
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByText('No domains of your own').waitFor()
    // The browser reports the refused request itself.
    expect(complaints.filter((each) => !/\b(422|429)\b/.test(each))).toEqual([])
  })
})
