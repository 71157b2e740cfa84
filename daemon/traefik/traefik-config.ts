/** Settings for an external Traefik that forwards to the gateway. */
export interface ProxyOptions {
  /** URL of the gateway, for example `http://127.0.0.1:9080`. */
  readonly gatewayUrl: string
  readonly entryPoints: readonly string[]
  /** TLS settings. Null: Traefik serves plain HTTP. A null `certResolver`: Traefik uses its own certificates. */
  readonly tls: { readonly certResolver: string | null } | null
}

const service = 'strata-gateway'
const retry = 'strata-retry'

/**
 * Returns Traefik's dynamic configuration as JSON, with one router to the gateway for each host name. Keys are sorted,
 * so that equal host names give equal bytes. Empty maps are omitted, because Traefik rejects them.
 */
export function buildProxyConfig(hostnames: readonly string[], options: ProxyOptions): Buffer {
  const names = [...new Set(hostnames)].map(routerName).sort()
  const { entryPoints, gatewayUrl } = options
  const shared = JSON.stringify({ entryPoints, middlewares: [retry] }).slice(1, -1)
  const tls = options.tls ? `,"tls":${JSON.stringify(tlsOf(options.tls))}` : ''
  // Uses string concatenation: JSON.stringify is slower with ten thousand routers.
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

/** Makes Traefik retry: the gateway refuses connections for a moment while it is replaced. */
const middlewares = { [retry]: { retry: { attempts: 5, initialInterval: '100ms' } } }

function servicesAt(url: string): object {
  return { [service]: { loadBalancer: { passHostHeader: true, servers: [{ url }] } } }
}

function tlsOf({ certResolver }: { readonly certResolver: string | null }): object {
  return certResolver === null ? { options: 'default' } : { certResolver }
}
