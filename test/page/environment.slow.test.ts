import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../support/apps/eventually.ts'
import {
  browserReason,
  hasBrowser,
  keepScreenshots,
  tooWideAt,
  violationsOf,
} from '../support/page/browser.ts'
import { chattyApp } from '../support/page/chatty-app.ts'
import { type PageOfDaemon, startPageOfDaemon } from '../support/page/page-of-daemon.ts'
import { call } from '../support/stratad/call.ts'
import {
  createProject,
  deploy,
  type Project,
  queueBecomesEmpty,
  type Row,
  rowOf,
  rowsOf,
} from '../support/stratad/project.ts'

/** A branch name with hostile markup, right-to-left letters, an emoji and German length. */
const hostileBranch =
  '<img-src=x>/שלום-🚀-Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen-überarbeitet'

describe.skipIf(!hasBrowser)(`the room of an environment${browserReason}`, () => {
  let site: PageOfDaemon
  let project: Project
  let first: string
  let second: string

  beforeAll(async () => {
    site = await startPageOfDaemon()
    project = await createProject(site.daemon, 'chatty', chattyApp)
    first = project.repository.git('rev-parse', 'HEAD')
    expect((await deploy(site.daemon, project)).status).toBe(201)
    second = project.repository.commit({ 'note.txt': 'second' })
    expect((await deploy(site.daemon, project)).status).toBe(201)
  })

  afterAll(() => site?.stop())

  const live = () => rowOf(site.daemon, project)
  const openLive = async (query = '', options = {}) =>
    site.open(`/environments/${(await live()).id}${query}`, options)
  const confirm = (page: Page, name: string | RegExp) =>
    page
      .getByRole('dialog')
      .getByRole('button', { name, exact: typeof name === 'string' })
      .click()
  const state = (page: Page, text: string) =>
    page.locator('.page-header').getByText(text, { exact: true }).waitFor()
  const hasState = (id: number, wanted: string) =>
    eventually(async () => {
      const { body } = await call(site.daemon, 'GET', `/environments/${id}`)
      return body.state === wanted
    }, 20_000)

  test('shows state, address, commit, build output and audit', async () => {
    const { page, complaints } = await openLive()
    await page.getByRole('heading', { name: 'main' }).waitFor()
    await state(page, 'Running')
    const { public_port: port, url } = await live()
    expect(await page.getByRole('link', { name: url }).getAttribute('href')).toBe(
      `http://${url}:${port}`,
    )
    await page.getByText(second.slice(0, 7), { exact: true }).waitFor()
    await page.getByRole('tab', { name: 'Build output' }).click()
    await page.getByRole('log').getByText('build step 40 of 40').waitFor()
    await page.getByText('Ended', { exact: true }).waitFor()
    expect(await page.getByRole('log').getByText('listening').count()).toBe(0)
    expect(new URL(page.url()).search).toBe('?tab=build')
    expect(await violationsOf(page)).toEqual([])
    await keepScreenshots(page, 'environment-build')
    await page.getByRole('tab', { name: 'Audit' }).click()
    await page.getByRole('table').getByText('Deployed', { exact: true }).waitFor()
    expect(await violationsOf(page)).toEqual([])
    await keepScreenshots(page, 'environment-audit')
    expect(complaints).toEqual([])
  })

  test('shows the use of memory and processor over time, with the limits', async () => {
    const { page, complaints } = await openLive('?tab=usage')
    const memory = page.getByRole('img', {
      name: /^Memory over time: now [\d.]+ MiB of [\d.]+ .iB/,
    })
    // The daemon takes a sample every 15 seconds.
    await memory.waitFor({ timeout: 60_000 })
    await page.getByRole('img', { name: /^Processor over time/ }).waitFor()
    expect(await memory.locator('canvas').count()).toBe(1)
    expect(await violationsOf(page)).toEqual([])
    expect(await tooWideAt(page, 320, 768, 2560)).toEqual([])
    await keepScreenshots(page, 'environment-usage')
    expect(complaints).toEqual([])
  })

  test('pauses the app after saying what that does, and takes it back', async () => {
    const { id } = await live()
    const { page, complaints } = await openLive()
    await page.getByRole('button', { name: 'Pause', exact: true }).first().click()
    await page.getByText('That request waits until the app is healthy.').waitFor()
    expect(await violationsOf(page)).toEqual([])
    await keepScreenshots(page, 'environment-pause')
    await confirm(page, 'Pause')
    await state(page, 'Paused')
    await page.getByText('The app sleeps and uses no memory.').waitFor()
    expect(await hasState(id, 'paused')).toBe(true)
    await page.getByRole('button', { name: 'Undo' }).click()
    await state(page, 'Running')
    expect(await hasState(id, 'running')).toBe(true)
    expect(complaints).toEqual([])
  })

  test('wakes a sleeping app by keyboard alone', async () => {
    const { id } = await live()
    await call(site.daemon, 'POST', `/environments/${id}/pause`)
    const { page } = await openLive()
    await page.getByRole('button', { name: 'Wake', exact: true }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Wake', exact: true }).focus()
    await page.keyboard.press('Enter')
    await state(page, 'Running')
    expect(await hasState(id, 'running')).toBe(true)
  })

  test('rolls back to an earlier commit, and forward again by undo', async () => {
    const { page, complaints } = await openLive()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: /^Roll back/ }).click()
    await page.getByText('The data of the branch stays as it is').waitFor()
    await keepScreenshots(page, 'environment-rollback')
    await confirm(page, `Roll back to ${first.slice(0, 7)}`)
    await page
      .getByText(/is queued/)
      .first()
      .waitFor()
    expect(await servesSha(first)).toBe(true)
    await page.getByRole('button', { name: 'Undo the rollback' }).click()
    expect(await servesSha(second)).toBe(true)
    expect(complaints).toEqual([])
  })

  test('leads from an earlier deploy to the live one, and rolls back to it', async () => {
    const [earliest] = (await rowsOf(site.daemon, project)) as [Row]
    const { page } = await site.open(`/environments/${earliest.id}`)
    await state(page, 'Destroyed')
    await page.getByRole('link', { name: 'show it' }).waitFor()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: /^Roll back/ }).click()
    await confirm(page, `Roll back to ${first.slice(0, 7)}`)
    expect(await servesSha(first)).toBe(true)
  })

  test('shows why a deploy failed, and the output of its build', async () => {
    project.repository.commit({ 'build.js': 'console.error("no such module"); process.exit(7)' })
    expect((await deploy(site.daemon, project)).status).toBe(422)
    const failed = (await rowsOf(site.daemon, project)).at(-1)
    const { page, complaints } = await site.open(`/environments/${failed.id}`)
    await state(page, 'Build failed')
    await page.getByRole('log').getByText('no such module').waitFor()
    await page.locator('.environment-note-bad').waitFor()
    expect(await violationsOf(page)).toEqual([])
    await keepScreenshots(page, 'environment-failed')
    expect(complaints).toEqual([])
    project.repository.commit({ 'build.js': chattyApp['build.js'] ?? '' }, 'mended')
  })

  test('refuses actions to a viewer, and names the role that they need', async () => {
    const { body } = await call(site.daemon, 'POST', '/tokens', { name: 'guest', role: 'viewer' })
    const { page } = await openLive('', { token: body.token })
    await state(page, 'Running')
    const pause = page.getByRole('button', { name: /^Pause\s*: This needs the role developer/ })
    await pause.waitFor()
    await pause.click({ force: true })
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  test('shows a hostile branch name as text, and fits all widths', async () => {
    project.repository.git('checkout', '--quiet', '-b', hostileBranch, first)
    expect((await deploy(site.daemon, project, hostileBranch)).status).toBe(201)
    const { id } = await rowOf(site.daemon, project, hostileBranch)
    const { page, complaints } = await site.open(`/environments/${id}`)
    await page.getByRole('heading', { name: hostileBranch }).waitFor()
    expect(await page.locator('main img').count()).toBe(0)
    expect(await tooWideAt(page, 320, 360, 768, 2560)).toEqual([])
    await keepScreenshots(page, 'environment-hostile')
    expect(complaints).toEqual([])
  })

  test('destroys an environment, says where its data goes, and brings it back by a deploy', async () => {
    const { id } = await live()
    const { page } = await site.open(`/environments/${id}`)
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: /^Destroy/ }).click()
    await page.getByText('Its data goes to the trash for 30 days.').waitFor()
    expect(await violationsOf(page)).toEqual([])
    await keepScreenshots(page, 'environment-destroy')
    await confirm(page, 'Destroy')
    await state(page, 'Destroyed')
    await page.getByText('Nothing serves this branch now.').waitFor()
    await page.getByRole('button', { name: 'Deploy again' }).click()
    expect(await servesSha(project.repository.git('rev-parse', 'main'))).toBe(true)
  })

  test('removes data for good only after the name of the branch was typed', async () => {
    const { id } = await live()
    const { page } = await site.open(`/environments/${id}`)
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: /^Destroy/ }).click()
    await page.getByLabel('Remove its data for good').check()
    await page.getByText('Nothing brings it back.').waitFor()
    const destroy = page.getByRole('dialog').getByRole('button', { name: 'Destroy', exact: true })
    await destroy.click({ force: true })
    await page.getByLabel('Name').fill('mai')
    await page.keyboard.press('Enter')
    expect((await call(site.daemon, 'GET', `/environments/${id}`)).body.state).toBe('running')
    await page.getByLabel('Name').fill('main')
    await confirm(page, 'Destroy')
    await state(page, 'Destroyed')
    const trash = (await call(site.daemon, 'GET', '/trash')).body
    expect(trash.filter((entry: Row) => entry.branch === 'main')).toEqual([])
  })

  test('says that an environment does not exist', async () => {
    const { page } = await site.open('/environments/99999')
    await page.getByText('No environment 99999.').waitFor()
    await keepScreenshots(page, 'environment-absent')
  })

  async function servesSha(sha: string): Promise<boolean> {
    const isLive = await eventually(async () => {
      const row = await live()
      return row.state === 'running' && row.branch.commit_sha === sha
    }, 30_000)
    return isLive && (await queueBecomesEmpty(site.daemon))
  }
})
