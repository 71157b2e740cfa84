import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { DaemonError } from '../errors.ts'
import { canonicalHost, isLoopback, isRefusedAddress } from './remote-host.ts'

/** Resolves a name to its addresses, like the system does for git. Rejects if the name is unknown. */
export type Resolve = (name: string) => Promise<readonly string[]>

export const resolveName: Resolve = async (name) =>
  (await lookup(name, { all: true })).map(({ address }) => address)

/** Time limit of a resolution. */
const timeoutMs = 10_000

/**
 * Returns the addresses of a remote's host; none if the host is an address, this machine, or an unknown name. Throws
 * `bad-request` if one of them is link-local or a metadata service: the name could lead git into the host's network.
 */
export async function addressesOf(url: string, resolve: Resolve): Promise<readonly string[]> {
  const { hostname } = new URL(url)
  if (hostname.startsWith('[') || isIP(hostname) !== 0 || isLoopback(hostname)) return []
  const addresses = await inTime(resolve(hostname), hostname)
  const refused = addresses.find((address) => isRefusedAddress(canonical(address)))
  if (refused === undefined) return addresses
  throw new DaemonError(
    'bad-request',
    `repo_url must not be a link-local, metadata or unspecified address: ${hostname} resolves to ${refused}`,
  )
}

/** Returns git settings that keep an https host at its checked addresses, so that a second answer of its DNS is not used. */
export function pinConfig(
  url: string,
  addresses: readonly string[],
): (readonly [name: string, value: string])[] {
  const { protocol, hostname, port } = new URL(url)
  if (protocol === 'ssh:' || addresses.length === 0) return []
  const bracketed = addresses.map((each) => (each.includes(':') ? `[${each}]` : each))
  const usedPort = port || (protocol === 'http:' ? '80' : '443')
  return [['http.curloptResolve', `${hostname}:${usedPort}:${bracketed.join(',')}`]]
}

/** Resolves with no addresses for an unknown name. Throws `transient` for a name server that does not answer. */
async function inTime(work: Promise<readonly string[]>, name: string): Promise<readonly string[]> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const fault = new DaemonError(
      'transient',
      `${name} could not be reached: its name server does not answer`,
    )
    timer = setTimeout(() => reject(fault), timeoutMs)
  })
  try {
    return await Promise.race([work.catch(() => []), late])
  } finally {
    clearTimeout(timer)
  }
}

function canonical(address: string): string {
  const plain = address.replace(/%.*$/, '')
  return canonicalHost(plain.includes(':') ? `[${plain}]` : plain) ?? plain
}
