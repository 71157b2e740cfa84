import { spawnSync } from 'node:child_process'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { blogApp } from '../support/apps/blog-app.ts'
import { type BootedApp, bootApp } from '../support/apps/boot.ts'
import { prepareApp } from '../support/apps/prepare.ts'

const executablePath = ['chromium', 'chromium-browser', 'google-chrome']
  .map((name) => spawnSync('which', [name], { encoding: 'utf8' }).stdout.trim())
  .find((path) => path !== '')

const reason = executablePath
  ? ''
  : ' (skipped: no chromium in PATH; Debian: apt-get install chromium)'

describe.skipIf(!executablePath)(`the page GET /docs of the blog in a browser${reason}`, () => {
  let app: BootedApp
  let browser: Browser

  beforeAll(async () => {
    await prepareApp(blogApp.folder)
    app = await bootApp({ ...blogApp, env: { NODE_ENV: undefined } })
    const isRoot = process.getuid?.() === 0
    browser = await chromium.launch({
      ...(executablePath && { executablePath }),
      args: isRoot ? ['--no-sandbox'] : [],
    })
  })

  afterAll(async () => {
    await browser?.close()
    await app?.stop()
  })

  test('shows parameters, bodies and schemas of the document', async () => {
    const { page, complaints } = await open({ width: 1100, height: 900 })
    const list = await unfold(page, 'GET /api/v1/posts')
    for (const name of ['page', 'page_size', 'published', 'tag', 'search']) {
      expect(await list.locator('label', { hasText: name }).count(), name).toBeGreaterThan(0)
    }
    const create = await unfold(page, 'POST /api/v1/posts')
    expect(JSON.parse(await create.locator('textarea').inputValue())).toHaveProperty('title')
    expect(await create.textContent()).toMatch(/title\*: string.*maxLength 255/)
    const change = await unfold(page, 'PATCH /api/v1/posts/{id}')
    expect(JSON.parse(await change.locator('textarea').inputValue())).toHaveProperty('title')
    expect(await (await unfold(page, 'AuthResponse')).textContent()).toMatch(/token\*: string/)
    expect(complaints).toEqual([])
  })

  test('sends requests with the token of a registration', async () => {
    const { page, complaints } = await open({ width: 1100, height: 900 })
    const post = { title: 'From the page', content: 'Sent by a browser' }
    expect(await sendFrom(page, 'POST /api/v1/posts', post)).toMatch(/^401 /)
    const user = { name: 'Ada', email: 'ada@example.com', password: 'correct horse' }
    expect(await sendFrom(page, 'POST /api/v1/auth/register', user)).toMatch(/^201 /)
    expect(await sendFrom(page, 'POST /api/v1/posts', post)).toMatch(/^201 [\s\S]*location: /)
    const get = await unfold(page, 'GET /api/v1/posts/{id}')
    await get.locator('input').first().fill('1')
    expect(await sendFrom(page, 'GET /api/v1/posts/{id}')).toContain('"title": "From the page"')
    // The browser reports the 401 as a message, too.
    expect(complaints.filter((text) => !text.includes('401'))).toEqual([])
  })

  test('fits a phone', async () => {
    const { page } = await open({ width: 390, height: 844 })
    await unfold(page, 'POST /api/v1/posts')
    const width = await page.evaluate('document.documentElement.scrollWidth')
    expect(width).toBe(390)
  })

  async function open(viewport: { width: number; height: number }) {
    const page = await browser.newPage({ viewport })
    const complaints: string[] = []
    page.on('console', (message) => complaints.push(message.text()))
    page.on('pageerror', ({ message }) => complaints.push(message))
    await page.goto(`${app.baseUrl}/docs`)
    await page.locator('details').first().waitFor()
    return { page, complaints }
  }
})

/** Opens the part of the page with this title, and returns it. */
async function unfold(page: Page, title: string) {
  const part = page
    .locator('details')
    .filter({ has: page.locator('summary', { hasText: beginOf(title) }) })
    .first()
  if ((await part.getAttribute('open')) === null) await part.locator('summary').click()
  return part
}

function beginOf(title: string): RegExp {
  const words = title.split(' ').map((word) => word.replaceAll(/[{}/]/g, '\\$&'))
  return new RegExp(`^\\s*${words.join('\\s*')}(?![/\\w])`)
}

/** Sends the request of an operation, and returns the shown response. */
async function sendFrom(page: Page, title: string, body?: object): Promise<string> {
  const part = await unfold(page, title)
  if (body) await part.locator('textarea').fill(JSON.stringify(body))
  await part.locator('button').click()
  const answer = part.locator('button + pre').filter({ hasText: /^\d{3} / })
  await answer.waitFor()
  return (await answer.textContent()) ?? ''
}
