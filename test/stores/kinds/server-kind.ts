import { randomUUID } from 'node:crypto'
import type { TestServer } from '../servers/test-server.ts'
import type { Kind } from './kind.ts'

/** The operations on the databases of a server. */
export interface Databases {
  readonly create: (name: string) => Promise<void>
  readonly remove: (name: string) => Promise<void>
  /** Returns the URL of a database, if the database name is not the path of the URL. */
  readonly urlOf?: (name: string) => string
}

/** Returns the part of a `Kind` that all kinds with a server share. */
export function serverKind(server: TestServer, { create, remove, urlOf }: Databases) {
  const { url, name, version, kill, restart } = server
  const notOurs = { skipped: 'the server is external: tests must not stop it' }
  const made: string[] = []
  return {
    name,
    version,
    async freshDatabase() {
      const database = `strata_${randomUUID().replaceAll('-', '')}`
      await create(database)
      made.push(database)
      return urlOf ? urlOf(database) : withPath(url, database)
    },
    holdWrites: { skipped: 'the server does not serialize writers' },
    freeze: kill
      ? async () => {
          await kill('SIGSTOP')
          return () => kill('SIGCONT')
        }
      : notOurs,
    server: kill && restart ? { kill: () => kill('SIGKILL'), restart } : notOurs,
    async stop() {
      // Keeps the databases of a server that the tests started: `stop` removes all its data.
      if (kill === undefined) for (const database of made) await remove(database)
      await server.stop()
    },
  } satisfies Omit<Kind, 'contents' | 'dropTable'>
}

function withPath(server: string, database: string): string {
  const url = new URL(server)
  url.pathname = `/${database}`
  return url.href
}
