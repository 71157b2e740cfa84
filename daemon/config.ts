import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { createSecureContext } from 'node:tls'
import * as z from 'zod'
import { dataDirOf } from './config-file.ts'
import { type DockerSettings, readDockerSettings } from './docker-settings.ts'
import { durationMs } from './domain/duration.ts'
import { isInRange, type PortRange, rangeText } from './domain/port-range.ts'
import type { ServerKind } from './domain/records.ts'
import { redacted } from './domain/redacted.ts'
import { serverUrlFault } from './domain/server-urls.ts'
import {
  type DomainConfig,
  domainConfigOf,
  domainConflictsOf,
  domainSettings,
} from './domain-settings.ts'
import { canonicalHost } from './git/remote-host.ts'
import type { Redacted } from './ports.ts'

/** Listening address. */
export interface Address {
  readonly host: string
  readonly port: number
}

/** Settings of the daemon, read once from `SERVICE_*` variables. Paths are absolute, durations are milliseconds. */
export interface Config {
  /** The master API token; null if not configured. */
  readonly apiToken: Redacted | null
  /** Allows an API without a token on a public address. */
  readonly allowOpenApi: boolean
  /** Generates an API token and a webhook secret at the first start. */
  readonly autoToken: boolean
  /** Clients that may read the generated API token at `/setup/token`. */
  readonly bootstrapAccess: 'loopback' | 'any' | 'off'
  readonly allowRestore: boolean
  readonly restoreMaxBytes: number
  readonly webhookSecret: Redacted | null
  /** The operator's encryption key, 64 hex digits; null: the daemon keeps its own key file. */
  readonly masterKey: Redacted | null
  readonly dataDir: string
  /** Path of the database; null: `strata.db` in the data folder. */
  readonly databaseFile: string | null
  /** Administrators' URLs of the servers on which the daemon makes databases for branches. */
  readonly databaseServers: Readonly<Partial<Record<ServerKind, Redacted>>>
  readonly address: Address
  readonly gatewayAddress: Address
  readonly baseDomain: string
  /** Addresses and ranges of reverse proxies whose `X-Forwarded-*` headers the gateway passes on. */
  readonly trustedProxies: readonly string[]
  /** The gateway writes a line of JSON for each request. */
  readonly accessLog: boolean
  /** Ports of apps. Only the daemon and its gateway may connect to them. */
  readonly appPorts: PortRange
  /** The proxy in front of the gateway. */
  readonly proxy: {
    /** Limit of a deploy's wait for the poll of its route; 0: no wait. Absent: 10 s, if a proxy polls. */
    readonly waitMs: number | undefined
    /** Port of a proxy that the daemon starts. */
    readonly port: number
    /** Image of that proxy; absent: the newest image `traefik` of the engine. */
    readonly image: string | undefined
  }
  /** Settings of the docker runtime; null: apps are processes of this host. */
  readonly docker: DockerSettings | null
  readonly gcIntervalMs: number
  /** No sweep destroys anything for this long after a start. */
  readonly sweepGraceMs: number
  /** Interval in which each repository is asked for lost pushes; null: never. */
  readonly pollIntervalMs: number | null
  /** Time for which the data of a destroyed branch stays in the trash. */
  readonly trashKeepMs: number
  /** Maximum number of parallel builds; null: one for each CPU core, at least two. */
  readonly deployConcurrency: number | null
  /** Memory in MiB that apps must leave free. */
  readonly reservedMemoryMb: number
  /** MiB of the data folder's disk that builds leave free; null: a default for the size of the disk. */
  readonly diskReserveMb: number | null
  /** MiB of data of one project, from which its apps are paused; null: unlimited. */
  readonly dataQuotaMb: number | null
  /** Maximum size in MiB of one push to a hosted repository. */
  readonly maxPushMb: number
  /** User ids of projects; used only by root. */
  readonly uidRange: { readonly from: number; readonly to: number }
  /** Maximum number of processes and threads of an app without `pids`. */
  readonly defaultPids: number
  /** Memory in MiB of an app without `memory_mb`. */
  readonly defaultMemoryMb: number
  /** Memory limit in MiB of one build command with all its processes; null: depends on the host's memory. */
  readonly buildMemoryMb: number | null
  /** Lets the builds of all projects use the operator's credentials of npm registries. */
  readonly sharesNpmAuth: boolean
  /** Maximum rate of API requests for each credential; null: unlimited. */
  readonly rateLimit: { readonly perSecond: number; readonly burst: number } | null
  readonly scheduledBackups: { readonly intervalMs: number; readonly keep: number } | null
  /** TLS certificate and private key in PEM form. */
  readonly tls: { readonly cert: string; readonly key: Redacted } | null
  /** Own domains of projects, and their certificates. */
  readonly domains: DomainConfig
  readonly logFormat: 'json' | 'pretty'
  readonly allowInsecureNodes: boolean
  /** Allows several projects without walls between them. */
  readonly trustApps: boolean
  /** Hosts that statuses and notifications may reach at addresses that are not public, and over plain HTTP. */
  readonly privateHosts: readonly string[]
}

/** Thrown for invalid settings. The message has one line for each fault, without the values of secrets. */
export class ConfigError extends Error {
  constructor(faults: readonly string[]) {
    super(faults.join('\n'))
    this.name = 'ConfigError'
  }
}

const flag = z
  .enum(['0', '1', 'true', 'false'], 'must be 1 or 0')
  .transform((text) => text === '1' || text === 'true')
const count = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be from ${min} to ${max}`)
const duration = z.string().transform((text, context) => {
  const ms = durationMs(text)
  if (ms !== undefined) return ms
  context.addIssue('must be a duration such as 30s, 30m, 2h or 7d')
  return z.NEVER
})
const address = z.string().transform((text, context): Address => {
  const parts = /^(?:\[([0-9a-f:.]+)\]|([^:[\]\s]*)):(\d{1,5})$/i.exec(text)
  const host = parts?.[1] ?? parts?.[2] ?? ''
  const port = Number(parts?.[3])
  if (parts && port <= 65535 && (!parts[1] || isIP(parts[1]) === 6)) {
    return { host: host === '' ? '::' : host, port }
  }
  context.addIssue('must be host:port, such as 127.0.0.1:9000 or [::1]:9000')
  return z.NEVER
})
/** Schema of an administrator's URL. Faults never quote it. */
const serverUrl = (kind: ServerKind) =>
  z.string().transform((text, context) => {
    const fault = serverUrlFault(kind, text)
    if (fault === undefined) return redacted(text)
    context.addIssue(fault)
    return z.NEVER
  })
/** Fewer ports than this could be used up by the cooldown of ended apps. */
const minAppPorts = 50
/** A daemon without root has other ports: a daemon of root closes its own to all other users of the host. */
const defaultAppPorts = (): PortRange =>
  process.geteuid?.() === 0 ? { from: 21_000, to: 22_999 } : { from: 23_000, to: 24_999 }
const portRange = z.string().transform((text, context): PortRange => {
  const [, first = '', last = ''] = /^(\d{1,5})-(\d{1,5})$/.exec(text) ?? []
  const [from, to] = [Number(first), Number(last)]
  if (from >= 1024 && to <= 65_535 && to - from + 1 >= minAppPorts) return { from, to }
  context.addIssue(
    `must be a range of at least ${minAppPorts} ports from 1024 to 65535, such as 21000-22999`,
  )
  return z.NEVER
})
const secret = z
  .string()
  .regex(/^[\x21-\x7e]+$/, 'must be visible ASCII without spaces')
  .transform(redacted)

/** Shorter tokens can be guessed. See docs/adr/0036-short-master-tokens.md. */
const minTokenLength = { onLoopback: 4, onOtherAddresses: 8 }
const masterToken = z
  .string()
  .regex(/^[\x21-\x7e]+$/, 'must be visible ASCII without spaces')
  .min(
    minTokenLength.onLoopback,
    `must have at least ${minTokenLength.onLoopback} characters: use the output of openssl rand -hex 32`,
  )
  .transform(redacted)

/** A DNS name of at most 189 characters: a host name adds a label of 63 and a dot, and has at most 253 (RFC 1035). */
const domain = z
  .string()
  .toLowerCase()
  .max(189, 'must have at most 189 characters')
  .regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/, {
    error: 'must be a domain name, such as apps.example.com',
  })

const proxies = z.string().transform((text, context): readonly string[] => {
  if (text === 'none') return []
  const ranges = text.split(',').map((range) => range.trim())
  if (ranges.every(isAddressRange)) return ranges
  context.addIssue(
    'must be none, or addresses and ranges such as 127.0.0.0/8,::1,10.1.2.3, separated by commas',
  )
  return z.NEVER
})

/** Host names as the URL parser writes them, without ports. */
const hosts = z.string().transform((text, context): readonly string[] => {
  const names = text.split(',').map((name) => name.trim())
  const canonical = names.map(canonicalHost)
  if (canonical.every((name) => name !== undefined)) return canonical
  context.addIssue(
    'must be host names without ports, separated by commas, such as git.internal,10.1.2.3',
  )
  return z.NEVER
})

/** Ids below 1000 belong to the system, and the highest ids to the kernel. */
const uidRange = z.string().transform((text, context) => {
  const [, first = '', last = ''] = /^(\d{1,10})-(\d{1,10})$/.exec(text) ?? []
  const [from, to] = [Number(first), Number(last)]
  if (first !== '' && from >= 1000 && to < 2 ** 31 && from <= to) return { from, to }
  context.addIssue('must be a range of user ids above 1000, such as 70000-99999')
  return z.NEVER
})

const settings = z.object({
  SERVICE_API_TOKEN: masterToken.optional(),
  SERVICE_ALLOW_OPEN_API: flag.default(false),
  SERVICE_AUTO_TOKEN: flag.default(false),
  SERVICE_BOOTSTRAP_TOKEN_ACCESS: z
    .enum(['loopback', 'any', 'off'], 'must be loopback, any or off')
    .default('loopback'),
  SERVICE_ALLOW_RESTORE: flag.default(false),
  SERVICE_RESTORE_MAX_BYTES: count(1, 2 ** 49).default(4 * 2 ** 30),
  SERVICE_WEBHOOK_SECRET: secret.optional(),
  SERVICE_MASTER_KEY: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, 'must be 64 hexadecimal digits')
    .transform(redacted)
    .optional(),
  SERVICE_DATA_DIR: z.string().min(1, 'must not be empty').optional(),
  SERVICE_ADDR: address.default({ host: '127.0.0.1', port: 9000 }),
  SERVICE_GATEWAY_ADDR: address.default({ host: '127.0.0.1', port: 9080 }),
  SERVICE_APP_PORTS: portRange.default(defaultAppPorts),
  SERVICE_BASE_DOMAIN: domain.default('localhost'),
  SERVICE_TRUSTED_PROXIES: proxies.default(['127.0.0.0/8', '::1/128']),
  SERVICE_ACCESS_LOG: flag.default(false),
  SERVICE_DATABASE_URL: z
    .string()
    .regex(/^file:/, 'must be file:<path>; PostgreSQL is not supported yet')
    .optional(),
  SERVICE_POSTGRES_URL: serverUrl('postgres').optional(),
  SERVICE_MYSQL_URL: serverUrl('mysql').optional(),
  SERVICE_RUNTIME: z.enum(['process', 'docker'], 'must be process or docker').default('process'),
  SERVICE_IMAGE_NODE: z.string().optional(),
  SERVICE_IMAGE_PYTHON: z.string().optional(),
  SERVICE_IMAGE_GO: z.string().optional(),
  SERVICE_IMAGE_STATIC: z.string().optional(),
  SERVICE_GC_INTERVAL: duration.default(30_000),
  SERVICE_SWEEP_GRACE: duration.default(600_000),
  SERVICE_POLL_INTERVAL: z
    .union(
      [z.literal('0').transform(() => null), duration],
      'must be 0, or a duration such as 30s, 5m or 2h',
    )
    .default(300_000),
  SERVICE_PROXY_WAIT: z
    .union(
      [z.literal('0').transform(() => 0), duration],
      'must be 0, or a duration such as 10s or 1m',
    )
    .optional(),
  SERVICE_PROXY_PORT: count(1, 65_535).default(80),
  SERVICE_IMAGE_TRAEFIK: z
    .string()
    .max(512)
    .regex(/^[a-z0-9][a-zA-Z0-9._/:@-]*$/, 'must be an image name, such as traefik:v3')
    .optional(),
  SERVICE_TRASH_KEEP: duration.default(30 * 86_400_000),
  SERVICE_DEPLOY_CONCURRENCY: count(1, 64).optional(),
  SERVICE_RESERVED_MEMORY_MB: count(0, 2 ** 30).default(0),
  SERVICE_DISK_RESERVE_MB: count(0, 2 ** 30).optional(),
  SERVICE_DATA_QUOTA_MB: count(1, 2 ** 30).optional(),
  SERVICE_GIT_MAX_PUSH_MB: count(1, 2 ** 20).default(512),
  SERVICE_DEFAULT_MEMORY_LIMIT_MB: count(16, 2 ** 20).default(256),
  SERVICE_BUILD_MEMORY_MB: count(64, 2 ** 20).optional(),
  SERVICE_BUILD_NPM_AUTH: flag.default(false),
  SERVICE_DEFAULT_PIDS_LIMIT: count(16, 2 ** 22).default(512),
  SERVICE_UID_RANGE: uidRange.default({ from: 70_000, to: 99_999 }),
  SERVICE_RATE_LIMIT_PER_SECOND: count(1, 1_000_000).optional(),
  SERVICE_RATE_LIMIT_BURST: count(1, 1_000_000).optional(),
  SERVICE_BACKUP_INTERVAL: duration.optional(),
  SERVICE_BACKUP_KEEP: count(1, 10_000).default(7),
  SERVICE_TLS_CERT: z.string().min(1).optional(),
  SERVICE_TLS_KEY: z.string().min(1).optional(),
  SERVICE_GATEWAY_TLS_ADDR: address.optional(),
  SERVICE_GATEWAY_HSTS: duration.optional(),
  SERVICE_DOMAINS_UNVERIFIED: flag.default(false),
  SERVICE_DOMAINS_HTTP_PORT: count(1, 65_535).default(80),
  ...domainSettings,
  SERVICE_LOG_FORMAT: z.enum(['json', 'pretty'], 'must be json or pretty').default('json'),
  SERVICE_ALLOW_INSECURE_NODES: flag.default(false),
  SERVICE_TRUST_APPS: flag.default(false),
  SERVICE_PRIVATE_HOSTS: hosts.default([]),
})

/** Names of all settings. */
export const settingNames: readonly string[] = Object.keys(settings.shape)

/** Settings that are secret, or may contain a password. The daemon hides them from its own environment after its start. */
export const secretSettingNames: readonly string[] = [
  'SERVICE_API_TOKEN',
  'SERVICE_MASTER_KEY',
  'SERVICE_WEBHOOK_SECRET',
  'SERVICE_DATABASE_URL',
  'SERVICE_POSTGRES_URL',
  'SERVICE_MYSQL_URL',
] satisfies (keyof typeof settings.shape)[]

/**
 * Reads the settings from `env`. An empty value counts as absent. Calls `warn` for each unknown `SERVICE_*` variable.
 * Throws ConfigError with a line for each fault, without any value of a secret.
 */
export function loadConfig(
  env: Readonly<Record<string, string | undefined>>,
  warn: (message: string) => void = () => {},
): Config {
  const given = Object.entries(env).filter(
    ([name, value]) => name.startsWith('SERVICE_') && value !== undefined && value !== '',
  )
  for (const [name] of given) {
    if (!settingNames.includes(name)) warn(`unknown setting ${name}: stratad ignores it`)
  }
  const result = settings.safeParse(Object.fromEntries(given))
  if (!result.success) {
    throw new ConfigError(
      result.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`),
    )
  }
  const read = result.data
  const docker =
    read.SERVICE_RUNTIME === 'docker'
      ? readDockerSettings(env, { allowInsecure: read.SERVICE_ALLOW_INSECURE_NODES })
      : { settings: undefined, faults: [] }
  const faults = [...conflictsOf(read), ...docker.faults]
  if (faults.length > 0) throw new ConfigError(faults)
  return {
    apiToken: read.SERVICE_API_TOKEN ?? null,
    allowOpenApi: read.SERVICE_ALLOW_OPEN_API,
    autoToken: read.SERVICE_AUTO_TOKEN,
    bootstrapAccess: read.SERVICE_BOOTSTRAP_TOKEN_ACCESS,
    allowRestore: read.SERVICE_ALLOW_RESTORE,
    restoreMaxBytes: read.SERVICE_RESTORE_MAX_BYTES,
    webhookSecret: read.SERVICE_WEBHOOK_SECRET ?? null,
    masterKey: read.SERVICE_MASTER_KEY ?? null,
    dataDir: dataDirOf(env),
    databaseFile: read.SERVICE_DATABASE_URL ? resolve(read.SERVICE_DATABASE_URL.slice(5)) : null,
    databaseServers: {
      ...(read.SERVICE_POSTGRES_URL && { postgres: read.SERVICE_POSTGRES_URL }),
      ...(read.SERVICE_MYSQL_URL && { mysql: read.SERVICE_MYSQL_URL }),
    },
    address: read.SERVICE_ADDR,
    gatewayAddress: read.SERVICE_GATEWAY_ADDR,
    baseDomain: read.SERVICE_BASE_DOMAIN,
    trustedProxies: read.SERVICE_TRUSTED_PROXIES,
    accessLog: read.SERVICE_ACCESS_LOG,
    appPorts: read.SERVICE_APP_PORTS,
    docker: docker.settings ?? null,
    gcIntervalMs: read.SERVICE_GC_INTERVAL,
    sweepGraceMs: read.SERVICE_SWEEP_GRACE,
    pollIntervalMs: read.SERVICE_POLL_INTERVAL,
    proxy: {
      waitMs: read.SERVICE_PROXY_WAIT,
      port: read.SERVICE_PROXY_PORT,
      image: read.SERVICE_IMAGE_TRAEFIK,
    },
    trashKeepMs: read.SERVICE_TRASH_KEEP,
    deployConcurrency: read.SERVICE_DEPLOY_CONCURRENCY ?? null,
    reservedMemoryMb: read.SERVICE_RESERVED_MEMORY_MB,
    diskReserveMb: read.SERVICE_DISK_RESERVE_MB ?? null,
    dataQuotaMb: read.SERVICE_DATA_QUOTA_MB ?? null,
    maxPushMb: read.SERVICE_GIT_MAX_PUSH_MB,
    defaultMemoryMb: read.SERVICE_DEFAULT_MEMORY_LIMIT_MB,
    buildMemoryMb: read.SERVICE_BUILD_MEMORY_MB ?? null,
    sharesNpmAuth: read.SERVICE_BUILD_NPM_AUTH,
    defaultPids: read.SERVICE_DEFAULT_PIDS_LIMIT,
    uidRange: read.SERVICE_UID_RANGE,
    rateLimit: rateLimitOf(read),
    scheduledBackups: read.SERVICE_BACKUP_INTERVAL
      ? { intervalMs: read.SERVICE_BACKUP_INTERVAL, keep: read.SERVICE_BACKUP_KEEP }
      : null,
    tls: tlsOf(read),
    domains: domainConfigOf(read, readSetting),
    logFormat: read.SERVICE_LOG_FORMAT,
    allowInsecureNodes: read.SERVICE_ALLOW_INSECURE_NODES,
    trustApps: read.SERVICE_TRUST_APPS,
    privateHosts: read.SERVICE_PRIVATE_HOSTS,
  }
}

type Settings = z.infer<typeof settings>

/** Returns a message for each combination of valid settings that contradict each other. */
function conflictsOf(read: Settings): string[] {
  const faults: string[] = []
  const { host } = read.SERVICE_ADDR
  const hasToken = read.SERVICE_API_TOKEN !== undefined || read.SERVICE_AUTO_TOKEN
  if (!hasToken && !isLoopback(host) && !read.SERVICE_ALLOW_OPEN_API) {
    faults.push(
      `SERVICE_ADDR ${host} is reachable from other machines and no token is set: set SERVICE_API_TOKEN, or SERVICE_AUTO_TOKEN=1 to generate one, or SERVICE_ALLOW_OPEN_API=1 to allow everybody`,
    )
  }
  const tokenLength = read.SERVICE_API_TOKEN?.reveal().length
  if (
    tokenLength !== undefined &&
    tokenLength < minTokenLength.onOtherAddresses &&
    !isLoopback(host)
  ) {
    faults.push(
      `SERVICE_API_TOKEN must have at least ${minTokenLength.onOtherAddresses} characters if SERVICE_ADDR ${host} is reachable from other machines: use the output of openssl rand -hex 32`,
    )
  }
  for (const name of [
    'SERVICE_ADDR',
    'SERVICE_GATEWAY_ADDR',
    'SERVICE_GATEWAY_TLS_ADDR',
  ] as const) {
    const port = read[name]?.port ?? 0
    if (isInRange(port, read.SERVICE_APP_PORTS)) {
      faults.push(
        `${name} has port ${port}, which is in SERVICE_APP_PORTS ${rangeText(read.SERVICE_APP_PORTS)}: choose another port or range`,
      )
    }
  }
  if ((read.SERVICE_TLS_CERT === undefined) !== (read.SERVICE_TLS_KEY === undefined)) {
    faults.push('SERVICE_TLS_CERT and SERVICE_TLS_KEY belong together: set both or neither')
  }
  faults.push(...domainConflictsOf(read))
  if (read.SERVICE_RATE_LIMIT_BURST && !read.SERVICE_RATE_LIMIT_PER_SECOND) {
    faults.push('SERVICE_RATE_LIMIT_BURST needs SERVICE_RATE_LIMIT_PER_SECOND')
  }
  return faults
}

function rateLimitOf(read: Settings): Config['rateLimit'] {
  const perSecond = read.SERVICE_RATE_LIMIT_PER_SECOND
  if (perSecond === undefined) return null
  return { perSecond, burst: read.SERVICE_RATE_LIMIT_BURST ?? perSecond }
}

function tlsOf(read: Settings): Config['tls'] {
  const { SERVICE_TLS_CERT: cert, SERVICE_TLS_KEY: key } = read
  if (!cert || !key) return null
  const tls = {
    cert: readSetting('SERVICE_TLS_CERT', cert),
    key: redacted(readSetting('SERVICE_TLS_KEY', key)),
  }
  checkKeyPair(tls)
  return tls
}

function checkKeyPair({ cert, key }: NonNullable<Config['tls']>): void {
  try {
    createSecureContext({ cert, key: key.reveal() })
  } catch (error) {
    const reason = error instanceof Error ? error.message : error
    throw new ConfigError([
      `SERVICE_TLS_CERT and SERVICE_TLS_KEY must name a certificate in PEM form and its private key (${reason})`,
    ])
  }
}

function readSetting(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error
    throw new ConfigError([`can't read the file of ${name} (${code})`])
  }
}

/** Returns true if an address is reachable only from this machine: 127.0.0.0/8, ::1 or `localhost`. */
function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}

/** Returns true for an IP address, or a range in CIDR notation. */
function isAddressRange(text: string): boolean {
  const [address = '', bits, ...others] = text.split('/')
  const family = isIP(address)
  if (family === 0 || others.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 6 ? 128 : 32))
}
