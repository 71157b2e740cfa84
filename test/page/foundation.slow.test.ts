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
import { masterToken } from '../support/stratad/daemon.ts'
import { createProject, deploy } from '../support/stratad/project.ts'

describe.skipIf(!hasBrowser)(`the page${browserReason}`, () => {
  let site: PageOfDaemon

  beforeAll(async () => {
    site = await startPageOfDaemon()
    const project = await createProject(site.daemon)
    expect((await deploy(site.daemon, project)).status).toBe(201)
  })

  afterAll(() => site?.stop())

  test('asks for a token, and shows the overview after a sign-in', async () => {
    const { page, complaints } = await site.open('/', { token: null })
    await page.getByRole('heading', { name: 'Sign in to Strata' }).waitFor()
    expect(await page.getByLabel('Token').evaluate((field) => field.matches(':focus'))).toBe(true)
    await keepScreenshots(page, 'sign-in')
    expect(await violationsOf(page)).toEqual([])
    await page.getByLabel('Token').fill('a-wrong-token')
    await page.keyboard.press('Enter')
    await page.getByText('The daemon does not know this token.').waitFor()
    // The browser reports the refused request.
    expect(complaints.splice(0).filter((text) => !text.includes('401'))).toEqual([])
    await page.getByLabel('Token').fill(masterToken)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await page.getByRole('link', { name: 'main', exact: true }).waitFor()
    expect(await page.title()).toBe('Overview · Strata')
    expect(complaints).toEqual([])
  })

  test('keeps no token unless asked to, and forgets it after a sign-out', async () => {
    const { page } = await site.open('/', { token: null })
    await page.getByLabel('Token').fill(masterToken)
    await page.getByLabel('Keep me signed in').check()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in to Strata' }).waitFor()
    expect(await page.evaluate('sessionStorage.length')).toBe(0)
    expect(await page.context().cookies()).toEqual([])
  })

  test('ends the session at once if the token is revoked', async () => {
    const { body } = await call(site.daemon, 'POST', '/tokens', { name: 'guest', role: 'viewer' })
    const { page } = await site.open('/', { token: body.token })
    await page.getByRole('link', { name: 'main', exact: true }).waitFor()
    await call(site.daemon, 'DELETE', `/tokens/${body.id}`)
    await page.getByText('The token was revoked or has expired.').waitFor()
    expect(await page.getByRole('link', { name: 'main', exact: true }).count()).toBe(0)
  })

  test('says since when the daemon does not answer', async () => {
    const { page } = await site.open()
    await page.getByRole('link', { name: 'main', exact: true }).waitFor()
    await site.daemon.stop('SIGKILL')
    await page.getByText('The daemon does not answer.').waitFor()
    await site.restart()
    await page.getByText('The daemon does not answer.').waitFor({ state: 'hidden' })
  })

  test('shows the overview without a violation in both themes, and fits 320 to 2560 px', async () => {
    const { page, complaints } = await site.open()
    await page.getByRole('link', { name: 'main', exact: true }).waitFor()
    expect(await violationsOf(page)).toEqual([])
    await keepScreenshots(page, 'overview-one')
    expect(await tooWideAt(page, 320, 768, 1440, 2560)).toEqual([])
    expect(complaints).toEqual([])
  })

  test('skips to the content by keyboard, and focuses the title of a room that a link opens', async () => {
    const { page, complaints } = await site.open()
    await page.getByRole('link', { name: 'main', exact: true }).waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    expect(await page.evaluate('document.activeElement.id')).toBe('main')
    await page.getByRole('link', { name: 'Projects' }).click()
    await page.getByRole('heading', { name: 'Projects' }).waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('H1')
    await page.goBack()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    expect(complaints).toEqual([])
  })

  test('says that it is stale, with the request id, if a reload fails', async () => {
    const { page } = await site.open()
    await page.getByRole('link', { name: 'main', exact: true }).waitFor()
    await page.route('**/api/v1/environments', (route) =>
      route.fulfill({
        status: 500,
        headers: { 'x-request-id': 'r-42' },
        json: { error: 'internal error' },
      }),
    )
    // Each change of an environment lets the page load the list again.
    await call(site.daemon, 'POST', '/environments/1/pause')
    await page.getByText('Internal error.').waitFor()
    await page.getByText('r-42').waitFor()
    expect(await page.getByRole('link', { name: 'main', exact: true }).count()).toBe(1)
    await page.unroute('**/api/v1/environments')
    await call(site.daemon, 'POST', '/environments/1/wake')
    await page.getByText('r-42').waitFor({ state: 'detached' })
  })

  test('opens its navigation on a phone by keyboard', async () => {
    const { page } = await site.open('/', { width: 360, height: 740 })
    const menu = page.getByRole('button', { name: 'Open navigation' })
    await menu.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('navigation', { name: 'Rooms' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('navigation', { name: 'Rooms' }).waitFor({ state: 'hidden' })
  })

  test('keeps the chosen theme', async () => {
    const { page } = await site.open()
    await page.getByRole('button', { name: 'Dark theme' }).click()
    await page.reload()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    expect(await page.evaluate('getComputedStyle(document.documentElement).colorScheme')).toBe(
      'dark',
    )
  })
})

describe.skipIf(!hasBrowser)(`the page of a daemon that made its token${browserReason}`, () => {
  let site: PageOfDaemon

  beforeAll(async () => {
    site = await startPageOfDaemon({ SERVICE_API_TOKEN: '', SERVICE_AUTO_TOKEN: '1' })
  })

  afterAll(() => site?.stop())

  test('opens without a sign-in on the machine of the daemon', async () => {
    const { page, complaints } = await site.open('/', { token: null })
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    expect(complaints).toEqual([])
  })
})
