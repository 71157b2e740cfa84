import { execFileSync } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { type BuilderOptions, createBuilder } from '../../daemon/build/builder.ts'
import type { Cell, Walls } from '../../daemon/ports.ts'
import { createWalls } from '../../daemon/walls/walls.ts'
import { createApp, type Files, recorder, temporaryFolder } from '../support/daemon/build/app.ts'
import { startRegistry } from '../support/daemon/build/registry.ts'
import { projectDraft } from '../support/daemon/store/record-drafts.ts'
import { tempStore } from '../support/daemon/store/temp-store.ts'

const noWalls =
  process.platform !== 'linux'
    ? 'walls need Linux'
    : process.geteuid?.() !== 0
      ? 'walls need root'
      : undefined

const opened: Walls[] = []
afterEach(() => {
  for (const walls of opened.splice(0)) walls.close()
})

/** The install script of the package `guest`: tries to leave its place, and reports. */
const guestScript = `
const fs = require('node:fs'), path = require('node:path')
const attempt = (work) => { try { return work() } catch (error) { return error.code } }
const data = process.env.npm_config_cache.replace(/\\/cache\\/npm.*/, '')
fs.writeFileSync('report.json', JSON.stringify({
  uid: process.getuid(),
  key: attempt(() => fs.readFileSync(data + '/master.key', 'utf8')),
  npmrc: attempt(() => fs.readFileSync(process.env.HOME + '/.npmrc', 'utf8')),
  packages: attempt(() => fs.readdirSync(data + '/cache/packages').join()),
  scratch: attempt(() => fs.readdirSync(data + '/cache/scratch').join()),
  above: attempt(() => fs.writeFileSync(path.resolve('../../../planted'), 'x')),
  neighbor: attempt(() => fs.readdirSync(data + '/cache/npm/' + (process.env.npm_config_cache.endsWith('/1') ? 2 : 1)).join()),
  settings: Object.keys(process.env).filter((name) => /^SERVICE_|token/i.test(name)),
}))`

const app: Files = {
  'package.json': {
    name: 'shop',
    version: '1.0.0',
    scripts: { build: 'node build.js' },
    dependencies: { guest: '1.0.0', plain: '1.0.0' },
  },
  'build.js': `require('node:fs').writeFileSync('built.json', JSON.stringify({ uid: process.getuid(), env: process.env }))`,
  'server.js': '',
}

async function setUp(options: Partial<BuilderOptions> = {}) {
  const dataDir = temporaryFolder()
  const store = await tempStore()
  for (const name of ['one', 'two'])
    await store.projects.create(
      projectDraft({ name, remoteKey: name, repoUrl: `https://git.example.com/${name}` }),
    )
  writeFileSync(join(dataDir, 'master.key'), 'secret', { mode: 0o600 })
  const registry = await startRegistry(join(dataDir, 'registry'), {
    guest: {
      scripts: { postinstall: 'node install.js' },
      files: { 'install.js': guestScript, 'index.js': '' },
    },
    plain: { files: { 'index.js': 'module.exports = 1', 'bin.js': '' } },
  })
  const operator = join(dataDir, 'operator')
  mkdirSync(operator, { mode: 0o700 })
  const host = registry.url.replace('http:', '')
  writeFileSync(
    join(operator, '.npmrc'),
    `registry=${registry.url}\n${host}:_authToken=canary-token\nfetch-retries=0\n`,
  )
  const walls = await createWalls({ dataDir, store, uidRange: { from: 70_000, to: 99_999 } })
  opened.push(walls)
  const builder = createBuilder({
    cacheFolder: join(dataDir, 'cache'),
    env: { PATH: process.env.PATH, HOME: operator, SERVICE_MASTER_KEY: 'canary-key' },
    clock: Date,
    walls,
    ...options,
  })
  let count = 0
  const build = async (files: Files, { projectId = 1, env = {} } = {}) => {
    count += 1
    const releases = join(dataDir, 'releases', String(projectId))
    mkdirSync(releases, { recursive: true, mode: 0o711 })
    const checkout = createApp(join(releases, String(count)), files)
    const output = recorder()
    const plan = await builder.plan(checkout)
    const signal = new AbortController().signal
    const done = builder.build(checkout, plan, { projectId, env, output: output.sink, signal })
    await done.catch((error) => {
      throw Object.assign(error, { output: output.text() })
    })
    return { checkout, output: output.text() }
  }
  return { dataDir, registry, walls, builder, build }
}

/** Runs a program as the user of a project and returns its output. */
async function runAs(cell: Cell, cwd: string, code: string): Promise<string> {
  const child = await cell.spawn(process.execPath, ['-e', code], {
    cwd,
    env: {},
    stdio: ['ignore', 'pipe', 'inherit'],
    group: 'attack',
    limits: { memoryMb: 256, cpus: null, pids: 100 },
  })
  let text = ''
  for await (const chunk of child.stdout ?? []) text += chunk
  await cell.end('attack')
  return text
}

const json = (folder: string, name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'))

describe.skipIf(noWalls)(`a build as root${noWalls ? ` (skipped: ${noWalls})` : ''}`, () => {
  test("runs install scripts and the build as the project's user, without the daemon's secrets", async () => {
    const { build, walls, dataDir, registry } = await setUp()
    const { user } = await walls.cell(1)
    const { checkout } = await build(app)
    const { uid, env } = json(checkout, 'built.json')
    expect(uid).toBe(user?.uid)
    expect(uid).not.toBe(0)
    expect(JSON.stringify(env)).not.toContain('canary')
    expect(statSync(checkout)).toMatchObject({ uid, mode: 0o40700 })
    expect(json(join(checkout, 'node_modules/guest'), 'report.json')).toEqual({
      uid,
      key: hidden,
      npmrc: `registry=${registry.url}\nfetch-retries=0\n`,
      packages: hidden,
      scratch: 'EACCES',
      above: 'EACCES',
      neighbor: 'ENOENT',
      settings: [],
    })
    expect(existsSync(join(dataDir, 'cache/planted'))).toBe(false)
    expect(readdirSync(join(dataDir, 'cache/scratch'))).toEqual([])
  })

  test("passes the operator's registry credentials on only if the operator shares them", async () => {
    const { build } = await setUp({ sharesNpmAuth: true })
    const { checkout } = await build(app)
    const { npmrc } = json(join(checkout, 'node_modules/guest'), 'report.json')
    expect(npmrc).toContain(':_authToken=canary-token')
  })

  test('of a second project with the same lock file runs no code of the first project', async () => {
    const { build, registry } = await setUp()
    const first = await build(app)
    const second = await build(app, { projectId: 2 })
    const reports = [first, second].map(({ checkout }) =>
      json(join(checkout, 'node_modules/guest'), 'report.json'),
    )
    expect(reports[0].uid).not.toBe(reports[1].uid)
    expect(reports[1].neighbor).toBe('EACCES')
    const file = 'node_modules/plain/index.js'
    const inodes = [first, second].map(({ checkout }) => lstatSync(join(checkout, file)).ino)
    expect(inodes[0]).not.toBe(inodes[1])
    expect(registry.downloads.filter((name) => name === 'plain')).toHaveLength(2)
  })

  test('shares packages between releases that no release can change', async () => {
    const { build, walls, dataDir } = await setUp()
    const first = await build(app)
    const second = await build(app)
    expect(second.output).toContain('packages: unchanged')
    const file = 'node_modules/plain/index.js'
    const shared = lstatSync(join(first.checkout, file))
    expect(lstatSync(join(second.checkout, file)).ino).toBe(shared.ino)
    expect(shared).toMatchObject({ uid: 0, mode: 0o100444 })
    const results = await runAs(
      await walls.cell(1),
      first.checkout,
      `const fs = require('node:fs'), file = ${JSON.stringify(file)}
       const attempt = (work) => { try { work(); return 'done' } catch (error) { return error.code } }
       console.log([
         () => fs.appendFileSync(file, 'x'), () => fs.chmodSync(file, 0o666), () => fs.truncateSync(file, 0),
         () => fs.linkSync(file, 'link.js'), () => fs.utimesSync(file, 1, 1), () => fs.chownSync(file, process.getuid(), process.getgid()),
         () => fs.readdirSync(${JSON.stringify(join(dataDir, 'cache/packages'))}),
       ].map(attempt).join())
       fs.renameSync(file, 'node_modules/plain/moved.js'); fs.writeFileSync(file, 'mine')`,
    )
    expect(results.trim()).toBe('EACCES,EPERM,EACCES,EPERM,EPERM,EPERM,EACCES')
    const third = await build(app)
    for (const { checkout } of [second, third]) {
      expect(readFileSync(join(checkout, file), 'utf8')).toBe('module.exports = 1')
      expect(readdirSync(join(checkout, 'node_modules/plain')).sort()).toEqual([
        'bin.js',
        'index.js',
        'package.json',
      ])
    }
  })

  test('ends a detached process with an empty environment', async () => {
    const { build } = await setUp()
    const code = `
      const child = require('node:child_process').spawn('/bin/sleep', ['600'], { detached: true, stdio: 'ignore', env: {} })
      child.unref(); console.log('pid ' + child.pid)`
    const { output } = await build({ ...app, 'build.js': code })
    const pid = /pid (\d+)/.exec(output)?.[1]
    expect(pid).toBeDefined()
    expect(stateOf(Number(pid))).toMatch(/^(Z.*)?$/)
  })

  test('that runs out of memory names the limit and its setting', async ({ skip }) => {
    const { build, walls } = await setUp({ limits: { buildMemoryMb: 128 } })
    const wall = walls.status().find(({ name }) => name === 'memory')
    if (!wall?.stands) return skip(wall?.detail)
    const code = `const all = []; for (;;) all.push(Buffer.alloc(2 ** 20, 1))`
    await expect(build({ 'server.js': '', 'build.js': code, ...buildOf() })).rejects.toMatchObject({
      kind: 'unprocessable',
      message:
        '`node build.js` ran out of memory: a build may use 128 MiB (SERVICE_BUILD_MEMORY_MB)',
    })
  })

  test('follows no symlink and waits for no FIFO that a build puts into its checkout', async () => {
    const { build, dataDir } = await setUp()
    const victim = join(dataDir, 'victim')
    mkdirSync(join(victim, 'plain'), { recursive: true })
    writeFileSync(join(victim, 'plain/index.js'), 'victim')
    chmodAll(victim)
    const before = lstatSync(join(victim, 'plain/index.js'))
    const swap = `
      const fs = require('node:fs'), { execFileSync } = require('node:child_process')
      fs.rmSync('node_modules', { recursive: true }); fs.symlinkSync(${JSON.stringify(victim)}, 'node_modules')
      for (const name of ['package.json', 'package-lock.json', '.npmrc', 'strata.json']) {
        fs.rmSync(name, { force: true }); execFileSync('mkfifo', [name])
      }`
    await build({ ...app, 'build.js': swap }).catch(() => {})
    const tied = { ...(app['package.json'] as object), workspaces: [] }
    await expect(build({ ...app, 'build.js': swap, 'package.json': tied })).rejects.toThrow(
      'the build replaced package.json: it is not a file now',
    )
    const again = await build(app)
    expect(json(again.checkout, 'built.json').uid).not.toBe(0)
    expect(readdirSync(victim)).toEqual(['plain'])
    expect(lstatSync(join(victim, 'plain/index.js'))).toMatchObject({
      uid: before.uid,
      mode: before.mode,
      ctimeMs: before.ctimeMs,
    })
  })

  test('writes nothing outside if it replaces the folder of the app by a symlink', async () => {
    const { build, dataDir } = await setUp()
    const outside = join(dataDir, 'releases/outside')
    mkdirSync(outside, { recursive: true, mode: 0o755 })
    const files = Object.fromEntries(
      Object.entries(app).map(([name, content]) => [`web/${name}`, content]),
    )
    const buildWith = (target: string) =>
      build({
        ...files,
        'strata.json': { deploy: { root: 'web' } },
        'web/build.js': `
          const fs = require('node:fs')
          fs.renameSync('../web', '../gone'); fs.symlinkSync(${JSON.stringify(target)}, '../web')`,
      })
    await buildWith(outside)
    expect(readdirSync(outside)).toEqual([])
    await expect(buildWith('gone')).rejects.toMatchObject({
      kind: 'unprocessable',
      message: expect.stringContaining('by a symlink'),
    })
  })

  test('gives an app without a build to its user', async () => {
    const { build, walls } = await setUp()
    const { checkout } = await build({ 'server.js': '' })
    const { user } = await walls.cell(1)
    expect(lstatSync(join(checkout, 'server.js')).uid).toBe(user?.uid)
  })
})

/** The file is unreadable, or not visible in the project's namespace. */
const hidden = expect.stringMatching(/^(EACCES|ENOENT)$/)

/** Returns the state of a process in `ps`; '' if it does not exist. */
function stateOf(pid: number): string {
  const text = execFileSync('ps', ['-eo', 'pid=,stat='], { encoding: 'utf8' })
  return new RegExp(`^\\s*${pid} (\\S+)`, 'm').exec(text)?.[1] ?? ''
}

const buildOf = () => ({ 'strata.json': { deploy: { build: ['node', 'build.js'] } } })

function chmodAll(folder: string): void {
  execFileSync('chmod', ['-R', 'a+rX', folder])
}
