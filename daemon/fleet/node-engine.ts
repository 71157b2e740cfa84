import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { createSecureContext } from 'node:tls'
import { ownHost } from '../domain/endpoints.ts'
import { type EngineAddress, type EngineSettings, parseEndpoint } from '../engine/docker-host.ts'
import { DaemonError } from '../errors.ts'
import type { NodeDraft } from '../ports.ts'

/** The settings of a node, as messages name them. */
export const nodeSettings: EngineSettings = {
  endpoint: 'the endpoint of the node',
  certificates: 'tls_ca, tls_cert and tls_key of the node',
}

/** Returns the address of a node's engine. Throws `bad-request` with the fault, without certificates. */
export function engineAddressOf(
  { endpoint, tls }: Pick<NodeDraft, 'endpoint' | 'tls'>,
  { allowInsecure }: { allowInsecure: boolean },
): EngineAddress {
  const address = parseEndpoint(endpoint, 'endpoint')
  if (typeof address === 'string') throw new DaemonError('bad-request', address)
  if (address.kind === 'unix') {
    if (!tls) return address
    throw new DaemonError('bad-request', `${endpoint} is a socket of this host: leave out TLS`)
  }
  if (!tls) {
    if (allowInsecure) return address
    throw new DaemonError(
      'bad-request',
      `${endpoint} has no TLS, which gives root on that host to everybody in its network: give tls_ca, tls_cert and tls_key, or set SERVICE_ALLOW_INSECURE_NODES=1`,
    )
  }
  requirePair(tls)
  return { ...address, tls }
}

/** Throws `bad-request` if the certificates can't be read. The original error is dropped: it may show a key. */
function requirePair({ ca, cert, key }: NonNullable<NodeDraft['tls']>): void {
  const parts = [
    ['tls_ca', () => createSecureContext({ ca })],
    ['tls_cert', () => createSecureContext({ cert })],
    ['tls_key', () => createSecureContext({ key: key.reveal() })],
    ['tls_key', () => createSecureContext({ cert, key: key.reveal() })],
  ] as const
  for (const [index, [name, read]] of parts.entries()) {
    try {
      read()
    } catch {
      const fault = index === 3 ? 'does not belong to tls_cert' : 'is not a valid PEM file'
      throw new DaemonError('bad-request', `${name} ${fault}`)
    }
  }
}

/** Returns the IP address on which a node publishes apps, and at which the gateway reaches them. */
export async function publishAddressOf(
  address: string | null,
  engine: EngineAddress,
): Promise<string> {
  const name = address ?? (engine.kind === 'tcp' ? engine.host : ownHost)
  if (isIP(name)) return name
  try {
    return (await lookup(name)).address
  } catch {
    throw new DaemonError(
      'bad-request',
      `the host name ${name} is unknown: give the IP address of the node with --address`,
    )
  }
}

/** Returns true if the engine of this address does not see the folders of this host. */
export function isElsewhere(engine: EngineAddress): boolean {
  return engine.kind === 'tcp' && !/^(localhost|127\.|::1$)/.test(engine.host)
}
