import type { AddressInfo } from 'node:net'
import { redacted } from '../../../../daemon/domain/redacted.ts'
import {
  createHttp,
  type Http,
  type HttpConfig,
  type HttpDeps,
} from '../../../../daemon/http/http.ts'
import type { Clock } from '../../../../daemon/ports.ts'
import { createProxyConfig } from '../../../../daemon/proxy/proxy.ts'
import { realClock } from './clocks.ts'
import { createMemoryUseCases, type MemoryUseCases } from './memory-use-cases.ts'

export const masterToken = 'm'.repeat(64)

export interface Started extends MemoryUseCases {
  readonly http: Http
  readonly url: string
  readonly port: number
  readonly logged: Logged[]
  /** Asks as the master unless told otherwise; `null`: with no credential. */
  call(method: string, path: string, options?: CallOptions): Promise<Called>
  stop(): Promise<void>
}

export interface CallOptions {
  readonly token?: string | null
  readonly body?: unknown
  readonly raw?: string | Uint8Array<ArrayBuffer>
  readonly headers?: Readonly<Record<string, string>>
}

export interface Called {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Parsed where it is JSON. */
  readonly json: unknown
}

export interface Logged {
  readonly level: string
  readonly message: string
  readonly [field: string]: unknown
}

/** A server on a free port over use-cases in memory. */
export async function start({
  config = {},
  clock = realClock,
  pages,
  host = '127.0.0.1',
}: {
  config?: Partial<HttpConfig>
  clock?: Clock
  pages?: HttpDeps['pages']
  host?: string
} = {}): Promise<Started> {
  const memory = createMemoryUseCases(clock)
  const logged: Logged[] = []
  const log = (level: string) => (fields: object, message: string) =>
    void logged.push({ ...fields, level, message })
  const http = createHttp({
    useCases: memory.useCases,
    proxyConfig: createProxyConfig({
      source: {
        version: () => memory.environments.size,
        listLive: () => memory.useCases.environments.listLive(),
      },
      config: { gatewayUrl: 'http://127.0.0.1:9080', entryPoints: ['web'], tls: null },
    }),
    config: { ...defaultConfig, ...config },
    logger: { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') },
    clock,
    ...(pages && { pages }),
  })
  await new Promise<void>((resolve) => http.server.listen(0, host, resolve))
  const { port } = http.server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  return {
    ...memory,
    http,
    url,
    port,
    logged,
    call: (method, path, options) => call(url, method, path, options),
    stop: () => http.close(0),
  }
}

export const defaultConfig: HttpConfig = {
  version: '1.2.3',
  token: { kind: 'explicit', value: redacted(masterToken) },
  bootstrapAccess: 'loopback',
  allowOpenApi: false,
  allowRestore: true,
  restoreMaxBytes: 2 ** 20,
  webhookSecret: redacted('webhook-secret'),
  gatewayPort: 9080,
  rateLimit: null,
  tls: null,
}

/** Paths are below `/api/v1`, but for those that begin with `//`. */
export async function call(
  url: string,
  method: string,
  path: string,
  { token = masterToken, body, raw, headers }: CallOptions = {},
): Promise<Called> {
  const response = await fetch(
    `${url}${path.startsWith('//') ? path.slice(1) : `/api/v1${path}`}`,
    {
      method,
      redirect: 'manual',
      headers: {
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      // Bytes: of a text fetch would say that it is text/plain.
      ...(raw !== undefined && {
        body: typeof raw === 'string' ? new TextEncoder().encode(raw) : raw,
      }),
    },
  )
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json') && text !== ''
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson ? JSON.parse(text) : undefined,
  }
}
