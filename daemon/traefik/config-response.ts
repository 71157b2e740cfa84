import { createHash } from 'node:crypto'
import type { Environment } from '../domain/records.ts'
import { buildProxyConfig, type ProxyOptions } from './traefik-config.ts'

/** Source of the `/proxy/config` response. */
export interface ProxyConfig {
  /** Returns the document and its strong ETag, from the cache if no live environment has changed. */
  read(): Promise<ProxyDocument>
  /** Returns true if `If-None-Match` matches the ETag. */
  isFresh(ifNoneMatch: string | undefined, etag: string): boolean
}

export interface ProxyDocument {
  readonly body: Buffer
  readonly etag: string
  /** The version of the routes that the document has at least. */
  readonly version: number
}

/** The live environments of the store. */
export interface RouteSource {
  /** Version number that increases at each change of a live environment. */
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
  let cached: { version: number; document: Promise<ProxyDocument> } | undefined

  async function render(version: number): Promise<ProxyDocument> {
    const environments = await source.listLive()
    const body = buildProxyConfig(
      environments.map(({ hostname }) => hostname),
      config,
    )
    return { body, etag: etagOf(body), version }
  }

  return {
    read() {
      // Read the version before the environments: after a concurrent change the next caller then rebuilds.
      const version = source.version()
      if (cached?.version === version) return cached.document
      const document = render(version)
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

/** Parses `If-None-Match`: `*`, one tag or a list of tags, with weak comparison (RFC 9110, 13.1.2). */
function isFresh(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch.trim() === '*') return true
  const tags: readonly string[] = ifNoneMatch.match(/"[\x21\x23-\x7e\x80-\xff]*"/g) ?? []
  return tags.includes(etag)
}

function etagOf(body: Buffer): string {
  return `"${createHash('sha256').update(body).digest('hex')}"`
}
