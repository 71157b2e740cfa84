import { existsSync, mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  browserReason,
  hasBrowser,
  keepScreenshots,
  violationsOf,
} from '../support/page/browser.ts'
import { type PageOfDaemon, startPageOfDaemon } from '../support/page/page-of-daemon.ts'
import { call } from '../support/stratad/call.ts'
import { createProject, deploy } from '../support/stratad/project.ts'

const folder = fileURLToPath(new URL('../../docs/pictures/', import.meta.url))

/** `PICTURES=1` takes the pictures of the documents again. */
const takesPictures = process.env.PICTURES === '1'

describe.skipIf(!hasBrowser)(`a daemon with several projects${browserReason}`, () => {
  let site: PageOfDaemon

  beforeAll(async () => {
    site = await startPageOfDaemon()
    for (const [name, branches] of projects) {
      const project = await createProject(site.daemon, name)
      for (const branch of branches) {
        if (branch !== 'main') project.repository.git('switch', '--quiet', '--create', branch)
        const failing = branch === 'fix/totals' ? { 'server.js': 'process.exit(1)' } : {}
        project.repository.commit({ 'branch.txt': branch, ...failing })
        const { status } = await deploy(site.daemon, project, branch)
        expect(status, branch).toBe(branch === 'fix/totals' ? 422 : 201)
        if (branch === 'fix/totals') project.repository.git('switch', '--quiet', 'main')
      }
    }
    for (const id of [3, 6]) {
      expect((await call(site.daemon, 'POST', `/environments/${id}/pause`)).status).toBe(204)
    }
  })

  afterAll(() => site?.stop())

  test.each([
    ['overview', '/', 'light', 1280, 860],
    ['overview-dark', '/', 'dark', 1280, 860],
    ['project', '/projects/1', 'light', 1280, 620],
    ['environment', '/environments/1', 'light', 1280, 860],
    ['phone', '/', 'light', 390, 844],
  ] as const)('looks as in docs/pictures/%s.png', async (name, path, theme, width, height) => {
    const { page, complaints } = await site.open(path, {
      theme,
      width,
      height,
      prepare: showRemotes,
    })
    await page.getByRole('heading', { level: 1 }).waitFor()
    if (path === '/') {
      await page.getByRole('link', { name: 'feature/checkout', exact: true }).waitFor()
      await page.getByText('fix/totals').first().waitFor()
      await page
        .getByText(/\d MiB/)
        .first()
        .waitFor({ timeout: 60_000 })
    }
    await page.getByText('Running', { exact: true }).first().waitFor()
    if (takesPictures) {
      mkdirSync(folder, { recursive: true })
      await page.screenshot({ path: `${folder}${name}.png` })
    }
    expect(existsSync(`${folder}${name}.png`)).toBe(true)
    await keepScreenshots(page, `full-${name}`)
    expect(await violationsOf(page)).toEqual([])
    expect(complaints).toEqual([])
  })
})

/** Shows the projects as those of a git host: their real folders are temporary. */
async function showRemotes(page: Page): Promise<void> {
  await page.route(/\/api\/v1\/projects(\/\d+)?$/, async (route) => {
    const response = await route.fetch()
    const body = await response.json()
    const shown = (project: { name: string }) => ({
      ...project,
      repo_dir: null,
      repo_url: `https://git.example.com/team/${project.name}.git`,
    })
    await route.fulfill({ response, json: Array.isArray(body) ? body.map(shown) : shown(body) })
  })
}

const projects = [
  ['shop', ['main', 'feature/checkout', 'redesign', 'fix/totals']],
  ['blog', ['main', 'draft/launch-post']],
  ['handbook', ['main']],
] as const
