import type { Client, estypes } from '@elastic/elasticsearch'
import { retryConflicts, run, unavailable } from './requests.js'
import {
  type Fields,
  idOf,
  type StoredDocument,
  toError,
  toOperation,
  toStored,
  toWritten,
  type Write,
} from './writes.js'

/** The server cancels a write after this time. The write then cannot happen after the request has failed. */
const writeTimeout = '8s'

/** Maximum number of documents in one request. */
const batchSize = 500

/**
 * Maximum number of changed documents in one request. A document can have megabytes, and a request
 * has a size limit.
 */
const changeBatchSize = 20

/** Options of every search: fail instead of returning partial results, and return the versions that a write needs. */
const searchOptions = {
  seq_no_primary_term: true,
  track_total_hits: false,
  allow_partial_search_results: false,
}

/**
 * Creates the functions for one index. All functions throw AppError `unavailable` if no server
 * answers.
 */
export function createDocuments(client: Client, index: string) {
  /** Returns the latest version of the documents with these ids. Missing ids are left out. */
  async function get(
    ids: readonly string[],
    source: SourceOptions = {},
  ): Promise<StoredDocument[]> {
    if (ids.length === 0) return []
    const { docs } = await run(client.mget<Fields>({ index, ids: [...ids], ...source }))
    return docs.flatMap((doc) => {
      if ('error' in doc) throw toFailure(doc.error)
      return doc.found ? [toStored(doc)] : []
    })
  }

  /** Sends writes. Returns the written documents, undefined for a version conflict: another write was first. */
  async function write(
    writes: readonly Write[],
    { isSearchable = false }: WriteOptions = {},
  ): Promise<(StoredDocument | undefined)[]> {
    const written: (StoredDocument | undefined)[] = []
    for (let from = 0; from < writes.length; from += batchSize) {
      const batch = writes.slice(from, from + batchSize)
      // `require_alias` fails if the index was deleted. Without it, the server would create one without a mapping.
      const settings = { index, timeout: writeTimeout, require_alias: true }
      const { items } = await run(
        client.bulk({ ...settings, operations: batch.flatMap(toOperation) }),
      )
      written.push(...batch.map((each, at) => toWritten(each, Object.values(items[at] ?? {})[0])))
    }
    // A refresh within the request would also delay other writes of the same document.
    if (isSearchable && written.some((each) => each)) await refresh()
    return written
  }

  /**
   * Replaces the documents by the result of `change`, and retries version conflicts. `change` returns undefined for
   * a document that stays the same.
   */
  async function rewrite(
    ids: readonly string[],
    change: Change,
    options?: WriteOptions,
  ): Promise<void> {
    for (let from = 0; from < ids.length; from += changeBatchSize) {
      let left = ids.slice(from, from + changeBatchSize)
      await retryConflicts(async () => {
        const writes = (await get(left)).flatMap((stored): Write[] => {
          const fields = change(stored.fields)
          return fields ? [{ kind: 'replace', stored, fields }] : []
        })
        const written = await write(writes, options)
        left = writes.flatMap((each, at) => (written[at] ? [] : idOf(each)))
        return left.length === 0 ? {} : undefined
      })
    }
  }

  /** Yields the results of a query in batches, sorted by id. `limit` 0 means all results. */
  async function* search(
    query: estypes.QueryDslQueryContainer,
    { limit = 0, ...source }: SearchOptions = {},
  ) {
    let left = limit || Number.POSITIVE_INFINITY
    let after: estypes.SortResults | undefined
    while (left > 0) {
      const size = Math.min(left, batchSize)
      const from = after && { search_after: after }
      const request = {
        index,
        query,
        size,
        sort: [{ id: 'asc' as const }],
        ...searchOptions,
        ...source,
        ...from,
      }
      const { hits } = await run(client.search<Fields>(request))
      yield hits.hits.map(toStored)
      if (hits.hits.length < size) return
      left -= size
      after = hits.hits.at(-1)?.sort
    }
  }

  /** Makes all previous writes visible to searches. */
  async function refresh(): Promise<void> {
    await run(client.indices.refresh({ index }))
  }

  return { index, get, write, rewrite, search, refresh }
}

type Change = (fields: Fields) => Fields | undefined

interface SourceOptions {
  _source_includes?: string[]
  _source_excludes?: string[]
}

interface SearchOptions extends SourceOptions {
  limit?: number
}

interface WriteOptions {
  /** Searches find the write as soon as the call returns. */
  isSearchable?: boolean
}

/**
 * Converts the error of one document. A missing index is a bug; other errors mean that a shard is
 * unavailable.
 */
function toFailure(error: estypes.ErrorCause): Error {
  const failure = toError(error)
  return error.type === 'index_not_found_exception' ? failure : unavailable(failure)
}
