import { randomBytes } from 'node:crypto'
import { lookup, Resolver } from 'node:dns/promises'
import { request } from 'node:http'
import { networkInterfaces } from 'node:os'
import { isPublicAddress } from '../domain/public-address.ts'
import type { DomainProof, Gateway } from '../ports.ts'

const timeoutMs = 5_000
const maxAddresses = 4
const challengeFolder = '/.well-known/strata-challenge/'

/**
 * Creates the proof of a domain. It passes if all addresses in DNS are known addresses of this server, or if one of them
 * answers an HTTP challenge that only this gateway knows.
 */
export function createDomainProof(deps: {
  readonly gateway: Pick<Gateway, 'setChallenge' | 'removeChallenge'>
  readonly publicAddresses: readonly string[]
  readonly resolver: string | null
  /** Public port that leads to the plain port of the gateway. */
  readonly httpPort: number
}): DomainProof {
  const { gateway, publicAddresses, httpPort } = deps
  const resolve = createResolve(deps.resolver)

  async function answersChallenge(
    domain: string,
    addresses: readonly string[],
    signal: AbortSignal,
  ) {
    const path = `${challengeFolder}${randomBytes(16).toString('hex')}`
    const body = randomBytes(32).toString('hex')
    await gateway.setChallenge({ kind: 'http', hostname: domain, path, body })
    try {
      const faults: string[] = []
      for (const address of addresses.slice(0, maxAddresses)) {
        const answer = await get({ address, domain, path, port: httpPort, signal })
        if (answer === body) return undefined
        faults.push(`${address} is not this server or does not forward port ${httpPort} to it`)
      }
      return `it resolves to ${addresses.join(', ')}, but ${faults.join('; ')}`
    } finally {
      await gateway.removeChallenge(domain)
    }
  }

  return {
    async faultOf(domain, signal) {
      const addresses = await resolve(domain)
      if (addresses.length === 0) return 'DNS has no address for it'
      const known = new Set(publicAddresses)
      if (addresses.every((address) => known.has(address))) return undefined
      return answersChallenge(domain, addresses, signal)
    },
  }
}

/** Returns the public addresses of this host's network interfaces. */
export function interfaceAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .filter(({ internal, address }) => !internal && isPublicAddress(address))
    .map(({ address }) => address)
}

function createResolve(server: string | null): (domain: string) => Promise<string[]> {
  if (server === null) {
    return (domain) =>
      lookup(domain, { all: true }).then(
        (found) => found.map(({ address }) => address),
        () => [],
      )
  }
  const resolver = new Resolver({ timeout: timeoutMs, tries: 2 })
  resolver.setServers([server])
  return async (domain) => {
    const answers = await Promise.all([
      resolver.resolve4(domain).catch(() => []),
      resolver.resolve6(domain).catch(() => []),
    ])
    return answers.flat()
  }
}

/** Returns the start of a 200 response, otherwise undefined. Follows no redirect. */
function get(options: {
  address: string
  domain: string
  path: string
  port: number
  signal: AbortSignal
}): Promise<string | undefined> {
  const { address: host, domain, path, port, signal } = options
  return new Promise((resolve) => {
    const fail = () => resolve(undefined)
    const sent = request(
      {
        ...{ host, port, path },
        agent: false,
        headers: { Host: domain, Connection: 'close' },
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      },
      (response) => {
        let text = ''
        response.setEncoding('latin1').on('data', (chunk: string) => {
          text += chunk
          if (text.length > 1_024) sent.destroy()
        })
        response.on('end', () => resolve(response.statusCode === 200 ? text : undefined))
        response.on('error', fail).on('close', fail)
      },
    )
    sent.on('error', fail)
    sent.end()
  })
}
