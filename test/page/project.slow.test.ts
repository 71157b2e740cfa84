import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  browserReason,
  hasBrowser,
  keepScreenshots,
  tooWideAt,
  violationsOf,
} from '../support/page/browser.ts'
import { type PageOfDaemon, startPageOfDaemon } from '../support/page/page-of-daemon.ts'
import { call, push, visit } from '../support/stratad/call.ts'
import {
  createProject,
  deploy,
  type Project,
  rowOf,
  servesCommit,
} from '../support/stratad/project.ts'

describe.skipIf(!hasBrowser)(`the room of a project${browserReason}`, () => {
  let site: PageOfDaemon
  let shop: Project
  let first: string
  let second: string

  beforeAll(async () => {
    site = await startPageOfDaemon()
    shop = await createProject(site.daemon, 'shop')
    first = shop.repository.git('rev-parse', 'HEAD')
    expect((await deploy(site.daemon, shop)).status).toBe(201)
    second = shop.repository.commit({ 'news.txt': 'new' })
    expect((await deploy(site.daemon, shop)).status).toBe(201)
  })

  afterAll(() => site?.stop())

  test('shows branches, and no violation at any width in both themes', async () => {
    const { page, complaints } = await site.open(`/projects/${shop.id}`)
    await page.getByRole('link', { name: 'main', exact: true }).waitFor()
    for (const [tab, text] of tabs) {
      await page.getByRole('tab', { name: tab }).click()
      await page.getByText(text).first().waitFor()
      expect(await violationsOf(page), tab).toEqual([])
      await keepScreenshots(page, `project-${tab.toLowerCase()}`)
      expect(await tooWideAt(page, 320, 768, 2560), tab).toEqual([])
    }
    // The API answers 404 for a project without commit statuses, which the browser reports itself.
    expect(complaints.filter((each) => !/\b404\b/.test(each))).toEqual([])
  })

  test('rolls back to the chosen commit, and an undo brings the newer one back', async () => {
    const { page, complaints } = await site.open(`/projects/${shop.id}`)
    await choose(page, 'main', 'Roll back…')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('The data of the branch stays').waitFor()
    await keepScreenshots(page, 'dialog-rollback')
    await dialog.getByRole('button', { name: `Roll back to ${first.slice(0, 7)}` }).click()
    await page.getByText(`to ${first.slice(0, 7)} is queued`).waitFor()
    expect(await servesCommit(site.daemon, shop, first)).toBe(true)
    await page.getByRole('button', { name: 'Undo the rollback' }).click()
    expect(await servesCommit(site.daemon, shop, second)).toBe(true)
    expect(complaints).toEqual([])
  })

  test('pauses after it has said what a pause does, and wakes again', async () => {
    const { page, complaints } = await site.open(`/projects/${shop.id}`)
    await choose(page, 'main', 'Pause')
    await page.getByRole('dialog').getByText('The next request to its address wakes it.').waitFor()
    await page.getByRole('button', { name: 'Pause', exact: true }).click()
    await page.getByText('Paused', { exact: true }).waitFor()
    expect((await rowOf(site.daemon, shop)).state).toBe('paused')
    await choose(page, 'main', 'Wake')
    await page.getByRole('dialog').getByRole('button', { name: 'Wake' }).click()
    await page.getByText('Running', { exact: true }).waitFor()
    expect((await rowOf(site.daemon, shop)).state).toBe('running')
    expect(complaints).toEqual([])
  })

  test('returns the focus to the button of the menu after Escape', async () => {
    const { page } = await site.open(`/projects/${shop.id}`)
    const button = page.getByRole('button', { name: 'Actions for main' })
    await button.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Deploy' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await button.evaluate((element) => element.matches(':focus'))).toBe(true)
  })

  test('deploys a branch, destroys it, and deploys it again from the message', async () => {
    shop.repository.git('branch', 'feature/one')
    const { page, complaints } = await site.open(`/projects/${shop.id}`)
    await page.getByRole('button', { name: 'Deploy a branch' }).click()
    await page.getByLabel('Branch', { exact: true }).fill('feature/one')
    await page.getByRole('dialog').getByRole('button', { name: 'Deploy', exact: true }).click()
    await page.getByRole('link', { name: 'feature/one', exact: true }).waitFor()
    await page.getByText('Running', { exact: true }).nth(1).waitFor()
    await choose(page, 'feature/one', 'Destroy…')
    await page.getByRole('dialog').getByText('Its data goes to the trash for 30 days.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Destroy' }).click()
    await page.getByText('feature/one is destroyed.').waitFor()
    expect((await rowOf(site.daemon, shop, 'feature/one')).state).toBe('destroyed')
    await page.getByRole('button', { name: 'Deploy again' }).click()
    await page.getByRole('link', { name: 'feature/one', exact: true }).waitFor()
    expect(complaints).toEqual([])
  })

  test('removes data for good only after the name of the branch was typed', async () => {
    shop.repository.git('branch', 'feature/two')
    expect((await deploy(site.daemon, shop, 'feature/two')).status).toBe(201)
    const secrets = `/projects/${shop.id}/secrets?branch=feature%2Ftwo`
    const secret = { branch: 'feature/two', name: 'HOOK', value: 'abcdefgh' }
    expect((await call(site.daemon, 'POST', `/projects/${shop.id}/secrets`, secret)).status).toBe(
      204,
    )
    expect((await call(site.daemon, 'GET', secrets)).body.secrets).toEqual([
      { name: 'HOOK', scope: 'branch' },
    ])
    const { page } = await site.open(`/projects/${shop.id}`)
    await choose(page, 'feature/two', 'Destroy…')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Remove its data for good').check()
    await dialog.getByLabel('Remove its secrets for good').check()
    const button = dialog.getByRole('button', { name: 'Destroy' })
    expect(await button.getAttribute('aria-disabled')).toBe('true')
    await button.click({ force: true })
    expect((await rowOf(site.daemon, shop, 'feature/two')).state).toBe('running')
    await keepScreenshots(page, 'dialog-destroy')
    await dialog.getByLabel('Name').fill('feature/two')
    await button.click()
    await dialog.waitFor({ state: 'detached' })
    expect((await rowOf(site.daemon, shop, 'feature/two')).state).toBe('destroyed')
    const trash = await call(site.daemon, 'GET', '/trash')
    expect(trash.body.filter(({ branch }: { branch: string }) => branch === 'feature/two')).toEqual(
      [],
    )
    expect((await call(site.daemon, 'GET', secrets)).body.secrets).toEqual([])
  })

  test('saves changed settings, names invalid ones, and takes the change back', async () => {
    const { page, complaints } = await site.open(`/projects/${shop.id}?tab=settings`)
    const save = page.getByRole('button', { name: 'Save' })
    await page.getByLabel('Pause after').fill('soon')
    await page.getByText('Give a duration such as 30s').waitFor()
    expect(await save.getAttribute('aria-disabled')).toBe('true')
    await page.getByLabel('Pause after').fill('2h')
    await page.getByLabel('Maximum of live branches').fill('7')
    await page.getByLabel('Branches that a push ignores').fill('dependabot/**\nwip/*')
    await save.click()
    await page.getByText('The settings are saved.').waitFor()
    expect(await settings()).toMatchObject({
      pause_after: '2h',
      max_environments: 7,
      ignore: ['dependabot/**', 'wip/*'],
    })
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => page.getByLabel('Pause after').inputValue()).toBe('30m')
    expect(await settings()).toMatchObject({
      pause_after: '30m',
      max_environments: null,
      ignore: [],
    })
    expect(complaints).toEqual([])
  })

  test('sets and deletes secrets of the project and of a branch', async () => {
    const { page, complaints } = await site.open(`/projects/${shop.id}?tab=secrets`)
    await setSecret(page, 'GREETING', 'hello there')
    await page.getByLabel('Scope').selectOption('Branch main')
    await setSecret(page, 'COLOR', 'blue')
    const path = `/projects/${shop.id}/secrets`
    const ofProject = await call(site.daemon, 'GET', path)
    expect(ofProject.body.secrets).toEqual([{ name: 'GREETING', scope: 'project' }])
    const ofBranch = await call(site.daemon, 'GET', `${path}?branch=main`)
    expect(ofBranch.body.secrets).toContainEqual({ name: 'COLOR', scope: 'branch' })
    expect(await page.content()).not.toContain('hello there')
    expect((await deploy(site.daemon, shop)).status).toBe(201)
    expect((await visit(site.daemon, shop.host())).body.greeting).toBe('hello there')
    await page.getByLabel('Scope').selectOption('Every branch')
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No secret in this scope').waitFor()
    expect((await call(site.daemon, 'GET', path)).body.secrets).toEqual([])
    expect(complaints).toEqual([])
  })

  test('shows the lines of each git host, and a new webhook secret once', async () => {
    const { page, complaints } = await site.open(`/projects/${shop.id}?tab=webhooks`)
    await page.getByRole('button', { name: 'Create a secret' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
    await page.getByText('Copy it now').waitFor()
    for (const host of ['GitHub', 'GitLab', 'Gitea', 'Gogs']) {
      await page.getByRole('tab', { name: host }).click()
      const url = `http://127.0.0.1:${site.daemon.port}/api/v1/webhooks/${host.toLowerCase()}`
      await page.getByText(url, { exact: true }).waitFor()
    }
    await page.reload()
    await page.getByText('This project has a secret of its own.').waitFor()
    expect(await page.getByText('Copy it now').count()).toBe(0)
    expect(complaints).toEqual([])
  })

  test('says which role an action needs, instead of failing', async () => {
    const created = await call(site.daemon, 'POST', '/tokens', {
      name: 'reader',
      role: 'viewer',
      projects: [shop.id],
    })
    const { page, complaints } = await site.open(`/projects/${shop.id}`, {
      token: created.body.token,
    })
    const button = page.getByRole('button', { name: 'Deploy a branch' })
    await button.waitFor()
    expect(await button.getAttribute('title')).toBe(
      'This needs the role developer. Your token has the role viewer.',
    )
    await button.click({ force: true })
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.getByRole('link', { name: 'Global secrets' }).click()
    await page.getByText('This needs a token for all projects.').waitFor()
    await page.getByRole('link', { name: 'Overview' }).click()
    await page.getByRole('link', { name: 'main', exact: true }).waitFor()
    expect(complaints).toEqual([])
  })

  test('follows pushes without a reload', async () => {
    const { page } = await site.open(`/projects/${shop.id}`)
    await page.getByRole('link', { name: 'main', exact: true }).waitFor()
    const sha = shop.repository.commit({ 'more.txt': 'more' })
    await push(site.daemon, { url: shop.remote, branch: 'main', sha })
    await page.getByText(sha.slice(0, 7)).waitFor()
  })

  test('deletes a project after its name was typed', async () => {
    const gone = await createProject(site.daemon, 'gone')
    const { page, complaints } = await site.open(`/projects/${gone.id}?tab=settings`)
    await page.getByRole('button', { name: 'Delete the project' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('gone')
    await dialog.getByRole('button', { name: 'Delete the project' }).click()
    await page.getByRole('heading', { name: 'Projects' }).waitFor()
    const { status } = await call(site.daemon, 'GET', `/projects/${gone.id}`)
    expect(status).toBe(404)
    // The room may have asked for the project that was just deleted.
    expect(complaints.filter((text) => !text.includes('404'))).toEqual([])
  })

  test('creates a hosted repository, and says how to push to it', async () => {
    const { page, complaints } = await site.open('/projects')
    await page.getByRole('button', { name: 'Register a project' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Repository', { exact: true }).selectOption('hosted')
    await dialog.getByLabel('Name').fill('pushed')
    await keepScreenshots(page, 'dialog-register-hosted')
    await dialog.getByRole('button', { name: 'Register' }).click()
    const url = `http://127.0.0.1:${site.daemon.port}/git/pushed.git`
    await page.getByText(`git remote add strata ${url}`).waitFor()
    await page.getByText('git push strata main').waitFor()
    expect(await violationsOf(page)).toEqual([])
    expect(await tooWideAt(page, 320, 768, 2560)).toEqual([])
    await keepScreenshots(page, 'project-hosted')
    expect(complaints).toEqual([])
  })

  async function settings() {
    return (await call(site.daemon, 'GET', `/projects/${shop.id}`)).body
  }
})

const tabs = [
  ['Branches', 'Last access'],
  ['Secrets', 'No secret in this scope'],
  ['Webhooks', 'Payload URL'],
  ['Notifications', 'No receiver of notifications'],
  ['Settings', 'Delete this project'],
] as const

/** Opens the menu of a branch and chooses an action. */
async function choose(page: Page, branch: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${branch}` }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

async function setSecret(page: Page, name: string, value: string): Promise<void> {
  await page.getByRole('button', { name: 'Set a secret' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill(name)
  await page.getByRole('dialog').getByLabel('Value').fill(value)
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByRole('cell', { name }).waitFor()
}
