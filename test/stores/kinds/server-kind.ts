import { randomUUID } from 'node:crypto'
import type { TestServer } from '../servers/test-server.ts'
import type { Kind } from './kind.ts'

/** How the databases of a server are made, named in a URL and removed. */
export interface Databases {
  readonly create: (name: string) => Promise<void>
  readonly remove: (name: string) => Promise<void>
  /** Where it is not the path. */
  readonly urlOf?: (name: string) => string
}

/** What the kinds with a server share: databases, signals, and its end. */
export function serverKind(server: TestServer, { create, remove, urlOf }: Databases) {
  const { url, name, version, kill, restart } = server
  const notOurs = { skipped: 'the server is not ours to stop' }
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
    holdWrites: { skipped: 'its server lets all write at once' },
    freeze: kill
      ? async () => {
          await kill('SIGSTOP')
          return () => kill('SIGCONT')
        }
      : notOurs,
    server: kill && restart ? { kill: () => kill('SIGKILL'), restart } : notOurs,
    async stop() {
      // One of our own takes them along.
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
