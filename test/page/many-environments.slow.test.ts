import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { browserReason, hasBrowser, keepScreenshots, tooWideAt } from '../support/page/browser.ts'
import { answerWithMany, type ManyEnvironments } from '../support/page/many-environments.ts'
import { type PageOfDaemon, startPageOfDaemon } from '../support/page/page-of-daemon.ts'
import { call } from '../support/stratad/call.ts'
import { createProject, deploy, type Project, rowOf } from '../support/stratad/project.ts'

describe.skipIf(!hasBrowser)(`the overview of 1,000 environments${browserReason}`, () => {
  let site: PageOfDaemon
  let project: Project

  beforeAll(async () => {
    site = await startPageOfDaemon()
    project = await createProject(site.daemon)
    expect((await deploy(site.daemon, project)).status).toBe(201)
  })

  afterAll(() => site?.stop())

  async function openMany(width = 1440) {
    let many: ManyEnvironments | undefined
    const opened = await site.open('/', {
      width,
      prepare: async (page) => {
        many = await answerWithMany(page, 1_000)
      },
    })
    await opened.page.getByRole('link', { name: 'branch-1', exact: true }).waitFor()
    if (!many) throw new Error('prepare did not run')
    return { ...opened, many }
  }

  const rowCount = 'document.querySelectorAll("tbody tr").length'

  test('draws few rows first, and all rows of the list on the way down', async () => {
    const { page, complaints } = await openMany()
    expect(Number(await page.evaluate(rowCount))).toBeLessThan(200)
    await expect
      .poll(
        async () => {
          await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
          return page.evaluate(rowCount)
        },
        { timeout: 60_000 },
      )
      .toBe(1_000)
    await page.getByRole('link', { name: 'feature/a-rather-long-name-of-a-branch-994' }).waitFor()
    expect(complaints).toEqual([])
  })

  test('changes only the row of the environment that has changed', async () => {
    const { page, many } = await openMany()
    await page.evaluate(
      'window.changed = new Set(); new MutationObserver((list) => { for (const { target } of list) { const row = (target.nodeType === 1 ? target : target.parentElement).closest("tr"); if (row) changed.add(row.textContent.slice(0, 20)) } }).observe(document.querySelector("tbody"), { subtree: true, childList: true, attributes: true })',
    )
    many.change(1, { state: 'hibernating' })
    // An event of the real daemon lets the page load the list again.
    const { id } = await rowOf(site.daemon, project)
    expect((await call(site.daemon, 'POST', `/environments/${id}/pause`)).status).toBe(204)
    await page.getByText('Hibernating').waitFor()
    // The first row has the id of the real environment: its use of memory may change too.
    const changed = (await page.evaluate('[...changed]')) as string[]
    expect(changed.filter((text) => !text.startsWith('branch-1p'))).toHaveLength(1)
  })

  test('finds environments that are not drawn yet', async () => {
    const { page } = await openMany()
    const search = page.getByLabel('Search environments')
    await search.fill('paused project-36')
    await page.getByRole('link', { name: 'branch-1', exact: true }).waitFor({ state: 'detached' })
    const states = await page.locator('tbody .badge').allTextContents()
    expect(new Set(states)).toEqual(new Set(['Paused']))
    await search.fill('branch-998')
    await page.getByRole('link', { name: 'branch-998', exact: true }).waitFor()
    expect(await page.evaluate(rowCount)).toBe(1)
    await search.fill('nothing like this')
    await page.getByText('No environment matches your search').waitFor()
  })

  test('fits every width', async () => {
    const { page } = await openMany(360)
    expect(await tooWideAt(page, 320, 768, 1440, 2560)).toEqual([])
    await keepScreenshots(page, 'overview-many')
  })
})
