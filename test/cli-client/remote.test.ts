import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createUser, type TestUser } from '../support/client/test-user.ts'
import { call, visit } from '../support/stratad/call.ts'
import { cleanUp, type Daemon, masterToken, startDaemon } from '../support/stratad/daemon.ts'
import { createRepository, plainApp, type Repository } from '../support/stratad/plain-app.ts'

let daemon: Daemon
let user: TestUser
let shop: Repository
let token: string

beforeAll(async () => {
  daemon = await startDaemon()
  user = createUser(join(daemon.dataDir, 'home'))
  shop = createRepository(join(daemon.dataDir, 'home/My Shop'), plainApp)
  const body = { name: 'ada', role: 'admin' }
  token = (await call(daemon, 'POST', '/tokens', body)).body.token
  const url = `http://127.0.0.1:${daemon.port}`
  await user.strata(shop.folder, ['login', url, '--name', 'test'], { input: token })
})
afterAll(async () => {
  await daemon.stop('SIGKILL')
  cleanUp(daemon.dataDir)
})

/** Runs git as the user. It may ask nobody. */
function git(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { status, stdout, stderr } = spawnSync('git', [...args], {
    cwd: shop.folder,
    encoding: 'utf8',
    env: { ...process.env, ...user.env, GIT_TERMINAL_PROMPT: '0', GIT_ASKPASS: '', ...env },
  })
  return { code: status, text: `${stdout}${stderr}` }
}

describe('strata remote add', () => {
  test('registers the project, and git push deploys with the token of the context', async () => {
    const added = await user.strata(shop.folder, ['remote', 'add'])
    expect(added).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('git push strata main'),
    })
    const push = git(['push', 'strata', 'main'])
    expect(push.text).toContain('main: running at http://main--my-shop.localhost')
    expect(push.code).toBe(0)
    const commit = shop.git('rev-parse', 'HEAD')
    expect((await visit(daemon, 'main--my-shop.localhost')).body.commit).toBe(commit)
    const { body } = await call(daemon, 'GET', '/audit?kind=build_succeeded')
    expect(body[0].operator).toBe('git:ada')
  })

  test('keeps the token out of the settings of the repository', () => {
    const settings = readFileSync(join(shop.folder, '.git/config'), 'utf8')
    expect(settings).not.toContain(token)
    expect(settings).toContain("'git-credential' '--context' 'test'")
  })

  test('is idempotent, and refuses a remote with another URL', async () => {
    const before = readFileSync(join(shop.folder, '.git/config'), 'utf8')
    expect((await user.strata(shop.folder, ['remote', 'add', '--json'])).code).toBe(0)
    expect(readFileSync(join(shop.folder, '.git/config'), 'utf8')).toBe(before)
    shop.git('remote', 'add', 'taken', 'https://git.example.com/team/shop.git')
    const refused = await user.strata(shop.folder, ['remote', 'add', 'taken'])
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('another URL') })
    const odd = await user.strata(shop.folder, ['remote', 'add', 'a..b'])
    expect(odd).toMatchObject({ code: 1, stderr: expect.stringContaining('invalid name') })
  })

  test('makes the project of the folder known to other commands', async () => {
    const status = await user.strata(shop.folder, ['status', '--json'])
    expect(status.stdout).toContain('my-shop')
    shop.commit({ 'note.txt': 'not pushed' })
    const up = await user.strata(shop.folder, ['up'])
    expect(up.stderr).toContain('1 commit is not pushed yet')
    expect(up.code).toBe(0)
  })
})

describe('strata git-credential', () => {
  const ask = (host: string, action = 'get', path = 'git/my-shop.git') =>
    user.strata(shop.folder, ['git-credential', action], {
      input: `protocol=http\nhost=${host}\npath=${path}\n\n`,
    })

  test('gives the token to the daemon of the context alone', async () => {
    const own = `127.0.0.1:${daemon.port}`
    expect((await ask(own)).stdout).toBe(`username=strata\npassword=${token}\n`)
    for (const [host, path] of [
      ['127.0.0.1:1', undefined],
      [`evil.example.com`, undefined],
      [`${own}.evil.example.com`, undefined],
      [own, 'other/path.git'],
    ] as const) {
      expect(await ask(host, 'get', path)).toMatchObject({ code: 0, stdout: '' })
    }
  })

  test('stores and erases nothing', async () => {
    const before = readFileSync(user.contextsFile, 'utf8')
    for (const action of ['store', 'erase']) {
      const input = `protocol=http\nhost=127.0.0.1:${daemon.port}\npassword=other\n`
      const run = await user.strata(shop.folder, ['git-credential', action], { input })
      expect(run).toMatchObject({ code: 0, stdout: '' })
    }
    expect(readFileSync(user.contextsFile, 'utf8')).toBe(before)
  })
})

describe('strata open', () => {
  test('prints the address and starts the program of BROWSER with it', async () => {
    const seen = join(daemon.dataDir, 'seen')
    const browser = join(daemon.dataDir, 'browser')
    const script = `#!${process.execPath}\nrequire('node:fs').writeFileSync(${JSON.stringify(seen)}, process.argv[2])\n`
    writeFileSync(browser, script, { mode: 0o755 })
    const env = { BROWSER: browser }
    const address = `http://main--my-shop.localhost:${daemon.gatewayPort}`
    const opened = await user.strata(shop.folder, ['open', 'main'], { env })
    expect(opened).toMatchObject({ code: 0, stdout: `${address}\n` })
    await expect.poll(() => readIfThere(seen), { timeout: 10_000 }).toBe(address)
    const missing = { BROWSER: '/no/such/browser' }
    const none = await user.strata(shop.folder, ['open', 'main'], { env: missing })
    expect(none.stderr).toContain('no browser was found')
  })

  test('exits with 2 for a branch without an environment', async () => {
    expect((await user.strata(shop.folder, ['open', 'nowhere'])).code).toBe(2)
  })
})

describe('strata env import', () => {
  test('sets the variables of a file, and export prints their names alone', async () => {
    mkdirSync(join(shop.folder, 'settings'), { recursive: true })
    const file = join(shop.folder, 'settings/.env')
    writeFileSync(file, 'GREETING="good day"\n# a comment\nAPI_KEY=hunter2-hunter2\n')
    const set = await user.strata(shop.folder, ['env', 'import', file])
    expect(set).toMatchObject({ code: 0, stdout: 'set API_KEY, GREETING for my-shop\n' })
    expect(set.stderr).not.toContain('hunter2')
    await user.strata(shop.folder, ['up'])
    expect((await visit(daemon, 'main--my-shop.localhost')).body.greeting).toBe('good day')
    const exported = await user.strata(shop.folder, ['env', 'export'])
    expect(exported.stdout).toBe('# API_KEY is a secret\n# GREETING is a secret\n')
  })

  test('--readable sets variables that list, export and the log of the app show', async () => {
    const text = 'GREETING="good evening"\nREGION=north-west-7\n'
    const args = ['env', 'import', '-', '--readable']
    expect((await user.strata(shop.folder, args, { input: text })).code).toBe(0)
    const exported = await user.strata(shop.folder, ['env', 'export'])
    expect(exported.stdout).toBe(
      "# API_KEY is a secret\nGREETING='good evening'\nREGION=north-west-7\n",
    )
    expect((await user.strata(shop.folder, ['env', 'list'])).stdout).toMatch(
      /API_KEY +project +\(secret\)\n.*GREETING +project +good evening/,
    )
    const path = `/projects/1/variables`
    const viewer = await call(daemon, 'POST', '/tokens', { name: 'v', role: 'viewer' })
    expect((await call(daemon, 'GET', path, undefined, { token: viewer.body.token })).status).toBe(
      403,
    )
    await user.strata(shop.folder, ['env', 'set', 'REGION=south-east-9'])
    const { body } = await call(daemon, 'GET', path)
    expect(body.variables).toContainEqual({ name: 'REGION', scope: 'project', value: null })
    expect((await call(daemon, 'GET', '/projects/1/secrets')).text).not.toContain('good evening')
  })

  test('sets nothing from a file with an invalid line or name, and shows no value', async () => {
    for (const text of ['GOOD=1\nhunter2 is the password\n', 'GOOD=1\nBAD-NAME=hunter2\n']) {
      const run = await user.strata(shop.folder, ['env', 'import', '-'], { input: text })
      expect(run.code).toBe(1)
      expect(run.stderr).not.toContain('hunter2')
    }
    expect((await user.strata(shop.folder, ['env', 'list'])).stdout).not.toContain('GOOD')
    expect((await user.strata(shop.folder, ['env', 'import', 'absent.env'])).code).toBe(2)
  })
})

test('the master token is not written by any of the commands', () => {
  expect(readFileSync(join(shop.folder, '.git/config'), 'utf8')).not.toContain(masterToken)
})

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
