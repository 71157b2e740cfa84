import { basename } from 'node:path'
import { Client } from '@elastic/elasticsearch'
import { servers } from '../servers/servers.ts'
import type { Skipped } from '../servers/test-server.ts'
import type { Kind } from './kind.ts'
import { serverKind } from './server-kind.ts'

/** Starts Elasticsearch. A database is a prefix of index names. */
export async function startElasticsearch(): Promise<Kind | Skipped> {
  const server = await servers.elasticsearch()
  if ('skipped' in server) return server
  const client = new Client({ node: server.url })
  const namesOf = async (pattern: string) => {
    const indexes = await client.cat.indices({ index: pattern, h: ['index'], format: 'json' })
    return indexes.flatMap(({ index }) => index ?? []).sort()
  }
  const drop = async (index: string[]) => {
    if (index.length > 0) await client.indices.delete({ index })
  }
  const kind = serverKind(server, {
    // The application creates its indexes when it starts.
    create: async () => {},
    remove: async (name) => drop(await namesOf(`${name}-*`)),
  })
  return {
    ...kind,
    contents: () => namesOf('*'),
    dropTable: async (url, table) =>
      drop(await namesOf(`${basename(new URL(url).pathname)}-${table}-*`)),
    async stop() {
      await kind.stop()
      await client.close()
    },
  }
}
