import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { redacted } from '../domain/redacted.ts'
import type { Redacted } from '../ports.ts'

/** Address of the API of a Docker engine. */
export type EngineAddress =
  | { readonly kind: 'unix'; readonly path: string }
  | {
      readonly kind: 'tcp'
      readonly host: string
      readonly port: number
      readonly tls: EngineTls | null
    }

/** Certificates of an engine's API in PEM form. */
export interface EngineTls {
  readonly ca: string
  readonly cert: string
  readonly key: Redacted
}

/** The settings of an engine, as its messages name them. */
export interface EngineSettings {
  readonly endpoint: string
  readonly certificates: string
}

/** Settings of the engine that the environment of the daemon names. */
export const hostSettings: EngineSettings = {
  endpoint: 'DOCKER_HOST',
  certificates: 'DOCKER_CERT_PATH and DOCKER_TLS_VERIFY',
}

const defaultHost = 'unix:///var/run/docker.sock'

/**
 * Reads the engine's address from `DOCKER_HOST`, `DOCKER_TLS_VERIFY` and `DOCKER_CERT_PATH`, as the docker program does.
 * Returns the faults, one sentence each, without any value of a key.
 */
export function readDockerHost(
  env: Readonly<Record<string, string | undefined>>,
  { allowInsecure }: { allowInsecure: boolean },
): { readonly address: EngineAddress | undefined; readonly faults: readonly string[] } {
  const text = env.DOCKER_HOST || defaultHost
  const address = parseEndpoint(text, 'DOCKER_HOST')
  if (typeof address === 'string') return { address: undefined, faults: [address] }
  if (address.kind === 'unix') return { address, faults: [] }
  if (!env.DOCKER_TLS_VERIFY && !env.DOCKER_CERT_PATH) {
    if (allowInsecure) return { address, faults: [] }
    const fault = `DOCKER_HOST ${text} has no TLS, which gives root on that host to everybody in its network: set DOCKER_TLS_VERIFY=1 and DOCKER_CERT_PATH, or SERVICE_ALLOW_INSECURE_NODES=1`
    return { address: undefined, faults: [fault] }
  }
  const folder = env.DOCKER_CERT_PATH || join(homedir(), '.docker')
  const { tls, fault } = readTls(folder)
  return tls
    ? { address: { ...address, tls }, faults: [] }
    : { address: undefined, faults: [fault ?? ''] }
}

/** Returns the address without certificates, or the fault in it. `setting` is what the text comes from. */
export function parseEndpoint(text: string, setting: string): EngineAddress | string {
  const unix = /^unix:\/\/(\/.*)$/.exec(text)?.[1]
  if (unix !== undefined) return { kind: 'unix', path: unix }
  if (/^ssh:/.test(text)) {
    return `${setting} must not begin with ssh://: expected unix:///path, or tcp://host:2376 with certificates`
  }
  const [, bracketed, plain, port = '2376'] =
    /^(?:tcp|https?):\/\/(?:\[([0-9a-f:.]+)\]|([^:/[\]\s@]+))(?::(\d{1,5}))?\/?$/i.exec(text) ?? []
  const host = bracketed ?? plain
  if (host === undefined || Number(port) > 65_535) {
    return `${setting} must be unix:///path or tcp://host:port, such as unix:///var/run/docker.sock`
  }
  return { kind: 'tcp', host, port: Number(port), tls: null }
}

function readTls(folder: string): { tls?: EngineTls; fault?: string } {
  try {
    const read = (name: string) => readFileSync(join(folder, name), 'utf8')
    return {
      tls: { ca: read('ca.pem'), cert: read('cert.pem'), key: redacted(read('key.pem')) },
    }
  } catch (error) {
    const { code = 'unknown error', path = '' } = error as NodeJS.ErrnoException
    return {
      fault: `can't read ${path} (${code}): set DOCKER_CERT_PATH to the folder of ca.pem, cert.pem and key.pem`,
    }
  }
}

/** Returns the address as text, for messages. */
export function addressText(address: EngineAddress): string {
  if (address.kind === 'unix') return `unix://${address.path}`
  const host = address.host.includes(':') ? `[${address.host}]` : address.host
  return `tcp://${host}:${address.port}`
}
