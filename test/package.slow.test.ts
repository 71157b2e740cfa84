import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from './support/free-port.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'strata-package-'))
const prefix = join(folder, 'prefix')
const home = join(folder, 'home')

/** The environment of a user who has npm, git and the installed package, and no setting of ours. */
const env: NodeJS.ProcessEnv = {
  ...withoutOwnSettings(process.env),
  HOME: home,
  XDG_CONFIG_HOME: join(home, 'config'),
  XDG_STATE_HOME: join(home, 'state'),
  PATH: `${join(prefix, 'bin')}:${process.env.PATH}`,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
}

mkdirSync(home, { recursive: true })
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the npm package', () => {
  let tarball = ''

  beforeAll(async () => {
    const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]
    const [packed] = JSON.parse((await command('npm', pack, root)).stdout)
    tarball = join(folder, packed.filename)
    const install = ['install', '--global', '--prefix', prefix, tarball]
    await command('npm', install, folder)
  })

  test('contains the programs and the documentation, and no source map', () => {
    const installed = join(prefix, 'lib/node_modules/stratad')
    const files = readdirSync(installed, { recursive: true, encoding: 'utf8' }).filter(
      (path) => !path.startsWith('node_modules'),
    )
    expect(files).toEqual(expect.arrayContaining(['README.md', 'LICENSE', 'CHANGELOG.md']))
    expect(files).toEqual(expect.arrayContaining(['dist/strata.cjs', 'dist/stratad.cjs']))
    expect(files).toContain('dist/dashboard/index.html')
    expect(files).toContain('dist/licenses.txt')
    expect(files.filter((path) => path.endsWith('.map'))).toEqual([])
  })

  test('contains every docs page that a message of the programs cites', () => {
    const installed = join(prefix, 'lib/node_modules/stratad')
    const programs = readdirSync(join(installed, 'dist'))
      .filter((name) => name.endsWith('.cjs'))
      .map((name) => readFileSync(join(installed, 'dist', name), 'utf8'))
    // A script in the package.json of a bundled library writes to a `docs` of its own.
    const pages = /(?<!> )docs\/[a-z-]+\.md/g
    const cited = new Set(programs.flatMap((text) => text.match(pages) ?? []))
    expect(cited.size).toBeGreaterThan(0)
    expect([...cited].filter((path) => !existsSync(join(installed, path)))).toEqual([])
  })

  test('runs the whole loop from a global install: init, feature, daemon, up, down', async () => {
    await command('strata', ['init', 'shop', '--no-git'], folder)
    const shop = join(folder, 'shop')
    await command('strata', ['feature', 'Book', 'title:string', 'pages:uint:optional'], shop)
    await command('git', ['init', '--quiet', '--initial-branch', 'main'], shop)
    await command('git', ['add', '--all'], shop)
    const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com']
    await command('git', [...identity, 'commit', '--quiet', '--message', 'a shop'], shop)

    const [port, gatewayPort] = [await freePort(), await freePort()]
    const ports = ['--port', `${port}`, '--gateway-port', `${gatewayPort}`]
    await command('strata', ['daemon', 'start', ...ports], shop)
    try {
      const { url } = JSON.parse((await command('strata', ['up', '--json'], shop)).stdout)
      const created = await call(gatewayPort, url, 'POST', '/api/v1/books', { title: 'Emma' })
      expect(created).toMatchObject({ status: 201, body: { title: 'Emma', pages: null } })
      const found = await call(gatewayPort, url, 'GET', `/api/v1/books/${created.body.id}`)
      expect(found).toMatchObject({ status: 200, body: { title: 'Emma' } })
    } finally {
      await command('strata', ['daemon', 'stop', '--apps'], shop)
    }
  })
})

test('a fresh clone installs globally without a step before, and its copy outlives the clone', async () => {
  const clone = join(folder, 'clone')
  const other = join(folder, 'other')
  await command('git', ['clone', '--quiet', '--no-local', root, clone], folder)
  await command('npm', ['install', '--global', '--prefix', other, '.'], clone)
  const program = join(other, 'bin', 'strata')
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const first = await command(program, ['--version'], folder)
  expect(first.stdout).toBe(`${version}\n`)
  rmSync(clone, { recursive: true })
  expect((await command(program, ['--version'], folder)).stdout).toBe(`${version}\n`)
  expect((await command(join(other, 'bin', 'stratad'), ['--help'], folder)).stdout).toMatch(
    /stratad/,
  )
})

/** Runs a command to its end. Throws, with what it printed, if its exit code is not 0. */
function command(file: string, args: readonly string[], cwd: string) {
  return run(file, args, { cwd, env, maxBuffer: 64 * 1024 * 1024 })
}

/** Sends a request through the gateway to the app with this host name. */
function call(port: number, host: string, method: string, path: string, body?: object) {
  return new Promise<{ status: number | undefined; body: Record<string, unknown> }>(
    (resolve, reject) => {
      const headers = { host, 'content-type': 'application/json' }
      const req = request({ port, method, path, headers }, async (response) => {
        const chunks: Buffer[] = []
        for await (const chunk of response) chunks.push(chunk)
        resolve({ status: response.statusCode, body: JSON.parse(`${Buffer.concat(chunks)}`) })
      })
      req.once('error', reject).end(body && JSON.stringify(body))
    },
  )
}

function withoutOwnSettings(settings: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const own = /^(SERVICE|STRATA|GIT|npm_(?!config_registry)|VITEST|NODE_ENV|NODE_OPTIONS)/
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !own.test(name)))
}
