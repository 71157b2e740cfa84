import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  browserReason,
  hasBrowser,
  keepScreenshots,
  tooWideAt,
  violationsOf,
} from '../support/page/browser.ts'
import { chattyApp } from '../support/page/chatty-app.ts'
import { type PageOfDaemon, startPageOfDaemon } from '../support/page/page-of-daemon.ts'
import { visit } from '../support/stratad/call.ts'
import { createProject, deploy, type Project, rowOf } from '../support/stratad/project.ts'

/** A worker that writes hostile lines: markup, and a link of a terminal (OSC 8). */
const hostileLine =
  '<img src=x onerror=alert(1)> \\u001b]8;;javascript:alert(2)\\u0007click\\u001b]8;;\\u0007'

const files = {
  ...chattyApp,
  'worker.js': `console.log('worker waits ${hostileLine}'); setInterval(() => {}, 1000)`,
  'strata.json': JSON.stringify({
    deploy: {
      processes: { worker: 'node worker.js', broken: ['node', '-e', 'process.exit(3)'] },
      cron: [
        { name: 'often', schedule: '* * * * *', command: ['node', '-e', 'process.exit(5)'] },
        {
          name: 'nightly',
          schedule: '30 2 * * *',
          timezone: 'Europe/Berlin',
          command: ['node', '<img/src/onerror=alert(3)>', 'ab\u202Edcba'],
        },
      ],
    },
  }),
}

describe.skipIf(!hasBrowser)(`processes, schedules and the week${browserReason}`, () => {
  let site: PageOfDaemon
  let project: Project
  let id: number

  beforeAll(async () => {
    site = await startPageOfDaemon()
    project = await createProject(site.daemon, 'shop', files)
    expect((await deploy(site.daemon, project)).status).toBe(201)
    id = (await rowOf(site.daemon, project)).id
    for (let count = 0; count < 12; count += 1) await visit(site.daemon, project.host())
  })

  afterAll(() => site?.stop())

  test('are shown with their states, their next runs and their last runs', async () => {
    const { page, complaints } = await site.open(`/environments/${id}?tab=processes`)
    const processes = page.getByRole('table', { name: 'Processes' })
    await processes.getByRole('row').filter({ hasText: 'worker' }).getByText('Running').waitFor()
    const broken = processes.getByRole('row').filter({ hasText: 'broken' })
    await broken.getByText('Restarting').waitFor()
    await broken.locator('.note').waitFor()
    const schedules = page.getByRole('table', { name: 'Schedules' })
    const nightly = schedules.getByRole('row').filter({ hasText: 'nightly' })
    await nightly.getByText('Europe/Berlin').waitFor()
    await nightly.getByText('node <img/src/onerror=alert(3)> ab\uFFFDdcba').waitFor()
    await nightly.getByText('None yet').waitFor()
    // A schedule of each minute has run after a minute at most; the page asks every 15 seconds.
    const often = schedules.getByRole('row').filter({ hasText: 'often' })
    await often
      .getByText(/xit(ed with)? code 5/)
      .first()
      .waitFor({ timeout: 120_000 })
    expect(await page.locator('main img').count()).toBe(0)
    expect(await violationsOf(page)).toEqual([])
    expect(await tooWideAt(page, 320, 768, 1440, 2560)).toEqual([])
    await keepScreenshots(page, 'environment-processes')
    expect(complaints).toEqual([])
  })

  test('lead to the log of a process, whose lines are text', async () => {
    const { page, complaints } = await site.open(`/environments/${id}?tab=processes`)
    await page.getByRole('link', { name: 'Log of worker' }).click()
    const log = page.getByRole('log')
    await log.getByText('worker waits <img src=x onerror=alert(1)> click').waitFor()
    expect(await log.locator('a, img').count()).toBe(0)
    const select = page.getByLabel('Process', { exact: true })
    expect(await select.inputValue()).toBe('worker')
    expect(await violationsOf(page)).toEqual([])
    expect(await tooWideAt(page, 320, 768)).toEqual([])
    await keepScreenshots(page, 'environment-log-of-worker')
    await select.selectOption('')
    await log.getByText('listening').waitFor()
    expect(new URL(page.url()).search).toBe('')
    expect(complaints).toEqual([])
  })

  test('the week shows requests, errors, latency and use of the branch', async () => {
    const { page, complaints } = await site.open(`/environments/${id}?tab=usage`)
    await page.getByRole('button', { name: 'Seven days' }).click()
    const requests = page.getByRole('img', {
      name: /^Requests over time: [1-9]\d* requests, 0 errors$/,
    })
    await requests.waitFor({ timeout: 90_000 })
    await page.getByRole('img', { name: /^Latency over time: Highest p95: [\d.]+ m?s$/ }).waitFor()
    await page.getByRole('img', { name: /^Memory over time/ }).waitFor()
    await page.getByRole('img', { name: /^Processor over time/ }).waitFor()
    expect(new URL(page.url()).searchParams.get('range')).toBe('week')
    expect(await violationsOf(page)).toEqual([])
    expect(await tooWideAt(page, 320, 768, 1440, 2560)).toEqual([])
    await keepScreenshots(page, 'environment-week')
    await page.getByRole('button', { name: 'Two hours' }).click()
    await requests.waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
  })

  test('an environment without schedules says how to get one', async () => {
    project.repository.git('switch', '--quiet', '--create', 'plain')
    rmSync(join(project.repository.folder, 'strata.json'))
    project.repository.commit({}, 'no schedules')
    expect((await deploy(site.daemon, project, 'plain')).status).toBe(201)
    const plain = await rowOf(site.daemon, project, 'plain')
    const { page } = await site.open(`/environments/${plain.id}?tab=processes`)
    await page.getByText('No schedules').waitFor()
    expect(await violationsOf(page)).toEqual([])
    await keepScreenshots(page, 'environment-no-schedules')
    await page.getByRole('tab', { name: 'Log', exact: true }).click()
    await page.getByRole('log').getByText('listening').waitFor()
    expect(await page.getByLabel('Process', { exact: true }).count()).toBe(0)
  })

  test('a rollback over migrations asks whether the older code can read the data', async () => {
    const newest = '2_note'
    const add = (name: string) =>
      project.repository.commit({ [`prisma/migrations/${name}/migration.sql`]: 'SELECT 1;' })
    project.repository.git('switch', '--quiet', '--create', 'migrated')
    const first = add('1_first')
    expect((await deploy(site.daemon, project, 'migrated')).status).toBe(201)
    const second = add(newest)
    expect((await deploy(site.daemon, project, 'migrated')).status).toBe(201)
    const live = await rowOf(site.daemon, project, 'migrated')
    const { page, complaints } = await site.open(`/environments/${live.id}`)
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: /^Roll back/ }).click()
    const dialog = page.getByRole('dialog')
    const verb = dialog.getByRole('button', { name: `Roll back to ${first.slice(0, 7)}` })
    await verb.click()
    await dialog.getByText('Nothing was changed:').waitFor()
    await dialog.getByText(`prisma/migrations/${newest}`).waitFor()
    expect(await verb.getAttribute('aria-disabled')).toBe('true')
    expect(await violationsOf(page)).toEqual([])
    expect(await tooWideAt(page, 320, 1440)).toEqual([])
    await keepScreenshots(page, 'environment-over-migrations')
    await verb.click({ force: true })
    expect((await rowOf(site.daemon, project, 'migrated')).branch.commit_sha).toBe(second)
    await dialog.getByLabel('The older code can read and write this data').check()
    await verb.click()
    await page.getByText(/The rollback of migrated to .* is queued/).waitFor()
    await expect
      .poll(async () => (await rowOf(site.daemon, project, 'migrated')).branch.commit_sha, {
        timeout: 30_000,
      })
      .toBe(first)
    // The browser reports the refused request itself.
    expect(complaints.filter((each) => !each.includes('409'))).toEqual([])
  })
})
