import type { Redacted } from '../ports.ts'

/** Settings of a Traefik that the daemon starts. */
export interface TraefikSettings {
  /** URL of `/proxy/config`. */
  readonly endpoint: string
  readonly port: number
  /** Token of the API; null: the API is open. */
  readonly token: Redacted | null
}

/**
 * Returns Traefik's static configuration. It is JSON, which every YAML parser reads. Contains the token: a file keeps it
 * out of the process list and of `docker inspect`.
 */
export function buildStaticConfig({ endpoint, port, token }: TraefikSettings): Buffer {
  const config = {
    entryPoints: { web: { address: `:${port}` } },
    global: { checkNewVersion: false, sendAnonymousUsage: false },
    providers: {
      http: {
        endpoint,
        pollInterval: '2s',
        ...(token && { headers: { Authorization: `Bearer ${token.reveal()}` } }),
      },
      // The daemon waits for the poll of a new route: the default throttle would let it wait for nothing.
      providersThrottleDuration: '200ms',
    },
  }
  return Buffer.from(`${JSON.stringify(config, null, 2)}\n`)
}
