import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../support/apps/eventually.ts'
import { type CuttableProxy, createProxy } from '../support/client/proxy.ts'
import { createUser, type TestUser } from '../support/client/test-user.ts'
import { call, visit } from '../support/stratad/call.ts'
import { cleanUp, type Daemon, masterToken, startDaemon } from '../support/stratad/daemon.ts'
import { createRepository, plainApp, type Repository } from '../support/stratad/plain-app.ts'

const host = 'main--shop.localhost'

/** One user, one daemon and one project. The tests build on each other, in the order in which a user meets the commands. */
describe('the client', () => {
  let daemon: Daemon
  let proxy: CuttableProxy
  let user: TestUser
  let repository: Repository
  let shop: string
  let first: string

  beforeAll(async () => {
    daemon = await startDaemon()
    proxy = await createProxy(daemon.port)
    user = createUser(join(daemon.dataDir, 'home'))
    shop = join(daemon.dataDir, 'work/shop')
    repository = createRepository(shop)
    first = repository.git('rev-parse', 'HEAD')
  })
  afterAll(async () => {
    await proxy.close()
    await daemon.stop()
    cleanUp(daemon.dataDir)
  })

  const strata = (...args: string[]) => user.strata(shop, args)

  async function succeed(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await strata(...args)
    expect({ code, stderr }, stderr).toMatchObject({ code: 0 })
    return stdout
  }

  test('advises strata daemon start while no daemon is configured', async () => {
    const { code, stdout, stderr } = await strata('up')
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('strata daemon start')
  })

  test('stores nothing after a login with an invalid token', async () => {
    const input = 'a-token-that-nobody-gave\n'
    const answer = await user.strata(shop, ['login', proxy.url], { input })
    expect(answer.code).toBe(4)
    expect(answer.stdout + answer.stderr).not.toContain('a-token-that-nobody-gave')
    expect((await strata('ps')).code).toBe(1)
  })

  test('logs in with a token from standard input, and shows only its first characters', async () => {
    const answer = await user.strata(shop, ['login', proxy.url], { input: `${masterToken}\n` })
    expect(answer).toMatchObject({ code: 0, stderr: '' })
    expect(answer.stdout).toContain(`${masterToken.slice(0, 4)}…`)
    expect(answer.stdout).not.toContain(masterToken)
    expect(statSync(user.contextsFile).mode & 0o777).toBe(0o600)
    expect(readFileSync(user.contextsFile, 'utf8')).toContain(masterToken)
    for (const args of [['whoami'], ['context', 'list'], ['whoami', '--json']]) {
      expect(await succeed(...args)).not.toContain(masterToken)
    }
  })

  test('registers the project, deploys the checked-out branch and prints its address', async () => {
    const { code, stdout, stderr } = await strata('up')
    expect(stderr).toContain('registered shop')
    expect({ code, stdout }).toEqual({ code: 0, stdout: `http://${host}:${daemon.gatewayPort}\n` })
    expect(stderr).not.toContain('\u001b')
    expect((await visit(daemon, host)).body.commit).toBe(first)
  })

  test('lists live environments as a table and as JSON', async () => {
    const shown = await succeed('status')
    expect(shown).toMatch(/ID +PROJECT +BRANCH +STATE/)
    expect(shown).toMatch(new RegExp(`shop +main +running +${first.slice(0, 7)}`))
    expect(JSON.parse(await succeed('status', '--json')).environments).toMatchObject([
      { state: 'running', address: `http://${host}:${daemon.gatewayPort}` },
    ])
    expect(JSON.parse(await succeed('ps', '--json'))).toMatchObject([{ url: host }])
    expect((await user.strata(shop, ['ps'], { env: { FORCE_COLOR: '1' } })).stdout).toContain(
      '\u001b[32mrunning',
    )
    expect((await user.strata(shop, ['ps'], { env: { NO_COLOR: '1' } })).stdout).not.toContain(
      '\u001b',
    )
  })

  test('pauses and wakes an environment', async () => {
    expect(await succeed('pause')).toContain('asleep')
    expect(await succeed('ps')).toMatch(/main +paused/)
    expect((await strata('pause')).code).toBe(1)
    expect(await succeed('wake')).toContain(`http://${host}`)
    expect(await succeed('ps')).toMatch(/main +running/)
  })

  test('follows a log across lost connections without losing or repeating a line', async () => {
    const following = user.start(shop, ['logs', '--follow'])
    const count = 60
    const lines = () => following.stdout().match(/^GET \/line-\d+$/gm) ?? []
    for (let turn = 1; turn <= count; turn += 1) {
      await visit(daemon, host, `/line-${turn}`)
      if (turn % 20 !== 10) continue
      // Waits until the client has almost all lines. Only then cuts the connection.
      expect(await eventually(() => lines().length > turn - 5, 20_000)).toBe(true)
      const before = proxy.connectionCount()
      proxy.cut()
      if (turn === 30)
        expect(await eventually(() => proxy.connectionCount() > before, 20_000)).toBe(true)
    }
    expect(await eventually(() => lines().length >= count, 30_000)).toBe(true)
    expect(lines()).toEqual(Array.from({ length: count }, (_, index) => `GET /line-${index + 1}`))
    following.process.kill('SIGINT')
    expect((await following.ended()).code).toBe(130)
    expect(following.stderr()).toContain('reconnecting')
  })

  test('sets a variable from standard input, lists it and deletes it', async () => {
    const value = 'a unique greeting'
    const set = await user.strata(shop, ['env', 'set', 'GREETING'], { input: `${value}\n` })
    expect(set.code).toBe(0)
    expect(set.stdout + set.stderr).not.toContain(value)
    expect(await succeed('env', 'list')).toMatch(/GREETING +project/)
    repository.commit({ 'note.txt': 'second' }, 'second')
    await succeed('up')
    expect((await visit(daemon, host)).body.greeting).toBe(value)
    await succeed('env', 'delete', 'GREETING')
    expect((await strata('env', 'delete', 'GREETING')).code).toBe(2)
  })

  test('rolls back to the previous commit', async () => {
    expect(await succeed('rollback')).toContain(host)
    expect((await visit(daemon, host)).body.commit).toBe(first)
  })

  test('shows the end of a failed build log, and that the previous version keeps running', async () => {
    const build = 'console.log("x is what was missing"); process.exit(3)'
    const whole = plainApp['package.json'] ?? ''
    const scripts = { start: 'node server.js', build: 'node build.js' }
    repository.commit({
      'build.js': build,
      'package.json': JSON.stringify({ ...JSON.parse(whole), scripts }),
    })
    const { code, stdout, stderr } = await strata('up')
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('│ x is what was missing')
    expect(stderr).toContain('the previous version keeps running')
    expect(stderr).toMatch(/try: strata logs \d+/)
    expect(await succeed('status')).toContain('build_failed')
  })

  test('does not abort a deploy on Ctrl-C', async () => {
    // Builds of a daemon of root see this folder, but not the data folder around it.
    const gate = join(daemon.dataDir, 'cache/gate')
    const sha = repository.commit({
      'build.js': `const { existsSync } = require('node:fs')
const wait = () => existsSync(${JSON.stringify(gate)}) || setTimeout(wait, 20)
wait()`,
    })
    const up = user.start(shop, ['up'])
    expect(await eventually(() => up.stderr().includes('building'), 30_000)).toBe(true)
    up.process.kill('SIGINT')
    expect(await up.ended()).toMatchObject({ code: 130, stdout: '' })
    expect(up.stderr()).toContain('continues')
    writeFileSync(gate, '')
    const isLive = async () => (await visit(daemon, host)).body?.commit === sha
    expect(await eventually(isLive, 30_000)).toBe(true)
  })

  test('advises the next step without a repository, a commit or a branch', async () => {
    const empty = join(daemon.dataDir, 'home/empty')
    mkdirSync(empty, { recursive: true })
    const none = await user.strata(empty, ['up'])
    expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining('git init') })
    const fresh = createRepository(join(daemon.dataDir, 'work/fresh'))
    fresh.git('checkout', '--quiet', '--orphan', 'bare')
    const noCommit = await user.strata(fresh.folder, ['up'])
    expect(noCommit).toMatchObject({ code: 1, stderr: expect.stringContaining('git commit') })
    fresh.git('checkout', '--quiet', '--detach', 'main')
    const detached = await user.strata(fresh.folder, ['up'])
    expect(detached).toMatchObject({ code: 1, stderr: expect.stringContaining('git switch') })
    const absent = await strata('up', 'no-such-branch')
    expect(absent).toMatchObject({ code: 2, stderr: expect.stringContaining('main') })
    const remote = await strata('up', '--remote')
    expect(remote).toMatchObject({ code: 1, stderr: expect.stringContaining('git remote add') })
    repository.git('remote', 'add', 'origin', 'https://git.example.com/team/shop.git')
    const unpushed = await strata('up', '--remote')
    expect(unpushed).toMatchObject({ code: 2, stderr: expect.stringContaining('git push') })
  })

  test('exits with 2 for not found, 4 for not allowed and 1 for other errors', async () => {
    for (const args of [
      ['logs', '9999'],
      ['pause', '9999'],
      ['down', 'nobody'],
      ['wake', '9999'],
    ]) {
      expect({ args, code: (await strata(...args)).code }).toEqual({ args, code: 2 })
    }
    const wrong = { STRATA_HOST: proxy.url, STRATA_TOKEN: 'not-a-token-of-anybody' }
    const unknown = await user.strata(shop, ['ps'], { env: wrong })
    expect(unknown.code).toBe(4)
    expect(unknown.stderr).not.toContain('not-a-token-of-anybody')
    const { stdout: token } = await strata('token', 'create', 'reader', '--role', 'viewer')
    const viewer = { STRATA_HOST: proxy.url, STRATA_TOKEN: token.trim() }
    expect((await user.strata(shop, ['ps'], { env: viewer })).code).toBe(0)
    expect((await user.strata(shop, ['pause'], { env: viewer })).code).toBe(4)
    expect((await user.strata(shop, ['backup'], { env: viewer })).code).toBe(4)
    expect((await strata('up', '--no-such-option')).code).toBe(1)
    expect((await strata('configure', '--pause-after', 'soon')).code).toBe(1)
  })

  test('prints valid JSON for every list command', async () => {
    const commands = [
      ['queue'],
      ['stats'],
      ['infra'],
      ['env', 'list'],
      ['token', 'list'],
      ['node', 'list'],
      ['audit'],
      ['configure'],
      ['whoami'],
      ['context', 'list'],
      ['trash', 'list'],
      ['logs'],
    ]
    for (const args of commands) {
      const [json, text] = await Promise.all([succeed(...args, '--json'), succeed(...args)])
      expect(typeof JSON.parse(json), args.join(' ')).toBe('object')
      expect(text, args.join(' ')).not.toBe('')
    }
  })

  test('creates and deletes the webhook secret of a project', async () => {
    const { webhook_secret, addresses } = JSON.parse(await succeed('webhook', 'create', '--json'))
    expect(webhook_secret).toMatch(/^[0-9a-f]{64}$/)
    expect(addresses).toContain(`${proxy.url}/api/v1/webhooks/github`)
    expect(await succeed('webhook', 'create')).toMatch(/^secret {3}[0-9a-f]{64}\naddress/)
    expect(await succeed('configure')).toMatch(/webhook secret +its own/)
    await succeed('webhook', 'delete')
    expect((await strata('webhook', 'delete')).code).toBe(2)
    expect(await succeed('configure')).toMatch(/webhook secret +of the daemon/)
  })

  test('downloads a backup with mode 0600, and refuses to overwrite a file', async () => {
    const file = join(daemon.dataDir, 'home/backup.tar')
    expect((await strata('backup', file)).stderr).toMatch(/data of 1 branch: .*\n.*not in it/)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect((await strata('backup', file)).code).toBe(1)
    const bare = await strata('backup', `${file}.bare`, '--no-data', '--json')
    expect(JSON.parse(bare.stdout)).toMatchObject({ data: null })
    expect(bare.stderr).toContain('without the data of apps')
    const unconfirmed = await strata('restore', file)
    expect(unconfirmed).toMatchObject({ code: 1, stderr: expect.stringContaining('--yes') })
    expect(await strata('restore', file, '--yes')).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('SERVICE_ALLOW_RESTORE'),
    })
    expect(await succeed('rotate-key')).toContain('new key')
  })

  test('completes a deploy across a restart of the daemon', async () => {
    const gate = join(daemon.dataDir, 'cache/second-gate')
    const build = readFileSync(join(shop, 'build.js'), 'utf8').replace(/"[^"]*gate"/, () =>
      JSON.stringify(gate),
    )
    const sha = repository.commit({ 'build.js': build }, 'another')
    const up = user.start(shop, ['up'])
    expect(await eventually(() => up.stderr().includes('building'), 30_000)).toBe(true)
    await daemon.stop('SIGKILL')
    writeFileSync(gate, '')
    daemon = await daemon.restart()
    const { code, stdout } = await up.ended()
    expect({ code, stdout }, up.stderr()).toMatchObject({ code: 0 })
    expect((await visit(daemon, host)).body.commit).toBe(sha)
  })

  test('removes an environment, then the project', async () => {
    expect(await succeed('down', '--yes')).toContain('gone')
    expect((await strata('down')).code).toBe(2)
    expect(await succeed('down', '--everything', '--yes')).toContain('deleted shop')
    expect((await call(daemon, 'GET', '/projects')).body).toEqual([])
  })

  test('reports a stopped daemon and advises a next command', async () => {
    await daemon.stop()
    const { code, stderr } = await strata('ps')
    expect(code).toBe(1)
    expect(stderr).toContain('try: strata')
    const doctor = await strata('doctor')
    expect(doctor).toMatchObject({ code: 1, stdout: expect.stringMatching(/fail +daemon/) })
    const unknown = await user.strata(shop, ['doctor'], { env: { STRATA_CONTEXT: 'nope' } })
    expect(unknown).toMatchObject({ code: 1, stdout: expect.stringContaining('unknown context') })
    expect(JSON.parse((await strata('doctor', '--json')).stdout)).toContainEqual(
      expect.objectContaining({ name: 'git', level: 'ok' }),
    )
  })

  test('deletes the context on logout', async () => {
    await succeed('logout')
    expect(readFileSync(user.contextsFile, 'utf8')).not.toContain(masterToken)
    expect((await strata('logout')).code).toBe(1)
  })
})
