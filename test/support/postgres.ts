import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import pg from 'pg'
import { eventually } from './apps/eventually.ts'
import { freePort } from './free-port.ts'

/** A PostgreSQL server for tests: a temporary one, or the server of `TEST_POSTGRES_URL`. */
export interface PostgresServer {
  /** The URL of a superuser, with a password. */
  readonly url: string
  /** Creates an empty database. Returns its URL. A setting is a text such as `timezone = 'Asia/Tokyo'`. */
  createDatabase(settings?: readonly string[]): Promise<string>
  /** Stops the server and keeps its data. Undefined for an external server. */
  readonly halt: (() => Promise<void>) | undefined
  /** Restarts a stopped server on the same port. No-op if the server runs. */
  resume(): Promise<void>
  /** Stops the server and removes its files. */
  stop(): Promise<void>
}

/** Returns why no PostgreSQL is available here, or undefined. */
export function whyNoPostgres(): string | undefined {
  if (process.env.TEST_POSTGRES_URL) return undefined
  if (programFolder() === undefined)
    return 'no PostgreSQL is installed and TEST_POSTGRES_URL is not set'
  if (isRoot() && spawnSync('setpriv', ['--version']).status !== 0) {
    return 'PostgreSQL does not run as root and setpriv is not on this machine'
  }
  return undefined
}

/** Starts a server, or connects to the external one. Throws if `whyNoPostgres` returns a reason. */
export async function startPostgres(): Promise<PostgresServer> {
  const given = process.env.TEST_POSTGRES_URL
  if (given) return useServer(given)
  const folder = programFolder()
  if (folder === undefined) throw new Error(whyNoPostgres())
  return startServer(folder)
}

const startWithinMs = 60_000
const nobody = 65_534

async function startServer(programs: string): Promise<PostgresServer> {
  const root = mkdtempSync(join(tmpdir(), 'strata-pg-'))
  const data = join(root, 'data')
  const password = randomBytes(12).toString('hex')
  const port = await freePort()
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`
  writeFileSync(join(root, 'password'), password)
  if (isRoot()) {
    chownSync(root, nobody, nobody)
    chownSync(join(root, 'password'), nobody, nobody)
  }

  const initdb = ['-D', data, '-U', 'postgres', '-A', 'scram-sha-256', '-E', 'UTF8', '--no-sync']
  await run(join(programs, 'initdb'), [...initdb, `--pwfile=${join(root, 'password')}`])
  const options = ['-D', data, '-k', root, '-h', '127.0.0.1', '-p', String(port), '-c', 'fsync=off']
  let server: Program | undefined
  const start = () => {
    server = launch(join(programs, 'postgres'), options)
  }
  const halt = async () => {
    // SIGINT requests the fast shutdown, which closes open connections.
    server?.child.kill('SIGINT')
    await server?.ended
    server = undefined
  }
  const clear = () => {
    server?.child.kill('SIGQUIT')
    rmSync(root, { recursive: true, force: true })
  }
  process.once('exit', clear)
  start()
  await answering(url, () => server?.output() ?? '')
  return {
    ...useServer(url),
    halt,
    async resume() {
      if (server !== undefined) return
      start()
      await answering(url, () => server?.output() ?? '')
    },
    async stop() {
      process.off('exit', clear)
      server?.child.kill('SIGQUIT')
      await server?.ended
      rmSync(root, { recursive: true, force: true })
    },
  }
}

function useServer(url: string): PostgresServer {
  const made: string[] = []
  const execute = (sql: string) =>
    withClient(url, async (client) => {
      await client.query(sql)
    })
  return {
    url,
    async createDatabase(settings = []) {
      const name = `strata_${randomUUID().replaceAll('-', '')}`
      await execute(`CREATE DATABASE ${name} TEMPLATE template0`)
      for (const setting of settings) await execute(`ALTER DATABASE ${name} SET ${setting}`)
      made.push(name)
      const database = new URL(url)
      database.pathname = `/${name}`
      return database.href
    },
    halt: undefined,
    resume: async () => {},
    async stop() {
      for (const name of made) await execute(`DROP DATABASE ${name} WITH (FORCE)`)
    },
  }
}

/** Opens a connection, calls `use` and closes the connection. */
export async function withClient<Result>(
  url: string,
  use: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

async function answering(url: string, output: () => string): Promise<void> {
  const isUp = () =>
    withClient(url, async () => true).catch(() => false /* the server is still starting */)
  if (!(await eventually(isUp, startWithinMs))) {
    throw new Error(`PostgreSQL did not start: ${output()}`)
  }
}

/** Returns the folder of `initdb` and `postgres`: on the PATH, or in the place of the Debian packages. */
function programFolder(): string | undefined {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian) : []
  const folders = [
    ...(process.env.PATH ?? '').split(delimiter),
    ...versions.sort((a, b) => Number(b) - Number(a)).map((each) => join(debian, each, 'bin')),
  ]
  return folders.find((folder) =>
    ['initdb', 'postgres'].every((program) => existsSync(join(folder, program))),
  )
}

function isRoot(): boolean {
  return process.getuid?.() === 0
}

interface Program {
  readonly child: ChildProcess
  readonly ended: Promise<unknown>
  readonly output: () => string
}

/** Runs PostgreSQL as another user if this process is root, because PostgreSQL refuses to run as root. */
function launch(program: string, args: readonly string[]): Program {
  const identity = [`--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups', program]
  const [command, all] = isRoot() ? ['setpriv', [...identity, ...args]] : [program, args]
  const child = spawn(command, all, { cwd: tmpdir(), stdio: ['ignore', 'pipe', 'pipe'] })
  const texts: string[] = []
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => texts.push(text))
  }
  return { child, ended: once(child, 'close'), output: () => texts.join('') }
}

async function run(program: string, args: readonly string[]): Promise<void> {
  const { child, ended, output } = launch(program, args)
  await ended
  if (child.exitCode !== 0) throw new Error(`${program} ended with ${child.exitCode}: ${output()}`)
}
