import { execFileSync, spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type BuilderOptions, createBuilder } from '../../daemon/build/builder.ts'
import { createOpenWalls } from '../../daemon/walls/open-walls.ts'
import { eventually } from '../support/apps/eventually.ts'
import { createApp, type Files, recorder, temporaryFolder } from '../support/daemon/build/app.ts'
import { freePort } from '../support/free-port.ts'
import { hashTree } from '../support/tree.ts'

const never = new AbortController().signal
const repository = new URL('../..', import.meta.url).pathname

const manifest = {
  name: 'shop',
  version: '1.0.0',
  scripts: { build: 'node build.js', start: 'node server.js' },
  dependencies: { ms: '2.1.3' },
  devDependencies: { 'is-number': '7.0.0' },
}
const files: Files = {
  'package.json': manifest,
  'build.js': `require('node:fs').writeFileSync('built.txt', String(require('is-number')(5)))`,
  'server.js': `console.log(require('ms')(60000))`,
}
let lock = ''

beforeAll(() => {
  const folder = createApp(join(repository, 'node_modules/.cache/strata-lock'), files)
  execFileSync('npm', ['install', '--package-lock-only', '--no-audit'], {
    cwd: folder,
    stdio: 'pipe',
  })
  lock = readFileSync(join(folder, 'package-lock.json'), 'utf8')
  rmSync(folder, { recursive: true })
})

const walls = createOpenWalls('the test runs without walls')

function setUp(options: Partial<BuilderOptions> = {}) {
  const folder = temporaryFolder()
  const cacheFolder = join(folder, 'cache')
  const create = (more: Partial<BuilderOptions> = {}) =>
    createBuilder({ cacheFolder, env: process.env, clock: Date, walls, ...options, ...more })
  let count = 0
  const builder = create()
  /** Creates and builds a checkout. Returns its folder, its output and its plan. */
  const build = async (
    app: Files,
    { by = builder, projectId = 1, env = {}, signal = never } = {},
  ) => {
    count += 1
    const checkout = createApp(join(folder, `release-${count}`), app)
    const output = recorder()
    const plan = await by.plan(checkout)
    await by.build(checkout, plan, { projectId, env, output: output.sink, signal })
    return { checkout, output: output.text(), plan }
  }
  return { folder, cacheFolder, builder, create, build }
}

const offline = {
  ...process.env,
  npm_config_registry: 'http://127.0.0.1:1',
  npm_config_fetch_retries: '0',
}

describe('the build of an app with a lock file', () => {
  const app = () => ({ ...files, 'package-lock.json': lock })

  test('installs, builds and then removes the build tools', async () => {
    const { build } = setUp()
    const { checkout, output } = await build(app())
    expect(output).toMatch(
      /^recognized: a Node app, .*\n\$ npm ci --include=dev\n.*\$ npm run build\n/s,
    )
    expect(readFileSync(join(checkout, 'built.txt'), 'utf8')).toBe('true')
    expect(packagesOf(checkout)).toEqual(['ms'])
    expect(run(checkout)).toBe('1m\n')
  })

  test('takes unchanged packages from the cache, even if other files change', async () => {
    const { build, create } = setUp()
    await build(app())
    const changed = { ...manifest, version: '2.0.0', scripts: { ...manifest.scripts, lint: 'x' } }
    const by = create({ env: offline })
    const { checkout, output } = await build(
      { ...app(), 'package.json': changed, more: '' },
      { by },
    )
    expect(output).toContain('taken from the cache')
    expect(output).not.toContain('$ npm ci')
    expect(packagesOf(checkout)).toEqual(['ms'])
    expect(run(checkout)).toBe('1m\n')
    const other = { ...manifest, devDependencies: {} }
    await expect(build({ ...app(), 'package.json': other }, { by })).rejects.toThrow('npm ci')
  })

  test('shares read-only package files between releases, but not with a build', async () => {
    const { build, cacheFolder } = setUp()
    const code = `${String(files['build.js'])};
      require('node:fs').writeFileSync('inode.txt', String(require('node:fs').statSync('node_modules/ms/index.js').ino))`
    const one = await build({ ...app(), 'build.js': code })
    const two = await build({ ...app(), 'build.js': code })
    const at = (folder: string) => lstatSync(join(folder, 'node_modules/ms/index.js'))
    expect(at(one.checkout).ino).toBe(at(two.checkout).ino)
    expect(at(one.checkout).mode & 0o222).toBe(0)
    const builds = [one, two].map(({ checkout }) =>
      readFileSync(join(checkout, 'inode.txt'), 'utf8'),
    )
    expect(builds).not.toContain(String(at(one.checkout).ino))
    for (const name of readdirSync(join(cacheFolder, 'packages'))) {
      expect(builds).not.toContain(String(at(join(cacheFolder, 'packages', name)).ino))
    }
  })

  test('starts with pristine packages, even if an earlier build changed its own', async () => {
    const { build, cacheFolder } = setUp()
    await build(app())
    const all = () =>
      readdirSync(join(cacheFolder, 'packages'))
        .filter((name) => name.endsWith('-all'))
        .map((name) => hashTree(join(cacheFolder, 'packages', name, 'node_modules')))
    const before = all()
    const report = `const fs = require('node:fs'); fs.writeFileSync('seen.txt', fs.readdirSync('node_modules').join() + fs.readFileSync('node_modules/ms/index.js').length)`
    const seen = async () =>
      readFileSync(
        join((await build({ ...app(), 'build.js': report })).checkout, 'seen.txt'),
        'utf8',
      )
    const first = await seen()
    for (const change of [
      `fs.rmSync('node_modules/ms', { recursive: true })`,
      `fs.writeFileSync('node_modules/ms/index.js', 'x')`,
      `fs.mkdirSync('node_modules/.cache'); fs.writeFileSync('node_modules/.cache/x', 'x')`,
      `fs.writeFileSync('node_modules/ms/index.js', 'x'); fs.utimesSync('node_modules/ms/index.js', 1, 1)`,
      `fs.mkdirSync('node_modules/new')`,
      `fs.rmSync('node_modules/ms/index.js'); process.exit(1)`,
    ]) {
      const broken = build({ ...app(), 'build.js': `const fs = require('node:fs'); ${change}` })
      await broken.catch(() => {})
      expect(await seen(), change).toBe(first)
    }
    expect(all()).toEqual(before)
  })

  test('keeps packages changed by the build for this release only', async () => {
    const { build } = setUp()
    const code = `require('node:fs').appendFileSync('node_modules/ms/index.js', '\\nmodule.exports = () => "patched"\\n')`
    const patched = await build({ ...app(), 'build.js': code })
    expect(patched.output).toContain('this release keeps its own')
    expect(run(patched.checkout)).toBe('patched\n')
    expect(packagesOf(patched.checkout)).toEqual(['ms'])
    const next = await build(app())
    expect(run(next.checkout)).toBe('1m\n')
    expect(run(patched.checkout)).toBe('patched\n')
  })

  test('runs install scripts in each checkout, with the checkout’s files present', async () => {
    const { build } = setUp()
    const scripts = { ...manifest.scripts, postinstall: 'node after.js' }
    const saying = (text: string) => ({
      ...app(),
      'package.json': { ...manifest, scripts },
      'after.js': `require('is-number'); require('node:fs').writeFileSync('after.txt', '${text}')`,
    })
    const one = await build(saying('one'))
    const two = await build(saying('two'))
    expect(two.output).toContain('taken from the cache')
    expect(
      [one, two].map(({ checkout }) => readFileSync(join(checkout, 'after.txt'), 'utf8')),
    ).toEqual(['one', 'two'])
  })

  test('installs no build tools if there is no build script', async () => {
    const { build } = setUp()
    const { build: _, ...scripts } = manifest.scripts
    const { checkout, output } = await build({ ...app(), 'package.json': { ...manifest, scripts } })
    expect(output).toContain('$ npm ci --omit=dev')
    expect(packagesOf(checkout)).toEqual(['ms'])
    expect(run(checkout)).toBe('1m\n')
  })

  test('installs once for ten concurrent builds', async () => {
    const { build } = setUp()
    const builds = await Promise.all(Array.from({ length: 10 }, () => build(app())))
    const installs = builds.filter(({ output }) => output.includes('$ npm ci'))
    expect(installs).toHaveLength(1)
    expect(builds.map(({ checkout }) => run(checkout))).toEqual(Array(10).fill('1m\n'))
  })

  test('continues a shared install if the build that started it is aborted', async () => {
    const { build } = setUp()
    const abort = new AbortController()
    const first = build(app(), { signal: abort.signal })
    const second = build(app())
    setImmediate(() => abort.abort(new Error('a newer push')))
    await expect(first).rejects.toThrow('a newer push')
    expect(run((await second).checkout)).toBe('1m\n')
  })

  test('fails with npm’s message if the lock file does not match package.json', async () => {
    const { build } = setUp()
    const odd = { ...manifest, dependencies: { ms: '2.0.0' } }
    await expect(build({ ...app(), 'package.json': odd })).rejects.toMatchObject({
      kind: 'unprocessable',
      message: expect.stringMatching(/`npm ci --include=dev` failed with exit code 1: .*in sync/),
    })
  })

  test('fails with a transient error if the registry is unreachable', async () => {
    const { build } = setUp({ env: offline })
    await expect(build(app())).rejects.toMatchObject({ kind: 'transient' })
  })

  test('succeeds after a kill -9 of the daemon during an install', async () => {
    const { build, folder, cacheFolder } = setUp()
    const silent = createServer(() => {})
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      silent.closeAllConnections()
      silent.close()
    })
    const registry = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
    const checkout = createApp(join(folder, 'first'), app())
    const program = `
      import { createBuilder } from ${JSON.stringify(join(repository, 'daemon/build/builder.ts'))}
      import { createOpenWalls } from ${JSON.stringify(join(repository, 'daemon/walls/open-walls.ts'))}
      const walls = createOpenWalls('the test runs without walls')
      const builder = createBuilder({ cacheFolder: ${JSON.stringify(cacheFolder)}, env: process.env, clock: Date, walls })
      const plan = await builder.plan(${JSON.stringify(checkout)})
      await builder.build(${JSON.stringify(checkout)}, plan, { projectId: 1, env: {}, output() {}, signal: new AbortController().signal })`
    const daemon = spawn(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '-e', program],
      {
        cwd: repository,
        env: { ...process.env, npm_config_registry: registry },
        stdio: 'ignore',
      },
    )
    const asked = new Promise((resolve) => silent.once('request', resolve))
    await asked
    daemon.kill('SIGKILL')
    expect(marked(cacheFolder).length).toBeGreaterThan(0)
    const { checkout: release } = await build(app())
    expect(run(release)).toBe('1m\n')
    expect(marked(cacheFolder)).toEqual([])
    expect(
      await eventually(() => readdirSync(join(cacheFolder, 'scratch')).length === 0, 5000),
    ).toBe(true)
  })
})

describe('the build of an app without a lock file', () => {
  test('installs from package.json', async () => {
    const { build } = setUp()
    const { checkout, output } = await build(files)
    expect(output).toContain('$ npm install --include=dev')
    expect(packagesOf(checkout)).toEqual(['ms'])
    expect(run(checkout)).toBe('1m\n')
    expect((await build(files)).output).toContain('taken from the cache')
  })

  test('fails with npm’s message if a package does not exist', async () => {
    const { build } = setUp()
    const app = { ...files, 'package.json': { ...manifest, dependencies: { ms: '999.0.0' } } }
    await expect(build(app)).rejects.toMatchObject({
      kind: 'unprocessable',
      message: expect.stringMatching(/No matching version found for ms@999.0.0/),
    })
  })

  test('supports local packages and workspaces', async () => {
    const { build } = setUp()
    const app = {
      ...files,
      'package.json': { ...manifest, dependencies: { own: 'file:./own' }, workspaces: ['parts/*'] },
      'own/package.json': { name: 'own', version: '1.0.0' },
      'own/index.js': `module.exports = 'own'`,
      'parts/a/package.json': { name: 'part-a', version: '1.0.0', dependencies: { ms: '2.1.3' } },
      'server.js': `console.log(require('own'), require('ms')(1000))`,
    }
    const { checkout } = await build(app)
    expect(run(checkout)).toBe('own 1s\n')
    expect(packagesOf(checkout)).not.toContain('is-number')
  })
})

test('the build of a workspace app installs the whole repository', async () => {
  const { build } = setUp()
  const { checkout } = await build({
    'package.json': { private: true, workspaces: ['apps/*', './parts/*/'] },
    'apps/web/package.json': { ...manifest, dependencies: { ...manifest.dependencies, part: '*' } },
    'apps/web/build.js': files['build.js'] ?? '',
    'apps/web/server.js': `console.log(require('part'), require('ms')(1000))`,
    'parts/one/package.json': { name: 'part', version: '1.0.0' },
    'parts/one/index.js': `module.exports = 'the part'`,
    'strata.json': { deploy: { root: 'apps/web' } },
  })
  expect(run(join(checkout, 'apps/web'))).toBe('the part 1s\n')
  expect(readFileSync(join(checkout, 'apps/web/built.txt'), 'utf8')).toBe('true')
})

test("the build respects a project's .npmrc and resolves secrets in it", async () => {
  const seen: string[] = []
  const server = createServer((request, response) => {
    seen.push(`${request.url} ${request.headers.authorization}`)
    response.writeHead(404, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const place = `127.0.0.1:${(server.address() as AddressInfo).port}/`
  const { build } = setUp()
  const app = {
    ...files,
    'package.json': { ...manifest, dependencies: { '@our/private': '1.0.0' } },
    '.npmrc': `@our:registry=http://${place}\n//${place}:_authToken=\${OUR_TOKEN}\n`,
  }
  const error = await build(app, { env: { OUR_TOKEN: 'token-of-ours' } }).catch((reason) => reason)
  expect(error).toMatchObject({ kind: 'unprocessable', message: expect.stringContaining('404') })
  expect(error.message).not.toContain('token-of-ours')
  expect(seen).toEqual(['/@our%2fprivate Bearer token-of-ours'])
})

describe('the build of the emitted', () => {
  let cache = ''
  beforeAll(() => {
    cache = mkdtempSync(join(tmpdir(), 'strata-build-'))
    return () => rmSync(cache, { recursive: true, force: true })
  })

  test.each(['user-app', 'blog-app'])(
    '%s needs no configuration, and the app starts without npm',
    async (name) => {
      const { folder, builder } = setUp({ cacheFolder: cache })
      const app = join(folder, name)
      cpSync(join(repository, 'examples', name), app, {
        recursive: true,
        filter: (path) => !/\/(node_modules|dist|data|generated)(\/|$)/.test(path),
      })
      const plan = await builder.plan(app)
      expect(plan.launch.start).toEqual(['node', 'scripts/start.mjs'])
      const output = recorder()
      await builder.build(app, plan, {
        ...{ projectId: 1, env: {}, signal: never },
        output: output.sink,
      })
      expect(existsSync(join(app, 'dist/main.js'))).toBe(true)
      expect(output.text()).not.toContain('keeps its own')
      expect(packagesOf(app)).not.toContain('vitest')
      const port = await freePort()
      const [program = '', ...args] = plan.launch.start
      const child = spawn(program, args, {
        cwd: app,
        env: {
          PATH: process.env.PATH,
          PORT: String(port),
          NODE_ENV: 'production',
          JWT_SECRET: 'x'.repeat(64),
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let appOutput = ''
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk) => (appOutput += chunk))
      onTestFinished(() => void child.kill('SIGKILL'))
      const isUp = () =>
        fetch(`http://127.0.0.1:${port}/health`).then(
          ({ ok }) => ok,
          () => false,
        )
      expect(await eventually(isUp, 20_000), appOutput).toBe(true)
      expect(appOutput).not.toContain('prisma generate')
    },
  )
})

function packagesOf(checkout: string): string[] {
  return readdirSync(join(checkout, 'node_modules'))
    .filter((name) => !name.startsWith('.'))
    .sort()
}

function run(checkout: string): string {
  return execFileSync('node', ['server.js'], { cwd: checkout, encoding: 'utf8' })
}

/** Returns the pids of processes with the builder's mark. */
function marked(cacheFolder: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8')
        .split('\0')
        .includes(`STRATA_BUILD_FOLDER=${cacheFolder}`)
    } catch {
      return false
    }
  })
}
