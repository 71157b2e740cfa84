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
import { createProject, deploy, type Project } from '../support/stratad/project.ts'

const branches = [
  '<img/src/onerror=alert(1)>',
  '"><svg/onload=alert(1)>',
  "javascript-'-alert(1)-'",
  'ענף-עם-שם-עברי',
  '🚀-ship-it-👩‍👩‍👧‍👦',
  'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft',
]

describe.skipIf(!hasBrowser)(`names from repositories${browserReason}`, () => {
  let site: PageOfDaemon
  let project: Project

  beforeAll(async () => {
    site = await startPageOfDaemon()
    project = await createProject(site.daemon, 'shop<b>')
    for (const branch of branches) {
      project.repository.git('branch', branch)
      expect((await deploy(site.daemon, project, branch)).status).toBe(201)
    }
    project.repository.git('branch', 'broken<i>')
    project.repository.git('switch', '--quiet', 'broken<i>')
    const crash = 'console.log("\\u001b[31m<img src=x onerror=alert(2)>"); process.exit(1)'
    project.repository.commit({ 'server.js': crash })
    expect((await deploy(site.daemon, project, 'broken<i>')).status).toBe(422)
  })

  afterAll(() => site?.stop())

  test.each([
    '/',
    '/projects',
    '/projects/1',
    '/projects/1?tab=secrets',
    '/projects/1?tab=webhooks',
    '/projects/1?tab=notifications',
    '/environments/1?tab=processes',
    '/environments/1?tab=usage&range=week',
  ])('are text on %s, at every width', async (path) => {
    const dialogs: string[] = []
    const { page, complaints } = await site.open(path, {
      prepare: async (page) => {
        page.on('dialog', (dialog) => {
          dialogs.push(dialog.message())
          void dialog.dismiss()
        })
      },
    })
    await page.getByText('shop').first().waitFor()
    await page.locator('main .skeleton').first().waitFor({ state: 'detached' })
    if (path === '/projects/1' || path === '/') {
      for (const name of branches) await page.getByText(name, { exact: true }).first().waitFor()
    }
    expect(await page.evaluate('document.querySelectorAll("img, iframe, b, i").length')).toBe(0)
    expect(await page.evaluate('document.querySelectorAll("svg[onload]").length')).toBe(0)
    expect(await tooWideAt(page, 320, 768, 1440)).toEqual([])
    expect(await violationsOf(page)).toEqual([])
    if (path === '/') await keepScreenshots(page, 'overview-names')
    expect(dialogs).toEqual([])
    // The API answers 404 for a project without commit statuses, which the browser reports itself.
    const isExpected = (text: string) => path.endsWith('notifications') && /\b404\b/.test(text)
    expect(complaints.filter((each) => !isExpected(each))).toEqual([])
  })

  test('act on the branch that they name', async () => {
    const [name = ''] = branches
    const { page } = await site.open('/projects/1')
    await page.getByRole('button', { name: `Actions for ${name}` }).click()
    await page.getByRole('menuitem', { name: 'Pause' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click()
    await page.getByText(`${name} is paused.`).waitFor()
    const path = `/projects/1/environments?branch=${encodeURIComponent(name)}`
    expect((await call(site.daemon, 'GET', path)).body.at(-1).state).toBe('paused')
  })
})
