import { execFile } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { eventually } from '../../support/apps/eventually.ts'
import { hasSetpriv, launch } from './program.ts'
import { servers } from './servers.ts'
import type { Skipped, TestServer } from './test-server.ts'

const here = fileURLToPath(new URL('.', import.meta.url))
const kinds = ['postgres', 'mysql', 'mongodb', 'elasticsearch', 'dynamodb'] as const
const noClients = existsSync(join(here, 'node_modules/.installed'))
  ? undefined
  : 'node test/stores/servers/install.mjs was not run'

describe.each(kinds)('the server of %s', (kind) => {
  let folder: string
  let started: TestServer | Skipped

  beforeAll(async () => {
    folder = makeFolder()
    vi.stubEnv('TMPDIR', folder)
    started = await servers[kind]()
  })
  afterAll(async () => {
    if (!('skipped' in started)) await started.stop()
    vi.unstubAllEnvs()
    rmSync(folder, { recursive: true })
  })

  /** Returns a server that a test may stop, or skips the test. */
  function ours(skip: (note: string) => never) {
    if ('skipped' in started) return skip(started.skipped)
    if (noClients) return skip(noClients)
    const { kill, restart } = started
    if (kill === undefined || restart === undefined) return skip('the server is not ours')
    return { ...started, kill, restart }
  }

  test('reports its name and version, and stores a note', async ({ skip }) => {
    const { url, name, version } = ours(skip)
    expect(name).toMatch(/^(PostgreSQL|MariaDB|mongo-java-server|Elasticsearch|DynamoDB Local)$/)
    expect(version).toMatch(/^\d+\.\d+/)
    await ask(kind, url, 'write', 'a note')
    expect(await ask(kind, url, 'read')).toBe('a note')
  })

  test('is down after a kill, and restarts on the same port with all acknowledged writes', async ({
    skip,
  }) => {
    const { url, kill, restart } = ours(skip)
    await kill('SIGKILL')
    expect(await isListening(url)).toBe(false)
    await restart()
    expect(await ask(kind, url, 'read')).toBe('a note')
  })

  test('restarts while it runs', async ({ skip }) => {
    const { url, restart } = ours(skip)
    await restart()
    expect(await ask(kind, url, 'read')).toBe('a note')
  })

  test('leaves no files and no process after stop', async ({ skip }) => {
    const { url, stop } = ours(skip)
    await stop()
    expect(await isListening(url)).toBe(false)
    expect(leftIn(folder)).toEqual([])
    expect(leftIn('/dev/shm')).toEqual([])
  })
})

test('the substitute for MongoDB gives each of 50 concurrent writers a distinct number', async ({
  skip,
}) => {
  const server = await servers.mongodb()
  if ('skipped' in server) return skip(server.skipped)
  onTestFinished(() => server.stop())
  if (noClients) return skip(noClients)
  expect(await run('mongodb/count.mjs', server.url)).toBe('50')
})

test.skipIf(!hasSetpriv)(
  'a server does not outlive the process that started it',
  async ({ skip }) => {
    const folder = makeFolder()
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const script = `
      process.env.TMPDIR = ${JSON.stringify(folder)}
      const { startMysql } = await import('./mysql.ts')
      const { url, skipped } = await startMysql()
      console.log('started at', url ?? skipped, '.')`
    const program = launch({
      program: process.execPath,
      args: ['--import', 'tsx', '--input-type=module', '--eval', script],
      folder: here,
    })
    const isStarted = () => program.hasEnded() || / \.\n/.test(program.output())
    expect(await eventually(isStarted, 60_000)).toBe(true)
    const url = /started at (mysql:\S+)/.exec(program.output())?.[1]
    if (url === undefined) return skip(program.output())
    expect(await isListening(url)).toBe(true)
    program.kill('SIGKILL')
    expect(await eventually(async () => !(await isListening(url)), 60_000)).toBe(true)
  },
)

describe('an external server from an environment variable', () => {
  test('is used without being stopped', async ({ skip }) => {
    const own = await servers.mysql()
    if ('skipped' in own) return skip(own.skipped)
    onTestFinished(() => own.stop())
    vi.stubEnv('TEST_MYSQL_URL', own.url)
    onTestFinished(() => void vi.unstubAllEnvs())
    const given = await servers.mysql()
    if ('skipped' in given) throw new Error(given.skipped)
    expect(given).toMatchObject({ url: own.url, version: own.version, kill: undefined })
    await given.stop()
    expect(await isListening(own.url)).toBe(true)
  })
})

describe('a server that cannot run here', () => {
  test.each(['mysql', 'mongodb', 'elasticsearch', 'dynamodb'] as const)(
    'of %s is skipped with a reason and what to do',
    async (kind) => {
      vi.stubEnv('PATH', '/nowhere')
      vi.stubEnv(`TEST_${kind.toUpperCase()}_URL`, '')
      onTestFinished(() => void vi.unstubAllEnvs())
      const { skipped } = (await servers[kind]()) as Skipped
      expect(skipped).toMatch(/is not installed: node test\/stores\/servers\/install\.mjs \w+$/)
    },
  )

  test('is skipped if no registry has it', async () => {
    vi.stubEnv('TEST_SQLSERVER_URL', '')
    onTestFinished(() => void vi.unstubAllEnvs())
    const { skipped } = (await servers.sqlserver()) as Skipped
    expect(skipped).toBe('no registry has SQL Server: set TEST_SQLSERVER_URL')
  })
})

function ask(kind: string, url: string, ...rest: readonly string[]): Promise<string> {
  return run('ask.mjs', kind, url, ...rest)
}

async function run(script: string, ...args: readonly string[]): Promise<string> {
  return (await promisify(execFile)(process.execPath, [join(here, script), ...args])).stdout
}

function isListening(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) })
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('close', () => socket.destroy()).once('connect', () => socket.destroy())
  })
}

function leftIn(place: string): readonly string[] {
  if (!existsSync(place)) return []
  return readdirSync(place).filter((name) => name.startsWith(`strata-server-${process.pid}-`))
}

/** A temporary folder that servers of another user can write. */
function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'strata-servers-'))
  chmodSync(folder, 0o755)
  return folder
}
