import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../support/apps/eventually.ts'
import {
  browserReason,
  hasBrowser,
  keepScreenshots,
  tooWideAt,
  violationsOf,
} from '../support/page/browser.ts'
import { chattyApp, say } from '../support/page/chatty-app.ts'
import { type PageOfDaemon, startPageOfDaemon } from '../support/page/page-of-daemon.ts'
import { call, visit } from '../support/stratad/call.ts'
import { createProject, deploy, type Project, type Row, rowOf } from '../support/stratad/project.ts'

const esc = '\u001b'
/** A flood takes seconds on an idle machine. */
const patience = { timeout: 300_000 }

describe.skipIf(!hasBrowser)(`the log of an environment${browserReason}`, () => {
  let site: PageOfDaemon
  let project: Project
  let environment: Row

  beforeAll(async () => {
    site = await startPageOfDaemon()
    project = await createProject(site.daemon, 'chatty', chattyApp)
    expect((await deploy(site.daemon, project)).status).toBe(201)
    environment = await rowOf(site.daemon, project)
  })

  afterAll(() => site?.stop())

  // An open page would follow the log of the next test too.
  afterEach(async () => {
    for (const context of site.browser.contexts()) await context.close()
  })

  const openLog = async (query = '', options = {}) => {
    const opened = await site.open(`/environments/${environment.id}${query}`, options)
    await opened.page.getByRole('log').waitFor()
    return opened
  }
  const speak = (lines: readonly string[], stream: 'stdout' | 'stderr' = 'stdout') =>
    say(site.daemon, project, lines, stream)
  const line = (page: Page, text: string) => page.getByRole('log').getByText(text, { exact: true })
  const isLive = (page: Page) => page.getByText('Live', { exact: true }).waitFor()
  const rows = (page: Page) => page.locator('.log-rows > .log-row')

  test('shows build and app output, and new lines as the app writes them', async () => {
    const { page, complaints } = await openLog()
    await line(page, 'build step 40 of 40').waitFor()
    await line(page, 'listening').waitFor()
    await isLive(page)
    await speak(['first new line'])
    await line(page, 'first new line').waitFor()
    await speak(['a warning of the app'], 'stderr')
    await line(page, 'a warning of the app').waitFor()
    expect(await page.locator('.log-stderr .log-stream').last().textContent()).toBe('err')
    await page.getByText(/^\d+ lines$/).waitFor()
    await speak([
      `${esc}[32mGET${esc}[0m /products/42 ${esc}[1;36m200${esc}[0m ${esc}[2m12 ms${esc}[0m`,
      `${esc}[33mWARN${esc}[0m cache is cold, reading ${esc}[4mproducts.json${esc}[0m`,
      `${esc}[41;97m FAIL ${esc}[0m ${esc}[31mno such order${esc}[0m ${esc}[35mrequest=9${esc}[0m ${esc}[34mretry=1${esc}[0m`,
      `a long line ${'that wraps '.repeat(40)}`,
    ])
    await line(page, 'GET').waitFor()
    expect(await violationsOf(page)).toEqual([])
    await keepScreenshots(page, 'environment-log')
    expect(await tooWideAt(page, 320, 768, 1440, 2560)).toEqual([])
    expect(complaints).toEqual([])
  })

  test('shows output as text, whatever markup and escape sequences it contains', async () => {
    const { page, complaints } = await openLog()
    await isLive(page)
    await speak([
      '<img src=x onerror="document.title=1"><script>document.title=2</script>',
      `${esc}]0;owned title\u0007title is gone`,
      `${esc}]8;;https://evil.example${esc}\\hyperlink text${esc}]8;;${esc}\\`,
      `${esc}]52;c;ZXZpbA==\u0007clipboard is gone`,
      `${esc}[2J${esc}[1;1H${esc}[3Acursor moves are gone`,
      `${esc}[31mred ${esc}[38;2;255;0;255mpink ${esc}[48;5;21mback`,
      `${esc}]0;unterminated`,
      'rm -rf \u202e/ tmp\u202c',
      'overwritten\rby this',
      'last of the hostile lines',
    ])
    await line(page, 'last of the hostile lines').waitFor()
    await line(
      page,
      '<img src=x onerror="document.title=1"><script>document.title=2</script>',
    ).waitFor()
    for (const text of [
      'title is gone',
      'hyperlink text',
      'clipboard is gone',
      'cursor moves are gone',
    ]) {
      await line(page, text).waitFor()
    }
    await line(page, '␛]0;unterminated').waitFor()
    await line(page, 'rm -rf \\u202e/ tmp\\u202c').waitFor()
    await line(page, 'overwritten␍by this').waitFor()
    expect(await page.getByRole('log').locator('a, img, script, [style*=color]').count()).toBe(0)
    expect(await page.locator('.log-text .log-red').last().textContent()).toBe('red ')
    expect(await page.title()).toBe('main · Strata')
    expect(complaints).toEqual([])
  })

  test('searches by keyboard, shows the matches, and returns to the log', async () => {
    const { page } = await openLog()
    await isLive(page)
    await speak(['Needle one', 'hay', 'NEEDLE two', 'hay', 'needle three', 'end of the hay'])
    await line(page, 'end of the hay').waitFor()
    await page.getByRole('log').focus()
    await page.keyboard.press('/')
    await page.keyboard.type('needle')
    await page.getByText('3 of 3').waitFor()
    expect(await page.locator('.log-current').textContent()).toContain('needle three')
    expect(await page.locator('.log-text mark').allTextContents()).toEqual([
      'Needle',
      'NEEDLE',
      'needle',
    ])
    expect(await violationsOf(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.getByText('2 of 3').waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await page.getByText('3 of 3').waitFor()
    await page.keyboard.press('Shift+Enter')
    await page.getByText('1 of 3').waitFor()
    await keepScreenshots(page, 'environment-log-search')
    await page.keyboard.press('Escape')
    expect(await page.getByRole('log').evaluate((log) => log.matches(':focus'))).toBe(true)
    expect(await page.locator('.log-text mark').count()).toBe(0)
    await page.getByLabel('Search the log').fill('no line has this')
    await page.getByText('No match').waitFor()
  })

  test('pauses without a loss, and continues', async () => {
    const { page } = await openLog()
    await isLive(page)
    await page.getByRole('button', { name: 'Pause', exact: true }).last().click()
    await page.getByText('Paused', { exact: true }).waitFor()
    const before = await rows(page).last().textContent()
    const written = Array.from({ length: 30 }, (_, at) => `while paused ${at}`)
    await speak(written)
    await eventuallyTrue(async () => {
      const path = `/environments/${environment.id}/logs?lines=1`
      return (await call(site.daemon, 'GET', path)).body.logs === 'while paused 29'
    })
    expect(await rows(page).last().textContent()).toBe(before)
    await page.getByRole('log').press('p')
    await line(page, 'while paused 29').waitFor()
    const shown = (await rows(page).locator('.log-text').allTextContents()).slice(-30)
    expect(shown).toEqual(written)
  })

  test('keeps the text in place when the reader scrolls up, and counts the new lines', async () => {
    await speak(Array.from({ length: 200 }, (_, at) => `tale ${at}`))
    const { page } = await openLog()
    await line(page, 'tale 199').waitFor()
    const log = page.getByRole('log')
    await log.hover()
    await page.mouse.wheel(0, -1500)
    await page.getByRole('button', { name: 'Newest line' }).waitFor()
    const firstVisible = () =>
      log.evaluate((element) => {
        const { top, left } = element.getBoundingClientRect()
        const row = element.ownerDocument
          .elementFromPoint(left + 300, top + 12)
          ?.closest('.log-row')
        return row?.querySelector('.log-text')?.textContent
      })
    const place = await firstVisible()
    expect(place).toMatch(/^tale \d+$/)
    await speak(Array.from({ length: 500 }, (_, at) => `news ${at}`))
    await page.getByRole('button', { name: '500 new lines' }).waitFor()
    expect(await firstVisible()).toBe(place)
    await page.getByRole('button', { name: '500 new lines' }).click()
    await line(page, 'news 499').waitFor()
    await speak(['and it follows again'])
    await line(page, 'and it follows again').waitFor()
    await log.press('Home')
    await line(page, '$ npm run build').waitFor()
    await log.press('End')
    await line(page, 'and it follows again').waitFor()
  })

  test('copies the selected lines and downloads all loaded lines', async () => {
    await speak(['copy me 1', 'copy me 2', 'copy me 3'])
    const { page } = await openLog()
    await line(page, 'copy me 3').waitFor()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const gutter = (text: string) => rows(page).filter({ hasText: text }).locator('.log-time')
    await gutter('copy me 1').click()
    await gutter('copy me 3').click({ modifiers: ['Shift'] })
    await page.getByText(/3 selected/).waitFor()
    await page.getByRole('button', { name: 'Copy the selected lines' }).click()
    await page.getByText('Copied 3 lines').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      'copy me 1\ncopy me 2\ncopy me 3',
    )
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download the loaded lines' }).click()
    const download = await downloading
    expect(download.suggestedFilename()).toMatch(/^main-[0-9a-f]{7}\.log$/)
    const text = readFileSync(await download.path(), 'utf8')
    expect(text).toMatch(/Z build \$ npm run build\n/)
    expect(text).toMatch(/Z stdout copy me 3\n$/)
  })

  test('wraps long lines or not, and shows or hides times', async () => {
    await speak([`wide ${'x'.repeat(2000)} end`])
    const { page } = await openLog()
    await rows(page).filter({ hasText: 'wide xxx' }).waitFor()
    const isWide = () => page.getByRole('log').evaluate((log) => log.scrollWidth > log.clientWidth)
    expect(await isWide()).toBe(false)
    await page.getByRole('log').press('w')
    await eventuallyTrue(isWide)
    await page.getByRole('button', { name: 'Wrap lines' }).click()
    await eventuallyTrue(async () => !(await isWide()))
    await page.getByRole('button', { name: 'Show times' }).click()
    await eventuallyTrue(async () => (await page.locator('.log-rows .log-time').count()) === 0)
  })

  test('takes a flood of 100,000 lines with few elements, and still handles input', async () => {
    const { page, complaints } = await openLog()
    await isLive(page)
    await visit(site.daemon, project.host(), '/flood/100000')
    await page.getByLabel('Search the log').fill('typed during the flood')
    await page.getByLabel('Search the log').fill('')
    await line(page, 'flood line 100000').waitFor(patience)
    expect(await rows(page).count()).toBeLessThan(200)
    expect(Number(await page.evaluate('document.querySelectorAll("*").length'))).toBeLessThan(1500)
    await page.getByLabel('Search the log').fill('flood line 50000')
    await page.getByText('1 of 1', { exact: true }).waitFor()
    expect(await page.locator('.log-current').textContent()).toContain('flood line 50000')
    await page.getByLabel('Search the log').fill('flood line')
    await page.getByText(/of 100000$/).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('log').press('End')
    await line(page, 'flood line 100000').waitFor(patience)
    await keepScreenshots(page, 'environment-log-flood')
    expect(complaints).toEqual([])
  })

  test('loads a log of 100,000 lines from its start', async () => {
    const { page } = await openLog()
    await line(page, 'flood line 100000').waitFor(patience)
    await page.getByText('Newest 1,000 lines').waitFor()
    await page.getByRole('button', { name: 'Load from the start' }).click()
    await page.getByText(/^1\d\d,\d\d\d lines$/).waitFor(patience)
    await line(page, '$ npm run build').waitFor()
    expect(await rows(page).count()).toBeLessThan(200)
    await page.getByRole('log').press('End')
    await line(page, 'flood line 100000').waitFor(patience)
  })

  test('resumes without missing or repeated lines after the daemon restarts', async () => {
    const { page } = await openLog()
    await isLive(page)
    await speak(Array.from({ length: 50 }, (_, at) => `before restart ${at}`))
    await line(page, 'before restart 49').waitFor()
    await site.daemon.stop('SIGKILL')
    await page.getByText('Connection lost', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Retry now' }).waitFor()
    await keepScreenshots(page, 'environment-log-lost')
    // The app outlives the daemon, and writes while nobody reads.
    await speak(Array.from({ length: 50 }, (_, at) => `during restart ${at}`))
    await site.restart()
    await isLive(page)
    await speak(['after restart'])
    await line(page, 'after restart').waitFor()
    const texts = await rows(page).locator('.log-text').allTextContents()
    const shown = texts.filter((text) => text.includes('restart'))
    const numbered = (name: string) => Array.from({ length: 50 }, (_, at) => `${name} ${at}`)
    const expected = [...numbered('before restart'), ...numbered('during restart'), 'after restart']
    // Older lines may be above the rendered rows.
    expect(shown.length).toBeGreaterThan(30)
    expect(shown).toEqual(expected.slice(-shown.length))
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download the loaded lines' }).click()
    const text = readFileSync(await (await downloading).path(), 'utf8')
    const all = text.split('\n').filter((one) => one.includes('restart'))
    expect(all.map((one) => one.replace(/^\S+ \S+ /, ''))).toEqual(expected)
  })
})

async function eventuallyTrue(check: () => Promise<boolean>): Promise<void> {
  expect(await eventually(check, 60_000)).toBe(true)
}
