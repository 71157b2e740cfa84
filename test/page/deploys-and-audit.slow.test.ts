import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../support/apps/eventually.ts'
import {
  browserReason,
  hasBrowser,
  keepScreenshots,
  tooWideAt,
  violationsOf,
} from '../support/page/browser.ts'
import { type PageOfDaemon, startPageOfDaemon } from '../support/page/page-of-daemon.ts'
import { call } from '../support/stratad/call.ts'
import { plainApp } from '../support/stratad/plain-app.ts'
import { createProject, deploy, type Project, type Row } from '../support/stratad/project.ts'

/** An app whose build prints a line and never ends. */
const endlessApp: Readonly<Record<string, string>> = {
  ...plainApp,
  'package.json': JSON.stringify({ name: 'slow', scripts: { build: 'node build.js' } }),
  'build.js': `console.log('build waits'); setInterval(() => {}, 1000)`,
}

describe.skipIf(!hasBrowser)(`the rooms of deploys and audit${browserReason}`, () => {
  let site: PageOfDaemon
  let slow: Project
  let quick: Project

  beforeAll(async () => {
    site = await startPageOfDaemon({ SERVICE_DEPLOY_CONCURRENCY: '1' })
    quick = await createProject(site.daemon, 'quick')
    slow = await createProject(site.daemon, 'slow', endlessApp)
    expect((await deploy(site.daemon, quick)).status).toBe(201)
    quick.repository.git('checkout', '--quiet', '-b', 'broken')
    quick.repository.commit({ 'server.js': 'console.error("no such luck"); process.exit(7)' })
    expect((await deploy(site.daemon, quick, 'broken')).status).toBe(422)
  })

  afterAll(() => site?.stop())

  const request = (project: Project, branch: string) =>
    call(
      site.daemon,
      'POST',
      `/projects/${project.id}/deploy`,
      { branch },
      { headers: { prefer: 'respond-async' } },
    )

  test('show what is built now, what waits, and what failed and why', async () => {
    for (const branch of ['main', 'broken']) {
      if (branch === 'main') expect((await request(slow, 'main')).status).toBe(202)
      else expect((await request(quick, branch)).status).toBe(202)
    }
    const { page, complaints } = await site.open('/deploys')
    const running = page.getByRole('table', { name: 'Running deploys' })
    await running.getByRole('link', { name: 'slow' }).waitFor()
    const waiting = page.getByRole('table', { name: 'Waiting deploys' })
    await waiting.getByText('broken').waitFor()
    const finished = page.getByRole('table', { name: 'Finished deploys' })
    await finished.getByText('Deploy failed').waitFor()
    await finished
      .getByText(/no such luck|exit code 7|code 7/)
      .first()
      .waitFor()
    expect(await violationsOf(page)).toEqual([])
    expect(await tooWideAt(page, 320, 768, 1440, 2560)).toEqual([])
    await keepScreenshots(page, 'deploys')
    await running.getByRole('link', { name: 'Build output' }).click()
    await page.getByRole('log').getByText('build waits').waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
    expect(complaints).toEqual([])
  })

  test('remove a waiting deploy, and bring it back by undo', async () => {
    const { page } = await site.open('/deploys')
    await page.getByRole('button', { name: 'Remove' }).click()
    await page.getByText('What serves the branch now goes on.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('The queue is empty.').waitFor()
    expect(await waitingBranches()).toEqual([])
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('table', { name: 'Waiting deploys' }).getByText('broken').waitFor()
    expect(await waitingBranches()).toEqual(['broken'])
  })

  test('cancel a running deploy, and go on with the next one', async () => {
    const { page } = await site.open('/deploys')
    await page.getByRole('link', { name: 'Build output' }).click()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: /^Cancel the deploy/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel the deploy' }).click()
    await page.locator('.page-header').getByText('Destroyed', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Deploys' }).click()
    await page.getByText('Nothing is being deployed.').waitFor()
    await page.getByText('The queue is empty.').waitFor()
  })

  test('filter the audit by project, branch, event and time, and keep the filters in the address', async () => {
    const { page, complaints } = await site.open('/audit')
    const table = page.getByRole('table', { name: 'Audit entries' })
    await table.getByText('Project added').first().waitFor()
    expect(await violationsOf(page)).toEqual([])
    expect(await tooWideAt(page, 320, 768, 1440, 2560)).toEqual([])
    await keepScreenshots(page, 'audit')
    await page.getByLabel('Event').selectOption({ label: 'Deploy failed' })
    await table.getByText('Project added').first().waitFor({ state: 'detached' })
    await page.getByLabel('Project').selectOption({ label: 'quick' })
    await page.getByLabel('Branch').fill('broken')
    await page.waitForURL(/branch=broken/)
    await table.getByText('Deploy failed').first().waitFor()
    const address = new URL(page.url())
    expect(Object.fromEntries(address.searchParams)).toEqual({
      kind: 'build_failed',
      project: String(quick.id),
      branch: 'broken',
    })
    const { page: sent } = await site.open(address.pathname + address.search)
    await sent.getByRole('table').getByText('Deploy failed').first().waitFor()
    expect(await sent.getByLabel('Branch').inputValue()).toBe('broken')
    await page.getByLabel('To').fill('2020-01-01T00:00')
    await page.getByText('No entry matches the filters').waitFor()
    await keepScreenshots(page, 'audit-empty')
    await page.getByRole('button', { name: 'Clear the filters' }).click()
    await table.getByText('Project added').first().waitFor()
    expect(new URL(page.url()).search).toBe('')
    expect(complaints).toEqual([])
  })

  test('fold the filters of the audit on a phone, and count those that are set', async () => {
    const { page } = await site.open('/audit?kind=build_failed', { width: 320, height: 640 })
    const fold = page.getByRole('button', { name: 'Filters (1)' })
    await fold.waitFor()
    await page.getByRole('table').getByText('Deploy failed').first().waitFor()
    expect(await page.getByLabel('Branch').isVisible()).toBe(false)
    await fold.press('Enter')
    await page.getByLabel('Branch').waitFor()
    expect(await fold.getAttribute('aria-expanded')).toBe('true')
    expect(await violationsOf(page)).toEqual([])
    await page.setViewportSize({ width: 1440, height: 900 })
    await fold.waitFor({ state: 'hidden' })
    await page.getByLabel('Branch').waitFor()
  })

  test('page through the audit without a missing or repeated entry', async () => {
    for (let at = 0; at < 70; at += 1) {
      const secret = { name: `NAME_${at}`, value: 'x', scope: 'global' }
      expect((await call(site.daemon, 'POST', '/secrets', secret)).status).toBe(204)
    }
    const all = (await call(site.daemon, 'GET', '/audit?limit=1000')).body
    const { page } = await site.open('/audit')
    const rows = page.getByRole('table', { name: 'Audit entries' }).locator('tbody tr')
    await eventually(async () => (await rows.count()) === 50, 10_000)
    let seen = await rows.count()
    await page.getByRole('button', { name: 'Older entries' }).click()
    await page.getByRole('button', { name: 'Newest entries' }).waitFor()
    const expected = Math.min(50, all.length - 50)
    expect(await eventually(async () => (await rows.count()) === expected, 10_000)).toBe(true)
    seen += await rows.count()
    expect(seen).toBe(Math.min(100, all.length))
    await page.goBack()
    expect(await eventually(async () => (await rows.count()) === 50, 10_000)).toBe(true)
  })

  async function waitingBranches(): Promise<string[]> {
    const { body } = await call(site.daemon, 'GET', '/queue')
    return body.filter((row: Row) => row.state === 'waiting').map((row: Row) => row.branch)
  }
})
