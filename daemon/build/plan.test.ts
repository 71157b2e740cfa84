import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createApp, type Files, temporaryFolder } from '../../test/support/daemon/build/app.ts'
import type { BuildPlan } from '../ports.ts'
import { createOpenWalls } from '../walls/open-walls.ts'
import { createBuilder } from './builder.ts'

function planOf(files: Files, limits = {}): Promise<BuildPlan> {
  const root = temporaryFolder()
  const builder = createBuilder({
    cacheFolder: join(root, 'cache'),
    env: process.env,
    clock: { now: () => 0 },
    limits,
    walls: createOpenWalls('the test runs without walls'),
  })
  return builder.plan(createApp(join(root, 'app'), files))
}

const withStart = (start: string, more: object = {}) => ({
  'package.json': { scripts: { start, ...more } },
})

/** Returns a schedule of `deploy.cron`. */
function job(changes: Record<string, unknown>) {
  return { name: 'nightly', schedule: '30 2 * * *', command: 'node a.js', ...changes }
}

describe('the build plan without a deploy section', () => {
  test('starts an app with only server.js by node', async () => {
    expect(await planOf({ 'server.js': '' }, { memoryMb: 128 })).toEqual({
      app: expect.objectContaining({
        kind: 'node',
        reasons: [expect.stringContaining('server.js')],
      }),
      install: null,
      build: null,
      launch: {
        root: '',
        start: ['node', 'server.js'],
        health: null,
        healthTimeoutMs: 30_000,
        port: null,
        memoryMb: 128,
        cpus: null,
        pids: 512,
        env: {},
        keepReleases: 3,
      },
    })
  })

  test('installs packages with npm ci if a lock file exists, otherwise with npm install', async () => {
    const scripts = { start: 'node a.js', build: 'tsc' }
    const dependencies = { a: '1' }
    const manifest = { 'package.json': { name: 'x', version: '1.2.3', scripts, dependencies } }
    expect(await planOf(manifest)).toMatchObject({
      install: ['npm', 'install'],
      build: ['npm', 'run', 'build'],
      launch: {
        start: ['node', 'a.js'],
        env: { npm_package_name: 'x', npm_package_version: '1.2.3' },
      },
    })
    expect(await planOf({ ...manifest, 'package-lock.json': {} })).toMatchObject({
      install: ['npm', 'ci'],
    })
    expect(await planOf({ ...manifest, 'npm-shrinkwrap.json': {} })).toMatchObject({
      install: ['npm', 'ci'],
    })
    expect(await planOf({ ...withStart('node a.js'), 'package-lock.json': {} })).toMatchObject({
      install: null,
      build: null,
    })
    expect(await planOf(withStart('node a.js', { postinstall: 'node b.js' }))).toMatchObject({
      install: ['npm', 'install'],
    })
  })

  test.each([
    ['node --enable-source-maps dist/main.js', ['node', '--enable-source-maps', 'dist/main.js']],
    ['next start -p 3000', ['node_modules/.bin/next', 'start', '-p', '3000']],
    ['exec node a.js', ['node', 'a.js']],
    ['serve', ['node_modules/.bin/serve']],
    ['tsx main.ts', ['npm', 'start']],
    ['unknown x', ['npm', 'start']],
    ['node a.js && node b.js', ['npm', 'start']],
    ['NODE_ENV=production node a.js', ['npm', 'start']],
    ['node $FILE', ['npm', 'start']],
  ])('runs the start script %j as %j', async (start, argv) => {
    const packages = {
      'node_modules/next': { bin: { next: 'dist/bin/next' } },
      'node_modules/@vercel/serve': { bin: { serve: 'x' } },
      'node_modules/tsx': { bin: { tsx: 'x' }, dev: true },
      'node_modules/a/node_modules/unknown': { bin: { unknown: 'x' } },
    }
    const plan = await planOf({ ...withStart(start), 'package-lock.json': { packages } })
    expect(plan.launch.start).toEqual(argv)
  })

  test('starts an app with prestart or poststart by npm', async () => {
    for (const name of ['prestart', 'poststart']) {
      const { launch } = await planOf(withStart('node a.js', { [name]: 'node b.js' }))
      expect(launch.start).toEqual(['npm', 'start'])
    }
  })

  test('refuses an app without a start command and names the missing file or script', async () => {
    await expect(planOf({ 'package.json': {} })).rejects.toMatchObject({
      kind: 'unprocessable',
      message: expect.stringMatching(/add a start script to package.json, or deploy.start/),
    })
    await expect(planOf({ 'index.txt': '' })).rejects.toMatchObject({
      kind: 'unprocessable',
      message: expect.stringMatching(/expected .*package.json or server.js/),
    })
  })

  test('refuses an invalid package.json, lock file or strata.json by name', async () => {
    for (const [files, why] of [
      [{ 'package.json': '{' }, 'package.json is not JSON'],
      [{ 'package.json': '[]' }, 'package.json'],
      [{ 'package.json': { scripts: { start: 1 } } }, 'package.json: scripts.start'],
      [{ ...withStart('x'), 'package-lock.json': 'x' }, 'package-lock.json is not JSON'],
      [{ 'package.json/x': '' }, 'package.json is not a file'],
      [{ 'strata.json': '{' }, 'strata.json is not JSON'],
      [{ 'strata.json': '[]', 'server.js': '' }, 'strata.json'],
    ] as const) {
      await expect(planOf(files), why).rejects.toMatchObject({
        kind: 'unprocessable',
        message: expect.stringContaining(why),
      })
    }
  })
})

describe('a deploy section', () => {
  test('sets every option of the plan', async () => {
    const deploy = {
      root: './apps//web/',
      build: ['make', 'all'],
      start: 'serve --listen "0.0.0.0 x"',
      health: '/health',
      health_timeout: '2m',
      port: 8080,
      memory_mb: 512,
      cpus: 0.5,
      pids: 100,
      env: { A: 'text', B: 1, C: true },
      keep_releases: 5,
    }
    const app = { 'apps/web/index.html': '', 'strata.json': { name: 'x', features: {}, deploy } }
    expect(await planOf(app)).toEqual({
      app: expect.objectContaining({ kind: 'command' }),
      install: null,
      build: ['make', 'all'],
      launch: {
        root: 'apps/web',
        start: ['serve', '--listen', '0.0.0.0 x'],
        health: '/health',
        healthTimeoutMs: 120_000,
        port: 8080,
        memoryMb: 512,
        cpus: 0.5,
        pids: 100,
        env: { A: 'text', B: '1', C: 'true' },
        keepReleases: 5,
      },
    })
  })

  test('skips the build with an empty list', async () => {
    const app = {
      ...withStart('node a.js', { build: 'tsc' }),
      'strata.json': { deploy: { build: [] } },
    }
    expect((await planOf(app)).build).toBe(null)
  })

  test('lists schedules with their defaults', async () => {
    const cron = [
      job({}),
      job({ name: 'poll', command: 'QUEUE=a node b.js $PORT', previews: true }),
    ]
    const { launch } = await planOf({ 'server.js': '', 'strata.json': { deploy: { cron } } })
    const common = { schedule: '30 2 * * *', timezone: 'UTC', timeoutMs: 3_600_000 }
    expect(launch.schedules).toEqual([
      { ...common, name: 'nightly', start: ['node', 'a.js'] },
      {
        ...{ ...common, name: 'poll', hasPreviews: true, env: { QUEUE: 'a' } },
        ...{ start: ['node', 'b.js', expect.stringMatching(/PORT/)], startHasVariables: true },
      },
    ])
  })

  test('can be missing in strata.json', async () => {
    const plan = await planOf({ 'server.js': '', 'strata.json': { strata: 1, name: 'x' } })
    expect(plan.launch.start).toEqual(['node', 'server.js'])
  })

  test.each([
    [{ strat: 'x' }, /deploy has no key strat: expected root, build, start, .*keep_releases/],
    [{ env: { 'A-B': 'x' } }, /deploy\.env.*not a valid variable name/],
    [{ env: { A: null } }, /deploy.env.A must be a string, a number, true or false/],
    [{ env: [] }, /deploy.env must be/],
    [{ start: 'a && b' }, /deploy.start uses a shell operator.*list of words/],
    [{ start: 'a $(x)' }, /deploy.start uses a variable/],
    [{ start: [] }, /deploy.start must name a program/],
    [{ start: 5 }, /deploy.start must be a string or a list of strings/],
    [{ start: ['a', 5] }, /deploy.start must be a string or a list of strings/],
    [{ build: 'a *' }, /deploy.build uses a pattern/],
    [{ root: '../x' }, /deploy.root must be a folder inside/],
    [{ root: '/etc' }, /deploy.root must be a folder inside/],
    [{ root: 'a/../../b' }, /deploy.root must be a folder inside/],
    [{ root: 'absent' }, /deploy.root is not a folder of the repository: absent/],
    [{ root: 'server.js' }, /deploy.root is not a folder/],
    [{ root: 'out' }, /deploy.root is not a folder/],
    [{ root: 'out/x' }, /deploy.root is not a folder/],
    [{ health: 'health' }, /deploy.health must be a path/],
    [{ health: '/a b' }, /deploy.health must be a path/],
    [{ health_timeout: '30' }, /deploy.health_timeout must be a duration/],
    [{ health_timeout: '11m' }, /deploy.health_timeout must be a duration of at most 10 minutes/],
    [{ port: 0 }, /deploy.port must be a whole number from 1 to 65535/],
    [{ port: '80' }, /deploy.port must be a whole number/],
    [{ memory_mb: 1.5 }, /deploy.memory_mb must be a whole number/],
    [{ processes: { a_b: 'x' } }, /deploy.processes.* is not a process name/],
    [{ processes: { worker: 'a | b' } }, /deploy.processes.worker uses a shell operator/],
    [{ cron: {} }, /deploy.cron must be a list of schedules/],
    [{ cron: [job({ schedule: '@daily' })] }, /deploy.cron.0.schedule must have five fields/],
    [{ cron: [job({ schedule: '0 0 31 2 *' })] }, /deploy.cron.0.schedule is never due/],
    [{ cron: [job({ timezone: 'Mars' })] }, /deploy.cron.0.schedule has an unknown time zone Mars/],
    [{ cron: [job({ timeout: '2d' })] }, /deploy.cron.0.timeout must be .* at most 24h/],
    [{ cron: [job({ command: '' })] }, /deploy.cron.0.command/],
    [
      { cron: [job({ every: '1h' })] },
      /deploy.cron.0 has no key every: expected name, schedule, command/,
    ],
    [{ cron: [job({}), job({})] }, /deploy.cron must have a different name for each schedule/],
    [
      { cron: [job({ name: 'worker' })], processes: { worker: 'x' } },
      /deploy.cron has the name of a process, worker/,
    ],
    [{ keep_releases: 0 }, /deploy.keep_releases must be a whole number from 1 to 50/],
    ['x', /deploy must be an object/],
    [{ port: 0, memory_mb: 0 }, /deploy.port .*; deploy.memory_mb /],
  ])('is refused with a reason: %j', async (deploy, message) => {
    await expect(
      planOf({ 'server.js': '', out: { link: '..' }, 'strata.json': { deploy } }),
    ).rejects.toMatchObject({ kind: 'unprocessable', message: expect.stringMatching(message) })
  })
})
