import { hasBrowser } from '../test/support/page/browser.ts'
import { firstLoadBudgetBytes, firstLoadFiles } from '../test/support/page/first-load.ts'
import { answerWithMany } from '../test/support/page/many-environments.ts'
import { startPageOfDaemon } from '../test/support/page/page-of-daemon.ts'

/*
 * Sizes of the page, and times in a browser on this machine: until the overview shows, with 1 and with 1,000 environments, and
 * the longest task of the page while a person searches and scrolls. `--check` exits with 1 if the size exceeds the budget.
 */

const rounds = 5

async function run(): Promise<void> {
  const files = firstLoadFiles()
  const gzipBytes = files.reduce((sum, file) => sum + file.gzipBytes, 0)
  for (const { name, bytes, gzipBytes } of files)
    print(name, `${kB(bytes)}, gzipped ${kB(gzipBytes)}`)
  print('first load', `${kB(gzipBytes)} of ${kB(firstLoadBudgetBytes)}`)
  if (hasBrowser) await measureTimes()
  else print('times', 'skipped: no chromium in PATH')
  if (process.argv.includes('--check') && gzipBytes > firstLoadBudgetBytes) process.exitCode = 1
}

async function measureTimes(): Promise<void> {
  const site = await startPageOfDaemon()
  try {
    for (const count of [1, 1_000]) {
      const times: number[] = []
      for (let round = 0; round < rounds; round += 1) {
        const { page } = await site.open('/', {
          prepare: async (page) => void (await answerWithMany(page, count)),
        })
        await page.getByRole('table', { name: 'Live environments' }).waitFor()
        times.push(await page.evaluate(() => performance.now()))
        if (count > 1 && round === rounds - 1)
          print('longest task', `${await longestTask(page)} ms`)
        await page.context().close()
      }
      print(
        `overview of ${count}`,
        `${Math.round(median(times))} ms after the navigation began, with an empty cache`,
      )
    }
  } finally {
    await site.stop()
  }
}

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof startPageOfDaemon>>['open']>>['page']

/** Searches and scrolls, and returns the duration of the longest task in whole milliseconds; 0 if all are below 50 ms. */
async function longestTask(page: Page): Promise<number> {
  await page.evaluate(
    'window.tasks = []; new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ entryTypes: ["longtask"] })',
  )
  await page.getByLabel('Search environments').pressSequentially('project-3')
  await page.getByLabel('Search environments').fill('')
  for (let step = 0; step < 60; step += 1) await page.mouse.wheel(0, 400)
  return Math.round(Number(await page.evaluate('Math.max(0, ...tasks)')))
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
}

function kB(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`
}

function print(title: string, text: string): void {
  process.stdout.write(`${title.padEnd(32)}${text}\n`)
}

await run()
