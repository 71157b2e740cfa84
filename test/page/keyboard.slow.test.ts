import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DnsServer, startDnsServer } from '../support/acme/dns-server.ts'
import { eventually } from '../support/apps/eventually.ts'
import { browserReason, hasBrowser } from '../support/page/browser.ts'
import { type PageOfDaemon, startPageOfDaemon } from '../support/page/page-of-daemon.ts'
import { call } from '../support/stratad/call.ts'
import { masterToken } from '../support/stratad/daemon.ts'
import { createProject, deploy, type Project, rowOf } from '../support/stratad/project.ts'
import { addRow, rowApp } from '../support/stratad/row-app.ts'

/** The daily tasks of a person who has no mouse: no step clicks, and no step sets the focus. */
describe.skipIf(!hasBrowser)(`the page by keyboard alone${browserReason}`, () => {
  let dns: DnsServer
  let site: PageOfDaemon

  beforeAll(async () => {
    dns = await startDnsServer()
    site = await startPageOfDaemon({
      SERVICE_PUBLIC_ADDRESSES: '203.0.113.7',
      SERVICE_DOMAINS_RESOLVER: dns.address,
    })
  })

  afterAll(async () => {
    await site?.stop()
    dns?.close()
  })

  describe.each([1440, 320])('at %s px', (width) => {
    const name = `shop${width}`
    let page: Page
    let project: Project
    let first: string
    let second: string

    beforeAll(async () => {
      project = await createProject(site.daemon, name, {
        ...rowApp,
        'server.js': `${rowApp['server.js']}\nconsole.log('listening')\n`,
      })
      const { repository } = project
      first = repository.git('rev-parse', 'HEAD')
      repository.git('branch', 'feature')
      repository.git('branch', 'gone')
      expect((await deploy(site.daemon, project)).status).toBe(201)
      second = repository.commit({ 'note.txt': 'second' })
      expect((await deploy(site.daemon, project)).status).toBe(201)
      expect((await deploy(site.daemon, project, 'gone')).status).toBe(201)
      await addRow(site.daemon, project, 'kept', 'gone')
      const gone = await rowOf(site.daemon, project, 'gone')
      await call(site.daemon, 'DELETE', `/environments/${gone.id}`)
      repository.git('switch', '--quiet', '--create', 'broken')
      repository.commit({ 'server.js': 'console.error("no database"); process.exit(7)' })
      expect((await deploy(site.daemon, project, 'broken')).status).toBe(422)
      await call(site.daemon, 'POST', '/tokens', { name: `old${width}` })
      page = (await site.open('/', { token: null, width, height: 740 })).page
    })

    afterAll(() => page?.context().close())

    const press = (...keys: readonly string[]) =>
      keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve())
    const isFocused = (target: Locator) =>
      target.evaluate((element) => element === element.ownerDocument.activeElement)
    const button = (text: string | RegExp, place: Page | Locator = page) =>
      place.getByRole('button', { name: text, exact: typeof text === 'string' }).first()
    const dialog = () => page.getByRole('dialog')

    /** Presses Tab until an element has the focus. Throws if 120 steps do not reach it. */
    async function reach(target: Locator): Promise<void> {
      await target.waitFor()
      for (let step = 0; step < 120; step += 1) {
        if (await isFocused(target)) return
        await page.keyboard.press('Tab')
      }
      throw new Error(`Tab does not reach ${target}`)
    }

    async function choose(target: Locator): Promise<void> {
      await reach(target)
      await page.keyboard.press('Enter')
    }

    /** Opens a place by the command palette. */
    async function find(text: string, title: string): Promise<void> {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').waitFor()
      await page.keyboard.type(text)
      await page.getByRole('option', { selected: true }).filter({ hasText: text }).waitFor()
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: title, level: 1, exact: true }).waitFor()
    }

    /** Opens the room of the live environment of `main`. */
    async function openMain(): Promise<void> {
      await find(name, name)
      const link = page.getByRole('table').getByRole('link', { name: 'main', exact: true })
      await choose(link.first())
      await page.getByRole('heading', { name: 'main', level: 1, exact: true }).waitFor()
    }

    async function openTab(text: string): Promise<void> {
      await reach(page.getByRole('tab', { selected: true }))
      const tab = page.getByRole('tab', { name: text })
      for (let step = 0; step < 6 && !(await isFocused(tab)); step += 1) await press('ArrowRight')
      expect(await tab.getAttribute('aria-selected')).toBe('true')
    }

    const mainIs = (check: (row: Awaited<ReturnType<typeof rowOf>>) => boolean) =>
      eventually(async () => check(await rowOf(site.daemon, project)), 30_000)

    test('signs in, and sees which environments are live', async () => {
      await page.getByLabel('Token').waitFor()
      await page.keyboard.type(masterToken)
      await press('Enter')
      await page.getByRole('heading', { name: 'Overview' }).waitFor()
      const row = page.getByRole('row').filter({ hasText: name }).filter({ hasText: 'main' })
      await row.getByText('Running', { exact: true }).first().waitFor()
    })

    test('lists the keys, and learns why the last deploy failed', async () => {
      await press('?')
      await dialog().getByText('Previous row').waitFor()
      await press('Escape')
      await press('g', 'd')
      await page.getByRole('heading', { name: 'Deploys', level: 1 }).waitFor()
      const row = page.getByRole('row').filter({ hasText: name }).filter({ hasText: 'broken' })
      await row.getByText('Deploy failed').first().waitFor()
      await row
        .getByText(/code 7/)
        .first()
        .waitFor()
    })

    test('deploys a branch', async () => {
      await find(name, name)
      await choose(button('Deploy a branch'))
      await dialog().waitFor()
      await press('Control+a')
      await page.keyboard.type('feature')
      await press('Enter')
      await page.getByText('The deploy of feature is queued.').waitFor()
      const isUp = async () => (await rowOf(site.daemon, project, 'feature'))?.state === 'running'
      expect(await eventually(isUp, 60_000)).toBe(true)
    })

    test('rolls a branch back', async () => {
      await openMain()
      await choose(button('More actions'))
      await page.getByRole('menuitem', { name: 'Deploy' }).waitFor()
      await press('ArrowDown', 'Enter')
      await choose(button(`Roll back to ${first.slice(0, 7)}`, dialog()))
      await page.getByText(/The rollback of main to .* is queued/).waitFor()
      expect(
        await mainIs((row) => row.branch.commit_sha === first && row.state === 'running'),
      ).toBe(true)
      await choose(button('Undo the rollback'))
      expect(
        await mainIs((row) => row.branch.commit_sha === second && row.state === 'running'),
      ).toBe(true)
    })

    test('reads the log of an app, and searches it', async () => {
      await openMain()
      await page.getByRole('log').getByText('listening').first().waitFor()
      await press('/')
      await page.keyboard.type('listening')
      await page.getByText(/^1 of [1-9]/).waitFor()
      await press('Escape')
      expect(await isFocused(page.getByRole('log'))).toBe(true)
    })

    test('pauses an app, and wakes it', async () => {
      await openMain()
      await choose(button('Pause'))
      await choose(button('Pause', dialog()))
      expect(await mainIs(({ state }) => state === 'paused')).toBe(true)
      await dialog().waitFor({ state: 'detached' })
      await choose(button('Wake'))
      await choose(button('Wake', dialog()))
      expect(await mainIs(({ state }) => state === 'running')).toBe(true)
      await dialog().waitFor({ state: 'detached' })
    })

    test('adds a secret', async () => {
      await find(name, name)
      await openTab('Secrets')
      await choose(button('Set a secret'))
      await dialog().waitFor()
      expect(await isFocused(dialog().getByLabel('Name'))).toBe(true)
      await page.keyboard.type('API_KEY')
      await press('Tab')
      await page.keyboard.type('hunter2')
      await choose(button('Save', dialog()))
      await page.getByRole('table', { name: 'Secrets' }).getByText('API_KEY').waitFor()
    })

    test('adds a domain, which waits for DNS in the list', async () => {
      await openTab('Domains')
      await choose(button('Add a domain'))
      await dialog().waitFor()
      await page.keyboard.type(`${name}.example.com`)
      await press('Enter')
      await dialog().getByRole('heading', { name: 'Waiting for DNS' }).waitFor()
      await press('Escape')
      const list = page.getByRole('list', { name: 'Domains' })
      await list.getByText('Waiting for DNS').waitFor()
      await choose(button('Try again now', list))
      await list.getByText(/^Still waiting/).waitFor()
      await choose(button(`Forget ${name}.example.com`, list))
      await page.getByText('No domains of your own').waitFor()
    })

    test('restores data from the trash', async () => {
      await press('g', 'b')
      await choose(button(`Actions of the data of gone in ${name}`))
      await page.getByRole('menuitem', { name: 'Restore' }).waitFor()
      await press('Enter')
      await choose(button('Restore', dialog()))
      await page.getByText('The data of gone is back.').waitFor()
    })

    test('revokes a token', async () => {
      await press('g', 't')
      await choose(button(`Revoke the token old${width}`))
      await choose(button('Revoke', dialog()))
      await page.getByText(`The token old${width} is revoked.`).waitFor()
    })

    test('sees what the server lacks', async () => {
      await press('g', 'i')
      await page.getByRole('heading', { name: 'Infrastructure', level: 1 }).waitFor()
      await page.getByRole('heading', { name: 'Next steps' }).waitFor()
    })
  })
})
