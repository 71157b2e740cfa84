import type { Inspection } from './messages.ts'
import { batchSize, loadDriver, namesIn, type OpenedStore, waitingFields } from './opened-store.ts'

interface Driver {
  Client: new (options: object) => Client
  HttpConnection: unknown
}

interface Client {
  count(request: object): Promise<{ count: number }>
  search(request: object): Promise<{ hits: { hits: Hit[] } }>
  indices: {
    getMapping(
      request: object,
      options: object,
    ): Promise<Record<string, { mappings?: { _meta?: { collection?: unknown } } }>>
  }
}

interface Hit {
  _source?: Record<string, unknown>
  sort?: unknown[]
}

/** Opens the indexes whose names begin with the prefix of the URL. */
export async function openElasticsearch(inspection: Inspection): Promise<OpenedStore> {
  const { Client, HttpConnection } = loadDriver<Driver>(inspection, '@elastic/elasticsearch')
  const { origin, username, password, pathname } = new URL(inspection.databaseUrl)
  const auth = { username: decodeURIComponent(username), password: decodeURIComponent(password) }
  const client = new Client({
    node: origin,
    ...(username && { auth }),
    maxRetries: 0,
    requestTimeout: inspection.limitMs,
    Connection: HttpConnection,
  })
  const indexOf = (name: string) => `${pathname.slice(1)}-${name}`
  return {
    waiting: () =>
      waitingFields(inspection, async (name) => {
        const found = await client.indices.getMapping({ index: indexOf(name) }, { ignore: [404] })
        const [index] = 'error' in found ? [] : Object.values(found)
        return namesIn(index?.mappings?._meta?.collection)
      }),
    count: async (name) => (await client.count({ index: indexOf(name) })).count,
    async *scan(name, columns) {
      let after: unknown[] | undefined
      for (;;) {
        const { hits } = await client.search({
          index: indexOf(name),
          size: batchSize,
          sort: [{ id: 'asc' }],
          _source_includes: ['id', ...columns],
          track_total_hits: false,
          allow_partial_search_results: false,
          ...(after && { search_after: after }),
        })
        yield hits.hits.map(({ _source = {} }) => _source)
        if (hits.hits.length < batchSize) return
        after = hits.hits.at(-1)?.sort
      }
    },
  }
}
