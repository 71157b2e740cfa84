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
import { createRepository } from '../support/stratad/plain-app.ts'
import { createProject, deploy } from '../support/stratad/project.ts'

describe.skipIf(!hasBrowser)(`the overview${browserReason}`, () => {
  let site: PageOfDaemon

  beforeAll(async () => {
    site = await startPageOfDaemon()
  })

  afterAll(() => site?.stop())

  test('shows the three commands before the first project', async () => {
    const { page, complaints } = await site.open()
    await page.getByText(`strata login http://127.0.0.1:${site.daemon.port}`).waitFor()
    await page.getByText('strata up', { exact: true }).waitFor()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy the third command' }).click()
    await page.getByText('Copied').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('strata up')
    await keepScreenshots(page, 'overview-empty')
    expect(await violationsOf(page)).toEqual([])
    expect(complaints).toEqual([])
  })

  test('registers a project, shows the reason of a refusal, and opens its room', async () => {
    const { folder } = createRepository(`${site.daemon.dataDir}/repositories/first`)
    const { page, complaints } = await site.open()
    await page.getByRole('button', { name: 'Register a project' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('URL').fill('ftp://example.com/x.git')
    expect(await violationsOf(page)).toEqual([])
    await keepScreenshots(page, 'dialog-register')
    await dialog.getByRole('button', { name: 'Register' }).click()
    await dialog.getByRole('alert').waitFor()
    expect(await dialog.getByRole('alert').textContent()).toMatch(/request [0-9a-f-]{8}/)
    // The browser reports the refused request.
    expect(complaints.splice(0).filter((text) => !text.includes('400'))).toEqual([])
    await dialog
      .getByLabel('Repository', { exact: true })
      .selectOption('in a folder on the host of the daemon')
    await dialog.getByLabel('Folder', { exact: true }).fill(folder)
    await dialog.getByRole('button', { name: 'Register' }).click()
    await page.getByRole('heading', { name: 'first' }).waitFor()
    await page.getByText('No branch is live').waitFor()
    expect(complaints).toEqual([])
  })

  test('shows live environments, the failed deploy and the addresses', async () => {
    const shop = await createProject(site.daemon, 'shop')
    expect((await deploy(site.daemon, shop)).status).toBe(201)
    shop.repository.git('switch', '--quiet', '--create', 'broken')
    shop.repository.commit({ 'server.js': 'process.exit(1)' })
    expect((await deploy(site.daemon, shop, 'broken')).status).toBe(422)
    const { page, complaints } = await site.open()
    const failures = page.getByRole('region', { name: 'Failed last' })
    await failures.getByRole('link', { name: 'shop / broken' }).waitFor()
    const link = page.getByRole('link', { name: shop.host() })
    const address = `http://${shop.host()}:${site.daemon.gatewayPort}`
    expect(await link.getAttribute('href')).toBe(address)
    expect(await link.getAttribute('rel')).toContain('noopener')
    await page.getByLabel('Search environments').fill('shop paused')
    await page.getByText('No environment matches your search').waitFor()
    await page.getByLabel('Search environments').fill('')
    expect(await violationsOf(page)).toEqual([])
    await keepScreenshots(page, 'overview')
    expect(await tooWideAt(page, 320, 768, 2560)).toEqual([])
    expect(complaints).toEqual([])
  })

  test('lists projects, and sets a global secret', async () => {
    const { page, complaints } = await site.open('/projects')
    await page.getByRole('link', { name: 'shop' }).waitFor()
    expect(await violationsOf(page)).toEqual([])
    await keepScreenshots(page, 'projects')
    await page.getByRole('link', { name: 'Global secrets' }).click()
    await page.getByRole('button', { name: 'Set a secret' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('1BAD')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('alert').waitFor()
    expect(complaints.splice(0).filter((text) => !text.includes('400'))).toEqual([])
    await dialog.getByLabel('Name').fill('REGION')
    await dialog.getByLabel('Value').fill('eu')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('cell', { name: 'REGION' }).waitFor()
    expect((await call(site.daemon, 'GET', '/secrets')).body.secrets).toEqual([
      { name: 'REGION', scope: 'global' },
    ])
    await keepScreenshots(page, 'secrets')
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Delete' }).click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No secret in this scope').waitFor()
    expect(complaints).toEqual([])
  })
})
