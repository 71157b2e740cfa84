import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withClient } from '../../support/postgres.ts'
import { findFolder } from './find-program.ts'
import { givenServer } from './given-server.ts'
import { installCommand } from './installed.ts'
import { runServer } from './own-server.ts'
import { hasSetpriv, isRoot, runToEnd } from './program.ts'
import type { Skipped, TestServer } from './test-server.ts'

/** Returns the server for `postgres-json`: `TEST_POSTGRES_JSON_URL`, or the server for `postgres`. */
export async function startPostgresJson(): Promise<TestServer | Skipped> {
  return (await givenServer('TEST_POSTGRES_JSON_URL', 'PostgreSQL', askVersion)) ?? startPostgres()
}

/** Starts PostgreSQL, for the kind `postgres`. The URL is of a superuser. */
export async function startPostgres(): Promise<TestServer | Skipped> {
  const given = await givenServer('TEST_POSTGRES_URL', 'PostgreSQL', askVersion)
  if (given) return given
  const folder = findFolder(['initdb', 'postgres'], debianFolders())
  if (folder === undefined) {
    return { skipped: `PostgreSQL is not installed: ${installCommand('postgres')}` }
  }
  if (isRoot() && !hasSetpriv) return { skipped: 'PostgreSQL does not run as root' }
  const password = randomBytes(12).toString('hex')
  return runServer({
    name: 'PostgreSQL',
    prepare: (data) => initialize(folder, data, password),
    command: (data, port) => ({
      program: join(folder, 'postgres'),
      args: [
        ...['-D', join(data, 'data'), '-k', data, '-h', '127.0.0.1', '-p', String(port)],
        ...['-c', 'fsync=off', '-c', 'max_connections=200'],
      ],
      isForNobody: true,
    }),
    url: (port) => `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    ask: askVersion,
    stopSignal: 'SIGINT',
  })
}

async function initialize(programs: string, folder: string, password: string): Promise<void> {
  const file = join(folder, 'password')
  // PostgreSQL reads the file as another user.
  writeFileSync(file, password, { mode: 0o644 })
  const data = ['-D', join(folder, 'data'), '-E', 'UTF8', '--no-sync']
  const user = ['-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${file}`]
  const program = join(programs, 'initdb')
  await runToEnd({ program, args: [...data, ...user], isForNobody: true })
  rmSync(file)
}

function askVersion(url: string): Promise<string | undefined> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ server_version: string }>('SHOW server_version')
    return rows[0]?.server_version
  }).catch(() => undefined /* the server is still starting */)
}

/** Newest version first. */
function debianFolders(): readonly string[] {
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root) ? readdirSync(root) : []
  return versions
    .sort((one, other) => Number(other) - Number(one))
    .map((version) => join(root, version, 'bin'))
}
