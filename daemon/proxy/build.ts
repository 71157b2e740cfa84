/** How an outside Traefik reaches the gateway. */
export interface ProxyOptions {
  /** As `http://127.0.0.1:9080`. */
  readonly gatewayUrl: string
  readonly entryPoints: readonly string[]
  /** Traefik ends TLS; with which resolver, if not with certificates of its own. */
  readonly tls: { readonly certResolver: string | null } | null
}

const service = 'strata-gateway'
const retry = 'strata-retry'

/**
 * The dynamic configuration of Traefik: one router for each host name, all to the gateway, which knows who sleeps.
 * Same host names, same bytes: keys are sorted. There are no empty maps, which Traefik refuses.
 */
export function buildProxyConfig(hostnames: readonly string[], options: ProxyOptions): Buffer {
  const names = [...new Set(hostnames)].map(routerName).sort()
  const { entryPoints, gatewayUrl } = options
  const shared = JSON.stringify({ entryPoints, middlewares: [retry] }).slice(1, -1)
  const tls = options.tls ? `,"tls":${JSON.stringify(tlsOf(options.tls))}` : ''
  // Ten thousand routers differ in two places only: text is put together, not trees.
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

/** Host names are letters, digits, dashes and dots, so that no two of them give one router. */
function routerName(hostname: string): string {
  return `strata-${hostname.replaceAll('.', '_')}`
}

function hostOf(name: string): string {
  return name.slice('strata-'.length).replaceAll('_', '.')
}

/** A connection that the gateway does not take, as while it is replaced, is tried again. */
const middlewares = { [retry]: { retry: { attempts: 5, initialInterval: '100ms' } } }

function servicesAt(url: string): object {
  return { [service]: { loadBalancer: { passHostHeader: true, servers: [{ url }] } } }
}

function tlsOf({ certResolver }: { readonly certResolver: string | null }): object {
  return certResolver === null ? { options: 'default' } : { certResolver }
}
