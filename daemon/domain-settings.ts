import { isIP } from 'node:net'
import { resolve } from 'node:path'
import * as z from 'zod'

/** Settings of own domains and of TLS at the gateway. */
export interface DomainConfig {
  /** Registers domains without a proof that they lead to this server. */
  readonly isUnverified: boolean
  /** Public addresses of this server, for DNS records and for the proof. */
  readonly publicAddresses: readonly string[]
  /** DNS server, as `address:port`; null: the resolver of the system. */
  readonly resolver: string | null
  /** Public port that leads to the plain port of the gateway. */
  readonly httpPort: number
  /** The TLS listener of the gateway; null: plain HTTP only. */
  readonly gatewayTls: {
    readonly address: { readonly host: string; readonly port: number }
    readonly hstsSeconds: number | null
    /** Absolute path of the folder with certificates; null: none. */
    readonly filesFolder: string | null
  } | null
  /** The certificate authority; null: none. */
  readonly acme: {
    readonly directory: string
    readonly email: string | null
    /** Certificates in PEM form that the directory's own certificate is checked with; null: those of Node. */
    readonly ca: string | null
  } | null
}

const directories: Readonly<Record<string, string>> = {
  production: 'https://acme-v02.api.letsencrypt.org/directory',
  staging: 'https://acme-staging-v02.api.letsencrypt.org/directory',
}

const directory = z.string().transform((text, context) => {
  const known = Object.hasOwn(directories, text) ? directories[text] : text
  if (known !== undefined && URL.canParse(known) && known.startsWith('https://')) return known
  context.addIssue('must be production, staging, or the https:// URL of an ACME directory')
  return z.NEVER
})

const addresses = z.string().transform((text, context): readonly string[] => {
  const list = text.split(',').map((each) => each.trim())
  if (list.every((each) => isIP(each) !== 0)) return list
  context.addIssue('must be IP addresses, separated by commas, such as 203.0.113.7,2001:db8::7')
  return z.NEVER
})

const resolver = z.string().refine((text) => {
  const host = /^\[(.*)\](?::\d{1,5})?$/.exec(text)?.[1] ?? text.replace(/:\d{1,5}$/, '')
  return isIP(text) !== 0 || isIP(host) !== 0
}, 'must be the address of a DNS server, such as 10.0.0.2 or 10.0.0.2:53')

const file = z.string().min(1, 'must not be empty')

/** The settings that need no schema of other settings. */
export const domainSettings = {
  SERVICE_GATEWAY_TLS_FILES: file.optional(),
  SERVICE_ACME_EMAIL: z.email('must be an email address').optional(),
  SERVICE_ACME_DIRECTORY: directory.optional(),
  SERVICE_ACME_CA: file.optional(),
  SERVICE_PUBLIC_ADDRESSES: addresses.default([]),
  SERVICE_DOMAINS_RESOLVER: resolver.optional(),
}

type Read = z.output<z.ZodObject<typeof domainSettings>> & {
  readonly SERVICE_GATEWAY_TLS_ADDR?: { host: string; port: number } | undefined
  readonly SERVICE_GATEWAY_HSTS?: number | undefined
  readonly SERVICE_DOMAINS_UNVERIFIED: boolean
  readonly SERVICE_DOMAINS_HTTP_PORT: number
}

/** Returns the settings of domains. `readFile` reads the file of a setting. */
export function domainConfigOf(
  read: Read,
  readFile: (name: string, path: string) => string,
): DomainConfig {
  const address = read.SERVICE_GATEWAY_TLS_ADDR
  const folder = read.SERVICE_GATEWAY_TLS_FILES
  const hsts = read.SERVICE_GATEWAY_HSTS
  const { SERVICE_ACME_EMAIL: email, SERVICE_ACME_CA: ca } = read
  const hasAcme = email !== undefined || read.SERVICE_ACME_DIRECTORY !== undefined
  return {
    isUnverified: read.SERVICE_DOMAINS_UNVERIFIED,
    publicAddresses: read.SERVICE_PUBLIC_ADDRESSES,
    resolver: read.SERVICE_DOMAINS_RESOLVER ?? null,
    httpPort: read.SERVICE_DOMAINS_HTTP_PORT,
    gatewayTls: address
      ? {
          address,
          hstsSeconds: hsts === undefined ? null : Math.floor(hsts / 1_000),
          filesFolder: folder === undefined ? null : resolve(folder),
        }
      : null,
    acme: hasAcme
      ? {
          directory: read.SERVICE_ACME_DIRECTORY ?? directories.production ?? '',
          email: email ?? null,
          ca: ca === undefined ? null : readFile('SERVICE_ACME_CA', ca),
        }
      : null,
  }
}

/** Returns a sentence for each setting that has no effect without another setting. */
export function domainConflictsOf(read: Read): string[] {
  const needsListener = [
    'SERVICE_GATEWAY_TLS_FILES',
    'SERVICE_GATEWAY_HSTS',
    'SERVICE_ACME_EMAIL',
    'SERVICE_ACME_DIRECTORY',
  ] as const
  const faults = needsListener
    .filter((name) => read[name] !== undefined && read.SERVICE_GATEWAY_TLS_ADDR === undefined)
    .map((name) => `${name} needs SERVICE_GATEWAY_TLS_ADDR, the address for HTTPS`)
  if (read.SERVICE_ACME_CA !== undefined && read.SERVICE_ACME_DIRECTORY === undefined) {
    faults.push('SERVICE_ACME_CA needs SERVICE_ACME_DIRECTORY, the directory that it belongs to')
  }
  return faults
}
