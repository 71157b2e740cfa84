/** Settings for an external Traefik that forwards to the gateway. */
export interface ProxyOptions {
  /** For example `http://127.0.0.1:9080`. */
  readonly gatewayUrl: string
  readonly entryPoints: readonly string[]
  /** Null: Traefik serves plain HTTP. A null `certResolver`: Traefik uses its own certificates. */
  readonly tls: { readonly certResolver: string | null } | null
}

const service = 'strata-gateway'
const retry = 'strata-retry'

/**
 * Returns Traefik's dynamic configuration as JSON: one router per host name, each to the gateway. Keys are sorted, so
 * that the same host names give the same bytes. Empty maps are left out, because Traefik rejects them.
 */
export function buildProxyConfig(hostnames: readonly string[], options: ProxyOptions): Buffer {
  const names = [...new Set(hostnames)].map(routerName).sort()
  const { entryPoints, gatewayUrl } = options
  const shared = JSON.stringify({ entryPoints, middlewares: [retry] }).slice(1, -1)
  const tls = options.tls ? `,"tls":${JSON.stringify(tlsOf(options.tls))}` : ''
  // String concatenation: with ten thousand routers, JSON.stringify of a tree is slower.
  const routers = names.map(
    (name) =>
      `"${name}":{${shared},"rule":"Host(\`${hostOf(name)}\`)","service":"${service}"${tls}}`,
  )
  const sections = [
    `"middlewares":${JSON.stringify(middlewares)}`,
    ...(routers.length > 0 ? [`"routers":{${routers.join(',')}}`] : []),
    `"services":${JSON.stringify(servicesAt(gatewayUrl))}`,
  ]
  return Buffer.from(`{"http":{${sections.join(',')}}}`)
}

/** A host name has only letters, digits, dashes and dots, so that this mapping is reversible. */
function routerName(hostname: string): string {
  return `strata-${hostname.replaceAll('.', '_')}`
}

function hostOf(name: string): string {
  return name.slice('strata-'.length).replaceAll('_', '.')
}

/** The gateway refuses connections for a moment while it is replaced: Traefik retries. */
const middlewares = { [retry]: { retry: { attempts: 5, initialInterval: '100ms' } } }

function servicesAt(url: string): object {
  return { [service]: { loadBalancer: { passHostHeader: true, servers: [{ url }] } } }
}

function tlsOf({ certResolver }: { readonly certResolver: string | null }): object {
  return certResolver === null ? { options: 'default' } : { certResolver }
}
