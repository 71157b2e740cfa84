import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { eventually } from '../../test/support/apps/eventually.ts'
import {
  createApp,
  type Files,
  recorder,
  temporaryFolder,
} from '../../test/support/daemon/build/app.ts'
import type { BuildPlan } from '../ports.ts'
import { createOpenWalls } from '../walls/open-walls.ts'
import { type BuilderOptions, createBuilder } from './builder.ts'

const never = new AbortController().signal

function setUp(files: Files, options: Partial<BuilderOptions> = {}) {
  const folder = temporaryFolder()
  const cacheFolder = join(folder, 'cache')
  const walls = createOpenWalls('the test runs without walls')
  const builder = createBuilder({ cacheFolder, env: process.env, clock: Date, walls, ...options })
  return {
    folder,
    cacheFolder,
    builder,
    checkout: createApp(join(folder, 'app'), files),
    output: recorder(),
  }
}

/** Returns an app whose build runs `code`. */
function withBuild(code: string, deploy: object = {}): Files {
  return {
    'build.js': code,
    'server.js': '',
    'strata.json': { deploy: { build: ['node', 'build.js'], ...deploy } },
  }
}

async function build(at: ReturnType<typeof setUp>, env = {}, signal = never): Promise<BuildPlan> {
  const plan = await at.builder.plan(at.checkout)
  await at.builder.build(at.checkout, plan, {
    ...{ projectId: 1, env, signal },
    output: at.output.sink,
  })
  return plan
}

test('an app without a build starts no process and writes no file', async () => {
  const at = setUp({ 'server.js': '' })
  await build(at)
  expect(existsSync(at.cacheFolder)).toBe(false)
  expect(at.output.text()).toBe(
    'recognized: a Node app, because there is server.js\n  start: node server.js\n',
  )
})

test('the output names the recognized app and its steps before the build, without secrets', async () => {
  const at = setUp(withBuild('', { start: 'node server.js --key canary-secret' }))
  await build(at, { KEY: 'canary-secret' })
  expect(at.output.text()).toMatch(
    /^recognized: a Node app[\s\S]*build: node build\.js\n {2}start: node server\.js --key \[redacted\]\n\$ node build\.js/,
  )
})

test('a site gets the file server, and keeps a file of the same folder', async () => {
  const siteServer = join(temporaryFolder(), 'serve.cjs')
  writeFileSync(siteServer, 'server')
  const at = setUp({ 'index.html': '', '.strata/own': 'own' }, { siteServer })
  await build(at)
  expect(readFileSync(join(at.checkout, '.strata/serve.cjs'), 'utf8')).toBe('server')
  expect(readFileSync(join(at.checkout, '.strata/own'), 'utf8')).toBe('own')
  const other = setUp({ 'index.html': '', '.strata': 'a file' }, { siteServer })
  await expect(build(other)).rejects.toMatchObject({ kind: 'unprocessable' })
})

test('a build runs in deploy.root with the variables of the project, and streams its output', async () => {
  const code = `
    const { A, B, HOME, CI, NODE_ENV, SECRET_OF_THE_HOST, PATH } = process.env
    console.log('out'); console.error('err')
    require('node:fs').writeFileSync('built.json', JSON.stringify({ A, B, HOME, CI, NODE_ENV, SECRET_OF_THE_HOST, PATH, cwd: process.cwd() }))`
  const files = withBuild(code, {
    root: 'web',
    env: { A: 'plain', B: 'plain', NODE_ENV: 'production' },
  })
  const at = setUp(
    { ...files, 'web/server.js': '', 'web/build.js': code },
    { env: { ...process.env, SECRET_OF_THE_HOST: 'x', NODE_ENV: 'production' } },
  )
  await build(at, { B: 'secret', NODE_ENV: 'production', PATH: '/nowhere' })
  const built = JSON.parse(readFileSync(join(at.checkout, 'web/built.json'), 'utf8'))
  expect(built).toMatchObject({
    A: 'plain',
    B: 'secret',
    CI: 'true',
    cwd: join(at.checkout, 'web'),
  })
  expect(built).not.toHaveProperty('NODE_ENV')
  expect(built).not.toHaveProperty('SECRET_OF_THE_HOST')
  expect(built.PATH.startsWith(join(at.checkout, 'web/node_modules/.bin'))).toBe(true)
  expect(built.HOME.startsWith(at.cacheFolder)).toBe(true)
  expect(existsSync(built.HOME)).toBe(false)
  expect(at.output.text()).toMatch(
    /^recognized in web: .*\n(?: {2}.*\n)+\$ node build\.js\nout\nerr\n$/,
  )
})

describe('a failing build', () => {
  test('reports its exit code and error', async () => {
    const at = setUp(withBuild(`console.log('fine'); throw new Error('no such colour')`))
    await expect(build(at)).rejects.toMatchObject({
      kind: 'unprocessable',
      message: '`node build.js` failed with exit code 1: Error: no such colour',
    })
  })

  test('reports no values of secrets', async () => {
    const at = setUp(withBuild(`console.error('Error: bad ' + process.env.KEY); process.exit(3)`))
    await expect(build(at, { KEY: 'very-secret-value' })).rejects.toMatchObject({
      message: '`node build.js` failed with exit code 3: Error: bad [redacted]',
    })
  })

  test('reports a missing program', async () => {
    const at = setUp(withBuild('', { build: ['no-such-program-of-ours'] }))
    await expect(build(at)).rejects.toMatchObject({
      kind: 'unprocessable',
      message: '`no-such-program-of-ours` could not be started: there is no such program',
    })
  })

  test('reports SIGKILL, with lack of memory as a possible cause', async () => {
    const at = setUp(withBuild(`process.kill(process.pid, 'SIGKILL')`))
    await expect(build(at)).rejects.toMatchObject({
      message: expect.stringMatching(/SIGKILL.*memory/),
    })
  })
})

/** Starts one child process in its process group and one outside, and prints their pids. */
const family = `
  const { spawn } = require('node:child_process')
  const code = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"
  const near = spawn(process.execPath, ['-e', code], { stdio: 'inherit' })
  const far = spawn(process.execPath, ['-e', code], { stdio: 'ignore', detached: true })
  far.unref()
  console.log('pids', near.pid, far.pid)`

function pidsOf(text: string): number[] {
  return (/pids (\d+) (\d+)/.exec(text) ?? []).slice(1).map(Number)
}

function isRunning(pid: number): boolean {
  return execFileSync('ps', ['-eo', 'pid,stat'], { encoding: 'utf8' })
    .split('\n')
    .some((line) => new RegExp(`^\\s*${pid} [^Z]`).test(line))
}

describe('a build command', () => {
  test('is killed with all its children after its time limit', async () => {
    let pids: readonly number[] = []
    // A busy machine may need longer to start the three processes.
    for (let timeoutMs = 1000; pids.length === 0 && timeoutMs < 60_000; timeoutMs *= 4) {
      const at = setUp(withBuild(`${family}; setInterval(() => {}, 1000)`), {
        limits: { timeoutMs },
      })
      await expect(build(at)).rejects.toMatchObject({
        kind: 'unprocessable',
        message: expect.stringContaining(`took longer than ${timeoutMs / 1000} s and was stopped`),
      })
      pids = pidsOf(at.output.text())
    }
    expect(pids).toHaveLength(2)
    expect(await eventually(() => !pids.some(isRunning), 2000)).toBe(true)
  })

  test('is killed with all its children if the deploy is aborted', async () => {
    const at = setUp(withBuild(`${family}; setInterval(() => {}, 1000)`))
    const abort = new AbortController()
    const done = build(at, {}, abort.signal)
    expect(await eventually(() => pidsOf(at.output.text()).length === 2, 10_000)).toBe(true)
    abort.abort(new Error('a newer push'))
    await expect(done).rejects.toThrow('a newer push')
    expect(await eventually(() => !pidsOf(at.output.text()).some(isRunning), 2000)).toBe(true)
  })

  test('that succeeds does not wait for its child processes, which are killed', async () => {
    const at = setUp(withBuild(`${family}; setTimeout(() => process.exit(0), 200)`))
    await build(at)
    expect(await eventually(() => !pidsOf(at.output.text()).some(isRunning), 2000)).toBe(true)
  })

  test('has its output truncated above the limit', async () => {
    const at = setUp(
      withBuild(
        `for (let i = 0; i < 2000; i++) console.log('x'.repeat(1000)); console.log('Error: the end'); process.exitCode = 1`,
      ),
      { limits: { outputBytes: 10_000 } },
    )
    await expect(build(at)).rejects.toMatchObject({
      message: expect.stringContaining('Error: the end'),
    })
    expect(at.output.text().length).toBeLessThan(10_200)
    expect(at.output.text()).toContain('[output past 10000 bytes was dropped]')
  })

  test('gets no standard input', async () => {
    const at = setUp(withBuild(`process.stdin.on('end', () => console.log('no input')).resume()`))
    await build(at)
    expect(at.output.text()).toContain('no input')
  })
})

test('the first build of a daemon kills processes and removes scratch files of the previous daemon', async () => {
  const at = setUp(withBuild(''))
  mkdirSync(join(at.cacheFolder, 'scratch/install-x'), { recursive: true })
  writeFileSync(join(at.cacheFolder, 'scratch/install-x/half'), '')
  const { spawn } = await import('node:child_process')
  const orphan = spawn('sleep', ['600'], {
    env: { ...process.env, STRATA_BUILD_FOLDER: at.cacheFolder },
  })
  const ended = new Promise((resolve) => orphan.on('exit', (_, signal) => resolve(signal)))
  await build(at)
  expect(await ended).toBe('SIGKILL')
  expect(readdirSync(join(at.cacheFolder, 'scratch'))).toEqual([])
})

test('prune removes the oldest npm downloads above the limit, and downloads of no project', async () => {
  const at = setUp({ 'server.js': '' }, { limits: { cacheBytes: 30 } })
  const downloads = join(at.cacheFolder, 'npm')
  for (const [index, project] of ['1', '2', '_cacache'].entries()) {
    mkdirSync(join(downloads, project), { recursive: true })
    writeFileSync(join(downloads, project, 'y'), 'more than ten bytes')
    utimesSync(join(downloads, project), index, index)
  }
  await at.builder.prune()
  expect(readdirSync(downloads)).toEqual(['2'])
})

test('removeProject removes the packages and the downloads of one project', async () => {
  const at = setUp({ 'server.js': '' })
  for (const name of ['npm/1', 'npm/11', 'packages/1-ab-all', 'packages/11-ab-kept']) {
    mkdirSync(join(at.cacheFolder, name), { recursive: true })
  }
  await at.builder.removeProject(1)
  expect(readdirSync(join(at.cacheFolder, 'npm'))).toEqual(['11'])
  expect(readdirSync(join(at.cacheFolder, 'packages'))).toEqual(['11-ab-kept'])
})
