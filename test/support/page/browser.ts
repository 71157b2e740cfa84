import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Page } from 'playwright-core'

const executablePath = ['chromium', 'chromium-browser', 'google-chrome']
  .map((name) => spawnSync('which', [name], { encoding: 'utf8' }).stdout.trim())
  .find((path) => path !== '')

/** True if a browser is installed. Skip the tests of the page without one: `describe.skipIf(!hasBrowser)`. */
export const hasBrowser = executablePath !== undefined

/** The end of a title of skipped tests: it gives the reason. */
export const browserReason = hasBrowser
  ? ''
  : ' (skipped: no chromium in PATH; Debian: apt-get install chromium)'

export function launchBrowser(): Promise<Browser> {
  const isRoot = process.getuid?.() === 0
  return chromium.launch({
    ...(executablePath && { executablePath }),
    args: isRoot ? ['--no-sandbox'] : [],
  })
}

export interface Opened {
  readonly page: Page
  /** Messages of the console, uncaught errors, and requests to other origins. A sound page has none. */
  readonly complaints: string[]
}

export interface OpenOptions {
  readonly browser: Browser
  /** The origin of the page, such as `http://127.0.0.1:9000`. */
  readonly origin: string
  readonly path?: string
  /** The token that the tab keeps; null opens the page signed out. */
  readonly token: string | null
  readonly width?: number
  readonly height?: number
  readonly theme?: 'light' | 'dark'
  /** Prepares the page before it loads, for example with `page.route`. */
  readonly prepare?: (page: Page) => Promise<void>
}

/** Opens the page in a new context of the browser. */
export async function openInBrowser(options: OpenOptions): Promise<Opened> {
  const { browser, origin, path = '/', token, width = 1440, height = 900, theme } = options
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme ?? 'light',
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'UTC',
  })
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  const complaints: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== origin) complaints.push(`a request to ${request.url()}`)
  })
  if (token !== null) {
    await page.addInitScript(`sessionStorage.setItem('strata-token', ${JSON.stringify(token)})`)
  }
  await options.prepare?.(page)
  await page.goto(origin + path)
  return { page, complaints }
}

const widths = [360, 768, 1440] as const
const themes = ['light', 'dark'] as const
const folder = fileURLToPath(new URL('../../../.cache/screenshots', import.meta.url))

/**
 * Keeps screenshots of the page at 360, 768 and 1440 px in both themes as `.cache/screenshots/<name>-<width>-<theme>.png`,
 * for a person to look at. `shouldFit` throws if the page is wider than the window.
 */
export async function keepScreenshots(page: Page, name: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const before = page.viewportSize()
  for (const width of widths) {
    await page.setViewportSize({ width, height: width === 360 ? 740 : 900 })
    for (const theme of themes) {
      await page.emulateMedia({ colorScheme: theme })
      await page.screenshot({ path: join(folder, `${name}-${width}-${theme}.png`), fullPage: true })
    }
  }
  await page.emulateMedia({ colorScheme: 'light' })
  if (before) await page.setViewportSize(before)
}

/** Returns the widths, of those given, at which the page scrolls sideways. */
export async function tooWideAt(page: Page, ...given: readonly number[]): Promise<number[]> {
  const before = page.viewportSize()
  const wide: number[] = []
  for (const width of given) {
    await page.setViewportSize({ width, height: 800 })
    const needed = await page.evaluate('document.documentElement.scrollWidth')
    if (Number(needed) > width) wide.push(width)
  }
  if (before) await page.setViewportSize(before)
  return wide
}

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** Returns the violations of axe-core in both themes, one line each. */
export async function violationsOf(page: Page): Promise<string[]> {
  // The policy of the page forbids a script element; the debugger may evaluate any text.
  await page.evaluate(await readFile(axePath, 'utf8'))
  const lines: string[] = []
  for (const theme of themes) {
    await page.emulateMedia({ colorScheme: theme })
    const found = (await page.evaluate('axe.run(document, { resultTypes: ["violations"] })')) as {
      violations: { id: string; help: string; nodes: { html: string; failureSummary: string }[] }[]
    }
    for (const { id, help, nodes } of found.violations) {
      const places = nodes.map(({ html, failureSummary }) => `${html}\n  ${failureSummary}`)
      lines.push(`${theme}: ${id}: ${help}\n  ${places.slice(0, 3).join('\n  ')}`)
    }
  }
  await page.emulateMedia({ colorScheme: 'light' })
  return lines
}
