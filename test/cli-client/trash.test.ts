import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../support/apps/eventually.ts'
import { createUser, type TestUser } from '../support/client/test-user.ts'
import { program } from '../support/generator/strata.ts'
import { call } from '../support/stratad/call.ts'
import { cleanUp, type Daemon, masterToken, startDaemon } from '../support/stratad/daemon.ts'
import { createProject, type Project, rowOf } from '../support/stratad/project.ts'
import { addRow, rowApp, rowsOfApp, trashOf } from '../support/stratad/row-app.ts'

const noTerminal =
  spawnSync('script', ['--version']).status === 0 ? '' : ', skipped: the program script is missing'

describe('the client', () => {
  let daemon: Daemon
  let user: TestUser
  let shop: Project

  beforeAll(async () => {
    daemon = await startDaemon()
    user = createUser(join(daemon.dataDir, 'home'))
    shop = await createProject(daemon, 'shop', rowApp)
    const input = `${masterToken}\n`
    const login = ['login', `http://127.0.0.1:${daemon.port}`]
    expect(await user.strata(shop.repository.folder, login, { input })).toMatchObject({ code: 0 })
    await succeed('up')
    await addRow(daemon, shop, 'first')
  })
  afterAll(async () => {
    await daemon.stop()
    cleanUp(daemon.dataDir)
  })

  const strata = (...args: string[]) => user.strata(shop.repository.folder, args)
  async function succeed(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await strata(...args)
    expect({ code, stderr }, stderr).toMatchObject({ code: 0 })
    return stdout
  }

  /** Runs strata on a terminal, answers its question with `answer`, and returns its output and exit code. */
  async function onTerminal(args: readonly string[], answer: string) {
    const command = [process.execPath, program, ...args].map((word) => `'${word}'`).join(' ')
    const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
      cwd: shop.repository.folder,
      env: { ...process.env, ...user.env, NO_COLOR: '1' },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
    expect(await eventually(() => text.includes('?') || child.exitCode !== null, 20_000)).toBe(true)
    child.stdin.write(answer)
    await once(child, 'close')
    return { code: child.exitCode, text }
  }

  test('says what strata down removes and keeps, and does nothing without --yes or a terminal', async () => {
    const { code, stdout, stderr } = await strata('down')
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('branch main of shop, running')
    expect(stderr).toContain('the data moves to the trash of the daemon for 30d')
    expect(stderr).toContain('strata up main brings it back')
    expect(stderr).toContain('nothing was done')
    expect(stderr).toContain('try: strata down main --yes')
    expect((await rowOf(daemon, shop)).state).toBe('running')
    const everything = await strata('down', '--everything', '--purge-data')
    expect(everything.code).toBe(1)
    expect(everything.stderr).toContain('the data is deleted for good')
    expect(everything.stderr).toContain(
      `strata down --everything --project ${shop.id} --purge-data --yes`,
    )
    expect((await call(daemon, 'GET', '/projects')).body).toHaveLength(1)
  })

  test.skipIf(noTerminal)(`asks on a terminal, and no is the default${noTerminal}`, async () => {
    for (const answer of ['\n', 'n\n', 'main\n']) {
      const { code, text } = await onTerminal(['down'], answer)
      expect({ code, text }).toMatchObject({ code: 1, text: expect.stringContaining('[y/N]') })
      expect(text).toContain('nothing was done')
    }
    expect(await onTerminal(['down'], '\u0003')).toMatchObject({ code: 130 })
    expect((await rowOf(daemon, shop)).state).toBe('running')
    const { code, text } = await onTerminal(['down'], 'y\n')
    expect(code).toBe(0)
    expect(text).toContain('main (environment 1) is gone; its data (')
    await succeed('up')
  })

  test('says after strata down where the data is and until when', async () => {
    const text = await succeed('down', '--yes')
    const [{ id, expires_at }] = await trashOf(daemon)
    expect(text).toContain(`in the trash until ${expires_at.slice(0, 10)} as entry ${id}`)
    expect(text).toContain('strata up main brings both back')
    expect(await succeed('trash', 'list')).toMatch(
      /shop \(1\) +main +\d+\.\d KiB +destroyed +master/,
    )
    expect(JSON.parse(await succeed('trash', 'list', '--json'))).toMatchObject([
      { id, branch: 'main', project_id: shop.id },
    ])
  })

  test('restores an entry, and refuses an entry that does not exist with exit code 2', async () => {
    const [{ id }] = await trashOf(daemon)
    expect(await succeed('trash', 'restore', String(id))).toContain('strata up main deploys it')
    expect((await strata('trash', 'restore', String(id))).code).toBe(2)
    expect((await strata('trash', 'restore', 'main')).code).toBe(1)
    await succeed('up')
    expect(await rowsOfApp(daemon, shop)).toEqual(['first'])
  })

  test('purges an entry only with --yes, and exits with 4 for a token that may not', async () => {
    const parsed = JSON.parse(await succeed('down', '--yes', '--json'))
    expect(parsed).toMatchObject({ status: 'destroyed', trash: { branch: 'main' } })
    const id = String(parsed.trash.id)
    const refused = await strata('trash', 'purge', id)
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain(`strata trash purge ${id} --yes`)
    const body = { name: 'dev', role: 'developer' }
    const { token } = (await call(daemon, 'POST', '/tokens', body)).body
    const env = { STRATA_HOST: `http://127.0.0.1:${daemon.port}`, STRATA_TOKEN: token }
    const args = ['trash', 'purge', id, '--yes']
    expect((await user.strata(shop.repository.folder, args, { env })).code).toBe(4)
    expect(await trashOf(daemon)).toHaveLength(1)
    expect(await succeed('trash', 'purge', id, '--yes')).toContain('branch main of shop')
    expect((await strata('trash', 'purge', id, '--yes')).code).toBe(2)
    expect(await succeed('trash', 'list')).toBe('the trash is empty\n')
  })

  test('deletes the data with --purge-data', async () => {
    await succeed('up')
    await addRow(daemon, shop, 'second')
    expect(await succeed('down', '--purge-data', '--yes')).toContain('and so is its data')
    expect(await trashOf(daemon)).toEqual([])
  })

  test('names the data that a deleted project leaves', async () => {
    await succeed('up')
    await addRow(daemon, shop, 'third')
    const text = await succeed('down', '--everything', '--yes')
    expect(text).toContain('deleted shop')
    expect(text).toMatch(/data of main: .* in the trash until/)
    expect(await succeed('trash', 'list', '--project', 'shop')).toContain('project deleted')
  })
})
