import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../support/apps/eventually.ts'
import { createPerson, type Person } from '../support/client/client.ts'
import { createWire, type Wire } from '../support/client/wire.ts'
import { call, visit } from '../support/stratad/call.ts'
import { cleanUp, type Daemon, masterToken, startDaemon } from '../support/stratad/daemon.ts'
import { createRepository, plainApp, type Repository } from '../support/stratad/plain-app.ts'

const host = 'main--shop.localhost'

/** One person, one daemon and one project, in the order in which a person meets the commands. */
describe('the client', () => {
  let daemon: Daemon
  let wire: Wire
  let person: Person
  let repository: Repository
  let shop: string
  let first: string

  beforeAll(async () => {
    daemon = await startDaemon()
    wire = await createWire(daemon.port)
    person = createPerson(join(daemon.dataDir, 'home'))
    shop = join(daemon.dataDir, 'work/shop')
    repository = createRepository(shop)
    first = repository.git('rev-parse', 'HEAD')
  })
  afterAll(async () => {
    await wire.close()
    await daemon.stop()
    cleanUp(daemon.dataDir)
  })

  const strata = (...args: string[]) => person.strata(shop, args)

  async function done(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await strata(...args)
    expect({ code, stderr }, stderr).toMatchObject({ code: 0 })
    return stdout
  }

  test('says what to do while no daemon is known', async () => {
    const { code, stdout, stderr } = await strata('up')
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('strata daemon start')
  })

  test('keeps nothing of a token that is wrong', async () => {
    const input = 'a-token-that-nobody-gave\n'
    const answer = await person.strata(shop, ['login', wire.url], { input })
    expect(answer.code).toBe(4)
    expect(answer.stdout + answer.stderr).not.toContain('a-token-that-nobody-gave')
    expect((await strata('ps')).code).toBe(1)
  })

  test('logs in with a token from standard input, and shows its beginning only', async () => {
    const answer = await person.strata(shop, ['login', wire.url], { input: `${masterToken}\n` })
    expect(answer).toMatchObject({ code: 0, stderr: '' })
    expect(answer.stdout).toContain(`${masterToken.slice(0, 4)}…`)
    expect(answer.stdout).not.toContain(masterToken)
    expect(statSync(person.contextsFile).mode & 0o777).toBe(0o600)
    expect(readFileSync(person.contextsFile, 'utf8')).toContain(masterToken)
    for (const args of [['whoami'], ['context', 'list'], ['whoami', '--json']]) {
      expect(await done(...args)).not.toContain(masterToken)
    }
  })

  test('registers and deploys the branch that is checked out, and prints where it answers', async () => {
    const { code, stdout, stderr } = await strata('up')
    expect(stderr).toContain('registered shop')
    expect({ code, stdout }).toEqual({ code: 0, stdout: `http://${host}:${daemon.gatewayPort}\n` })
    expect(stderr).not.toContain('\u001b')
    expect((await visit(daemon, host)).body.commit).toBe(first)
  })

  test('shows what is live, for a person and as JSON', async () => {
    const shown = await done('status')
    expect(shown).toMatch(/ID +PROJECT +BRANCH +STATE/)
    expect(shown).toMatch(new RegExp(`shop +main +running +${first.slice(0, 7)}`))
    expect(JSON.parse(await done('status', '--json')).environments).toMatchObject([
      { state: 'running', address: `http://${host}:${daemon.gatewayPort}` },
    ])
    expect(JSON.parse(await done('ps', '--json'))).toMatchObject([{ url: host }])
    expect((await person.strata(shop, ['ps'], { env: { FORCE_COLOR: '1' } })).stdout).toContain(
      '\u001b[32mrunning',
    )
    expect((await person.strata(shop, ['ps'], { env: { NO_COLOR: '1' } })).stdout).not.toContain(
      '\u001b',
    )
  })

  test('puts to sleep and wakes', async () => {
    expect(await done('pause')).toContain('asleep')
    expect(await done('ps')).toMatch(/main +paused/)
    expect((await strata('pause')).code).toBe(1)
    expect(await done('wake')).toContain(`http://${host}`)
    expect(await done('ps')).toMatch(/main +running/)
  })

  test('follows the log over lost connections without a gap or a repeat', async () => {
    const following = person.start(shop, ['logs', '--follow'])
    const count = 60
    const lines = () => following.stdout().match(/^GET \/line-\d+$/gm) ?? []
    for (let turn = 1; turn <= count; turn += 1) {
      await visit(daemon, host, `/line-${turn}`)
      if (turn % 20 !== 10) continue
      // It is connected, and has come so far.
      expect(await eventually(() => lines().length > turn - 5, 20_000)).toBe(true)
      const before = wire.carried()
      wire.cut()
      if (turn === 30) expect(await eventually(() => wire.carried() > before, 20_000)).toBe(true)
    }
    expect(await eventually(() => lines().length >= count, 30_000)).toBe(true)
    expect(lines()).toEqual(Array.from({ length: count }, (_, index) => `GET /line-${index + 1}`))
    following.process.kill('SIGINT')
    expect((await following.ended()).code).toBe(130)
    expect(following.stderr()).toContain('connecting again')
  })

  test('sets variables whose values come from standard input, lists and deletes them', async () => {
    const value = 'a greeting of nobody else'
    const set = await person.strata(shop, ['env', 'set', 'GREETING'], { input: `${value}\n` })
    expect(set.code).toBe(0)
    expect(set.stdout + set.stderr).not.toContain(value)
    expect(await done('env', 'list')).toMatch(/GREETING +project/)
    repository.commit({ 'note.txt': 'second' }, 'second')
    await done('up')
    expect((await visit(daemon, host)).body.greeting).toBe(value)
    await done('env', 'delete', 'GREETING')
    expect((await strata('env', 'delete', 'GREETING')).code).toBe(2)
  })

  test('goes back to the commit before', async () => {
    expect(await done('rollback')).toContain(host)
    expect((await visit(daemon, host)).body.commit).toBe(first)
  })

  test('shows the end of the output of a build that failed, and what goes on', async () => {
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
    expect(stderr).toContain('the version before it goes on')
    expect(stderr).toMatch(/try: strata logs \d+/)
    expect(await done('status')).toContain('build_failed')
  })

  test('leaves a deploy to itself after Ctrl-C', async () => {
    const gate = join(daemon.dataDir, 'gate')
    const sha = repository.commit({
      'build.js': `const { existsSync } = require('node:fs')
const wait = () => existsSync(${JSON.stringify(gate)}) || setTimeout(wait, 20)
wait()`,
    })
    const up = person.start(shop, ['up'])
    expect(await eventually(() => up.stderr().includes('building'), 30_000)).toBe(true)
    up.process.kill('SIGINT')
    expect(await up.ended()).toMatchObject({ code: 130, stdout: '' })
    expect(up.stderr()).toContain('goes on')
    writeFileSync(gate, '')
    const isLive = async () => (await visit(daemon, host)).body?.commit === sha
    expect(await eventually(isLive, 30_000)).toBe(true)
  })

  test('names the next step where there is no repository, no commit, no branch', async () => {
    const empty = join(daemon.dataDir, 'home/empty')
    mkdirSync(empty, { recursive: true })
    const none = await person.strata(empty, ['up'])
    expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining('git init') })
    const fresh = createRepository(join(daemon.dataDir, 'work/fresh'))
    fresh.git('checkout', '--quiet', '--orphan', 'bare')
    const noCommit = await person.strata(fresh.folder, ['up'])
    expect(noCommit).toMatchObject({ code: 1, stderr: expect.stringContaining('git commit') })
    fresh.git('checkout', '--quiet', '--detach', 'main')
    const detached = await person.strata(fresh.folder, ['up'])
    expect(detached).toMatchObject({ code: 1, stderr: expect.stringContaining('git switch') })
    const absent = await strata('up', 'no-such-branch')
    expect(absent).toMatchObject({ code: 2, stderr: expect.stringContaining('main') })
    const remote = await strata('up', '--remote')
    expect(remote).toMatchObject({ code: 1, stderr: expect.stringContaining('git remote add') })
    repository.git('remote', 'add', 'origin', 'https://git.example.com/team/shop.git')
    const unpushed = await strata('up', '--remote')
    expect(unpushed).toMatchObject({ code: 2, stderr: expect.stringContaining('git push') })
  })

  test('ends with 2 for what is not there, 4 for what is not allowed, 1 for the rest', async () => {
    for (const args of [
      ['logs', '9999'],
      ['pause', '9999'],
      ['down', 'nobody'],
      ['wake', '9999'],
    ]) {
      expect({ args, code: (await strata(...args)).code }).toEqual({ args, code: 2 })
    }
    const wrong = { STRATA_HOST: wire.url, STRATA_TOKEN: 'not-a-token-of-anybody' }
    const unknown = await person.strata(shop, ['ps'], { env: wrong })
    expect(unknown.code).toBe(4)
    expect(unknown.stderr).not.toContain('not-a-token-of-anybody')
    const { stdout: token } = await strata('token', 'create', 'reader', '--role', 'viewer')
    const viewer = { STRATA_HOST: wire.url, STRATA_TOKEN: token.trim() }
    expect((await person.strata(shop, ['ps'], { env: viewer })).code).toBe(0)
    expect((await person.strata(shop, ['pause'], { env: viewer })).code).toBe(4)
    expect((await person.strata(shop, ['backup'], { env: viewer })).code).toBe(4)
    expect((await strata('up', '--no-such-option')).code).toBe(1)
    expect((await strata('configure', '--pause-after', 'soon')).code).toBe(1)
  })

  test('asks for every list in JSON that can be read', async () => {
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
      ['logs'],
    ]
    for (const args of commands) {
      const [json, text] = await Promise.all([done(...args, '--json'), done(...args)])
      expect(typeof JSON.parse(json), args.join(' ')).toBe('object')
      expect(text, args.join(' ')).not.toBe('')
    }
  })

  test('downloads a backup for its owner alone, and does not write over another', async () => {
    const file = join(daemon.dataDir, 'home/backup.tar')
    await done('backup', file)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect((await strata('backup', file)).code).toBe(1)
    expect(await strata('restore', file)).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('SERVICE_ALLOW_RESTORE'),
    })
    expect(await done('rotate-key')).toContain('new key')
  })

  test('deploys on while its daemon is away', async () => {
    const gate = join(daemon.dataDir, 'second-gate')
    const build = readFileSync(join(shop, 'build.js'), 'utf8').replace(/"[^"]*gate"/, () =>
      JSON.stringify(gate),
    )
    const sha = repository.commit({ 'build.js': build }, 'another')
    const up = person.start(shop, ['up'])
    expect(await eventually(() => up.stderr().includes('building'), 30_000)).toBe(true)
    await daemon.stop('SIGKILL')
    writeFileSync(gate, '')
    daemon = await daemon.restart()
    const { code, stdout } = await up.ended()
    expect({ code, stdout }, up.stderr()).toMatchObject({ code: 0 })
    expect((await visit(daemon, host)).body.commit).toBe(sha)
  })

  test('takes an environment down, and then there is none', async () => {
    expect(await done('down')).toContain('gone')
    expect((await strata('down')).code).toBe(2)
    expect(await done('down', '--everything')).toContain('deleted shop')
    expect((await call(daemon, 'GET', '/projects')).body).toEqual([])
  })

  test('says that the daemon is down, and how to start one', async () => {
    await daemon.stop()
    const { code, stderr } = await strata('ps')
    expect(code).toBe(1)
    expect(stderr).toContain('try: strata')
    const doctor = await strata('doctor')
    expect(doctor).toMatchObject({ code: 1, stdout: expect.stringMatching(/fail +daemon/) })
    expect(JSON.parse((await strata('doctor', '--json')).stdout)).toContainEqual(
      expect.objectContaining({ name: 'git', level: 'ok' }),
    )
  })

  test('forgets a daemon', async () => {
    await done('logout')
    expect(readFileSync(person.contextsFile, 'utf8')).not.toContain(masterToken)
    expect((await strata('logout')).code).toBe(1)
  })
})
