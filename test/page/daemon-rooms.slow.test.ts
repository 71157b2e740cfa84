import { readFileSync } from 'node:fs'
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
import { call } from '../support/stratad/call.ts'
import { createProject, deploy, type Project, rowOf } from '../support/stratad/project.ts'
import { addRow, rowApp, rowsOfApp } from '../support/stratad/row-app.ts'

/** A name that would run code, or hide text, if any room took it for more than a text. */
const hostile = '<img src=x onerror=alert(1)>\u202eתואר 🦊'

describe.skipIf(!hasBrowser)(`the rooms of the daemon${browserReason}`, () => {
  let site: PageOfDaemon
  let shop: Project

  beforeAll(async () => {
    site = await startPageOfDaemon({ SERVICE_ALLOW_RESTORE: '1' })
    shop = await createProject(site.daemon, 'shop', rowApp)
    expect((await deploy(site.daemon, shop)).status).toBe(201)
  })

  afterAll(async () => {
    await site?.stop()
  })

  const api = (method: string, path: string, body?: unknown) =>
    call(site.daemon, method, path, body)

  /** Checks a room in both themes and at all widths, and keeps its pictures. */
  async function inspect(page: Page, name: string): Promise<void> {
    await keepScreenshots(page, name)
    expect(await violationsOf(page)).toEqual([])
    expect(await tooWideAt(page, 320, 768, 1440, 2560)).toEqual([])
  }

  describe('nodes', () => {
    test('are registered after a probe, drained, activated by undo, and removed', async () => {
      const { page, complaints } = await site.open('/nodes')
      await page.getByRole('heading', { name: 'Nodes' }).waitFor()
      await page.getByRole('cell', { name: 'local', exact: true }).waitFor()
      await page.getByRole('button', { name: 'Register node' }).click()
      await page.getByLabel('Name').fill('second')
      await page.getByLabel('Kind').selectOption('local')
      await keepScreenshots(page, 'nodes-register')
      expect(await violationsOf(page)).toEqual([])
      await page.getByRole('button', { name: 'Probe and register' }).click()
      await page.getByRole('cell', { name: 'second', exact: true }).waitFor()
      await inspect(page, 'nodes')

      await page.getByRole('button', { name: 'Actions of node second' }).click()
      await page.getByRole('menuitem', { name: 'Drain' }).click()
      await page.getByText('New deploys go to other nodes.').waitFor()
      await page.getByRole('button', { name: 'Drain' }).click()
      await page.getByText('Draining').waitFor()
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByText('Draining').waitFor({ state: 'hidden' })

      await page.getByRole('button', { name: 'Actions of node second' }).click()
      await page.getByRole('menuitem', { name: 'Remove' }).click()
      await page.getByRole('button', { name: 'Remove' }).click()
      await page.getByRole('cell', { name: 'second', exact: true }).waitFor({ state: 'hidden' })
      expect((await api('GET', '/nodes')).body).toHaveLength(1)
      expect(complaints).toEqual([])
    })

    test('show the error of a probe, and keep what was typed', async () => {
      const { page } = await site.open('/nodes')
      await page.getByRole('button', { name: 'Register node' }).click()
      await page.getByLabel('Name').fill('remote')
      await page.getByLabel('Endpoint').fill('tcp://127.0.0.1:1')
      await page.getByRole('button', { name: 'Probe and register' }).click()
      await page.getByRole('alert').waitFor()
      expect(await page.getByLabel('Endpoint').inputValue()).toBe('tcp://127.0.0.1:1')
      await page.keyboard.press('Escape')
      expect(await page.getByRole('dialog').count()).toBe(0)
    })

    test('are evacuated, and environments without another place are listed', async () => {
      const { page } = await site.open('/nodes')
      await page.getByRole('button', { name: 'Actions of node local' }).click()
      await page.getByRole('menuitem', { name: 'Evacuate' }).click()
      await page.getByRole('button', { name: 'Evacuate' }).click()
      await page.getByText('stayed on this node').waitFor()
      await keepScreenshots(page, 'nodes-evacuated')
      await page.getByRole('button', { name: 'Close' }).last().click()
      await page.getByRole('button', { name: 'Actions of node local' }).click()
      await page.getByRole('menuitem', { name: 'Activate' }).click()
      await page.getByRole('button', { name: 'Activate' }).click()
      await page.getByText('Active').waitFor()
    })
  })

  describe('tokens', () => {
    test('are created for some projects, shown once, and revoked', async () => {
      const { page, complaints } = await site.open('/tokens')
      await page.getByText('No active tokens').waitFor()
      await inspect(page, 'tokens-empty')
      await page.getByRole('button', { name: 'Create token' }).click()
      await page.getByLabel('Name').fill(hostile)
      await page.getByLabel('Role').selectOption('viewer')
      await page.getByLabel('Projects', { exact: true }).selectOption('some')
      await page.getByRole('button', { name: 'Create', exact: true }).click()
      await page.getByText('Choose at least one project.').waitFor()
      await page.getByRole('checkbox', { name: 'shop' }).check()
      await page.getByLabel('Expires').selectOption('7d')
      await keepScreenshots(page, 'tokens-create')
      expect(await violationsOf(page)).toEqual([])
      await page.getByRole('button', { name: 'Create', exact: true }).click()
      await page.getByText('Copy the token now').waitFor()
      const token = (await page.locator('.copy-line code').first().textContent()) ?? ''
      expect(token).toMatch(/^[0-9a-f]{64}$/)
      const { body } = await call(site.daemon, 'GET', '/whoami', undefined, { token })
      expect(body).toMatchObject({ name: hostile, role: 'viewer', projects: [shop.id] })
      await keepScreenshots(page, 'tokens-created')
      await page.getByRole('button', { name: 'I have copied it' }).click()
      expect(await page.content()).not.toContain(token)
      await page.getByRole('cell', { name: 'viewer' }).waitFor()
      await inspect(page, 'tokens')

      await page.getByRole('button', { name: 'Revoke' }).click()
      await page.getByText('is refused from now on').waitFor()
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
      await page.getByText('No active tokens').waitFor()
      expect((await call(site.daemon, 'GET', '/projects', undefined, { token })).status).toBe(401)
      await page.getByLabel('Show revoked and expired tokens (1)').check()
      await page.getByText('Revoked', { exact: true }).waitFor()
      expect(complaints).toEqual([])
    })

    test('are hidden from named tokens, with the reason', async () => {
      const { body } = await api('POST', '/tokens', { name: 'ops', role: 'admin' })
      const { page } = await site.open('/tokens', { token: body.token })
      await page.getByText('This needs the master token.').waitFor()
    })
  })

  describe('trash and backups', () => {
    /** Destroys the only environment, so that its data is in the trash. */
    async function destroy(): Promise<void> {
      const { id } = await rowOf(site.daemon, shop)
      expect((await api('DELETE', `/environments/${id}`)).status).toBe(204)
    }

    test('an empty trash says when data comes there', async () => {
      const { page, complaints } = await site.open('/trash')
      await page.getByText('The trash is empty').waitFor()
      await inspect(page, 'trash-empty')
      expect(complaints).toEqual([])
    })

    test('data of a destroyed branch appears, is restored, and a deploy finds it', async () => {
      await addRow(site.daemon, shop, 'kept')
      const { page, complaints } = await site.open('/trash')
      await page.getByText('The trash is empty').waitFor()
      await destroy()
      await page.getByRole('cell', { name: 'main', exact: true }).waitFor()
      await inspect(page, 'trash')
      await page.getByRole('button', { name: 'Actions of the data of main in shop' }).click()
      await page.getByRole('menuitem', { name: 'Restore' }).click()
      await page.getByText('Nothing is deployed').waitFor()
      await page.getByRole('button', { name: 'Restore', exact: true }).click()
      await page.getByText('The trash is empty').waitFor()
      expect((await deploy(site.daemon, shop)).status).toBe(201)
      expect(await rowsOfApp(site.daemon, shop)).toContain('kept')
      expect(complaints).toEqual([])
    })

    test('data is deleted for good only after its branch was typed', async () => {
      await destroy()
      const { page } = await site.open('/trash')
      await page.getByRole('button', { name: 'Actions of the data of main in shop' }).click()
      await page.getByRole('menuitem', { name: 'Delete for good' }).click()
      const button = page.getByRole('dialog').getByRole('button', { name: 'Delete for good' })
      await page.getByRole('dialog').getByLabel('Name').fill('mai')
      await page.keyboard.press('Enter')
      expect(await button.getAttribute('aria-disabled')).toBe('true')
      expect((await api('GET', '/trash')).body).toHaveLength(1)
      await keepScreenshots(page, 'trash-purge')
      expect(await violationsOf(page)).toEqual([])
      await page.getByRole('dialog').getByLabel('Name').fill('main')
      await button.click()
      await page.getByText('The trash is empty').waitFor()
      expect((await api('GET', '/trash')).body).toEqual([])
      expect((await deploy(site.daemon, shop)).status).toBe(201)
    })

    test('a backup is downloaded with data and staged again by an upload', async () => {
      // A browser without the file picker, such as Firefox.
      const { page, complaints } = await site.open('/trash', {
        prepare: async (page) => {
          await page.addInitScript('delete window.showSaveFilePicker')
        },
      })
      const arrival = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Download backup' }).click()
      const download = await arrival
      expect(download.suggestedFilename()).toMatch(/\.tar$/)
      const file = await download.path()
      expect(readFileSync(file).subarray(257, 262).toString()).toBe('ustar')
      await page.getByLabel('Backup to restore').setInputFiles(file)
      await page.getByText('Nothing changes before that start.').waitFor()
      await keepScreenshots(page, 'trash-upload')
      expect(await violationsOf(page)).toEqual([])
      await page.getByRole('dialog').getByLabel('Name').fill('restore')
      await page.getByRole('button', { name: 'Upload and stage' }).click()
      await page.getByText('The backup is staged.').waitFor()
      const kinds = (await api('GET', '/audit')).body.map(({ kind }: { kind: string }) => kind)
      expect(kinds).toEqual(expect.arrayContaining(['backup_created', 'restore_staged']))
      expect(complaints).toEqual([])
    })

    test('a backup is written to the chosen file while it arrives, and an incomplete one is discarded', async () => {
      // Chromium without a window has no dialog for files: the private file system of the page gives a handle like it.
      const { page } = await site.open('/trash', {
        prepare: async (page) => {
          await page.addInitScript(
            `window.showSaveFilePicker = async ({ suggestedName }) => {
              window.suggested = suggestedName
              const root = await navigator.storage.getDirectory()
              return root.getFileHandle('chosen.tar', { create: true })
            }`,
          )
        },
      })
      const size = () =>
        page.evaluate(
          `navigator.storage.getDirectory().then(async (root) => (await (await root.getFileHandle('chosen.tar')).getFile()).size)`,
        )
      await page.getByText('The backup is written to the disk while it arrives.').waitFor()
      await page.getByRole('button', { name: 'Download backup' }).click()
      await page.getByText(/^chosen\.tar has [\d.]+ .?i?B\.$/).waitFor()
      const whole = await size()
      expect(whole).toBeGreaterThan(10_000)
      expect(await page.evaluate('window.suggested')).toMatch(/^strata-backup-[\d-]+\.tar$/)
      await page.route('**/api/v1/backup?*', (route) => route.abort('connectionreset'))
      await page.getByRole('button', { name: 'Download backup' }).click()
      await page.getByRole('alert').waitFor()
      expect(await size()).toBe(whole)
      await page.context().close()
    })

    test('a damaged backup is refused with the reason', async () => {
      const { page } = await site.open('/trash')
      const file = { name: 'old.tar', mimeType: 'application/x-tar', buffer: Buffer.alloc(2048, 7) }
      await page.getByLabel('Backup to restore').setInputFiles(file)
      await page.getByRole('dialog').getByLabel('Name').fill('restore')
      await page.getByRole('button', { name: 'Upload and stage' }).click()
      await page.getByRole('alert').waitFor()
    })
  })

  describe('infrastructure', () => {
    test('shows parts, walls and next steps, completes the setup and rotates the key', async () => {
      const { page, complaints } = await site.open('/infrastructure')
      await page.getByRole('heading', { name: 'Walls between projects' }).waitFor()
      await page.getByRole('cell', { name: 'Gateway', exact: true }).waitFor()
      await page.getByRole('heading', { name: 'Next steps' }).waitFor()
      await inspect(page, 'infrastructure')
      await page.getByRole('button', { name: 'Complete the setup' }).click()
      await page.getByRole('button', { name: 'Complete', exact: true }).click()
      await page.getByText('The setup is complete').waitFor()
      await page.getByRole('button', { name: 'Rotate key' }).click()
      await page.getByRole('button', { name: 'Rotate', exact: true }).click()
      await page.getByText(/encrypted with a new key/).waitFor()
      const kinds = (await api('GET', '/audit')).body.map(({ kind }: { kind: string }) => kind)
      expect(kinds).toContain('key_rotated')
      expect(complaints).toEqual([])
    })

    test('refuses a token of one project with the reason, and a viewer may only look', async () => {
      const { body: scoped } = await api('POST', '/tokens', { name: 'scoped', projects: [shop.id] })
      const first = await site.open('/infrastructure', { token: scoped.token })
      await first.page.getByText('This needs a token for all projects.').first().waitFor()
      const { body: viewer } = await api('POST', '/tokens', { name: 'viewer', role: 'viewer' })
      const second = await site.open('/infrastructure', { token: viewer.token })
      const button = second.page.getByRole('button', { name: /Complete the setup/ })
      await button.waitFor()
      expect(await button.getAttribute('aria-disabled')).toBe('true')
      expect(await button.getAttribute('title')).toContain('This needs the role admin.')
    })
  })

  describe('the keyboard', () => {
    test('opens the palette, which finds rooms, projects, branches and actions', async () => {
      const { page, complaints } = await site.open('/infrastructure')
      await page.getByRole('heading', { name: 'Infrastructure' }).waitFor()
      await page.keyboard.press('Control+k')
      const field = page.getByRole('combobox')
      await field.waitFor()
      await page.getByRole('option', { name: 'shop Project' }).waitFor()
      await page.getByRole('option', { name: /main shop/ }).waitFor()
      await keepScreenshots(page, 'palette')
      expect(await violationsOf(page)).toEqual([])
      expect(await tooWideAt(page, 320, 1440)).toEqual([])
      await field.fill('tok')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Tokens' }).waitFor()
      await page.keyboard.press('Control+k')
      await field.fill('dark')
      await page.keyboard.press('Enter')
      await page.locator('html[data-theme="dark"]').waitFor()
      await page.keyboard.press('Control+k')
      await field.fill('nothing has this name')
      await page.getByText('Nothing has this name.').waitFor()
      await page.keyboard.press('Escape')
      await field.waitFor({ state: 'hidden' })
      expect(complaints).toEqual([])
    })

    test('goes to rooms with two keys, moves through rows, and shows the sheet with a question mark', async () => {
      const { page } = await site.open('/infrastructure')
      await page.getByRole('heading', { name: 'Infrastructure' }).waitFor()
      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
      await keepScreenshots(page, 'keys')
      expect(await violationsOf(page)).toEqual([])
      await closeDialog(page)
      await page.keyboard.press('g')
      await page.keyboard.press('o')
      await page.getByRole('heading', { name: 'Overview' }).waitFor()
      await page.getByRole('link', { name: 'main' }).first().waitFor()
      await page.keyboard.press('j')
      expect(await page.evaluate('document.activeElement.textContent')).toContain('main')
      await page.keyboard.press('g')
      await page.keyboard.press('t')
      await page.getByRole('heading', { name: 'Tokens' }).waitFor()
    })

    test('leaves keys to fields, and single keys can be turned off', async () => {
      const { page } = await site.open('/tokens')
      await page.getByRole('button', { name: 'Create token' }).click()
      await page.getByLabel('Name').fill('')
      await page.keyboard.type('g o ?')
      expect(await page.getByLabel('Name').inputValue()).toBe('g o ?')
      await closeDialog(page)
      await page.keyboard.press('?')
      await page.getByLabel('Shortcuts of single keys').uncheck()
      await closeDialog(page)
      await page.keyboard.press('g')
      await page.keyboard.press('n')
      await page.keyboard.press('?')
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').waitFor()
      expect(await page.getByRole('heading', { name: 'Tokens', exact: true }).count()).toBe(1)
      expect(await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).count()).toBe(0)
    })
  })
})

/** Closes the open dialog. Keys reach the page only after that. */
async function closeDialog(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
}
