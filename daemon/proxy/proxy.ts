import { createHash } from 'node:crypto'
import type { Environment } from '../domain/records.ts'
import { buildProxyConfig, type ProxyOptions } from './build.ts'

/** What `/proxy/config` answers with. */
export interface ProxyConfig {
  /** The document as bytes and its strong ETag, from the cache when no live environment has changed. */
  read(): Promise<{ body: Buffer; etag: string }>
  /** Whether `If-None-Match` says that the caller has this document. */
  isFresh(ifNoneMatch: string | undefined, etag: string): boolean
}

/** What it is built from; the environments of the store. */
export interface RouteSource {
  /** Grows when a live environment comes, goes or changes. */
  version(): number
  listLive(): Promise<readonly Pick<Environment, 'hostname'>[]>
}

export function createProxyConfig({
  source,
  config,
}: {
  source: RouteSource
  config: ProxyOptions
}): ProxyConfig {
  let cached: { version: number; document: Promise<{ body: Buffer; etag: string }> } | undefined

  async function render() {
    const environments = await source.listLive()
    const body = buildProxyConfig(
      environments.map(({ hostname }) => hostname),
      config,
    )
    return { body, etag: etagOf(body) }
  }

  return {
    read() {
      // Taken before the rows are read: what changes meanwhile is built again by the next caller.
      const version = source.version()
      if (cached?.version === version) return cached.document
      const document = render()
      const entry = { version, document }
      cached = entry
      document.catch(() => {
        if (cached === entry) cached = undefined
      })
      return document
    },
    isFresh,
  }
}

/** RFC 9110: `*`, one tag or a list; weak comparison. */
function isFresh(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch.trim() === '*') return true
  const tags: readonly string[] = ifNoneMatch.match(/"[\x21\x23-\x7e\x80-\xff]*"/g) ?? []
  return tags.includes(etag)
}

function etagOf(body: Buffer): string {
  return `"${createHash('sha256').update(body).digest('hex')}"`
}
