import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type DnsServer, startDnsServer } from '../../test/support/acme/dns-server.ts'
import { createFakeGateway, type FakeGateway } from '../../test/support/daemon/app/fake-gateway.ts'
import { createDomainProof } from './domain-proof.ts'

let dns: DnsServer
let server: Server
let gateway: FakeGateway
let answer: (path: string) => { status: number; text: string; location?: string }

beforeEach(async () => {
  dns = await startDnsServer()
  gateway = createFakeGateway()
  server = createServer((req, res) => {
    const { status, text, location } = answer(req.url ?? '')
    res.writeHead(status, location ? { location } : {}).end(text)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterEach(() => {
  dns.close()
  server.close()
})

const shop = 'shop.example.test'

function faultOf(publicAddresses: string[] = []) {
  const { port: httpPort } = server.address() as AddressInfo
  const proof = createDomainProof({ gateway, publicAddresses, resolver: dns.address, httpPort })
  return proof.faultOf(shop, AbortSignal.timeout(10_000))
}

/** Answers like the gateway. */
function gatewayAnswer(path: string) {
  const challenge = gateway.challenges.get(shop)
  const isKnown = challenge?.kind === 'http' && challenge.path === path
  return { status: 200, text: isKnown ? challenge.body : 'another site' }
}

test('a domain without an address is refused', async () => {
  expect(await faultOf()).toBe('DNS has no address for it')
})

test('a domain is proven by the challenge of the gateway, which ends with the proof', async () => {
  dns.setAddress('127.0.0.1')
  const paths: string[] = []
  answer = (path) => {
    paths.push(path)
    return gatewayAnswer(path)
  }
  expect(await faultOf()).toBeUndefined()
  expect(await faultOf()).toBeUndefined()
  expect(new Set(paths).size).toBe(2)
  expect(gateway.challenges.size).toBe(0)
})

test.each([
  ['another site', { status: 200, text: 'welcome' }],
  ['an error', { status: 404, text: '' }],
  ['a redirect', { status: 302, text: '', location: 'http://127.0.0.1/' }],
  ['endless text', { status: 200, text: 'x'.repeat(100_000) }],
])('a domain that answers with %s is refused', async (_name, given) => {
  dns.setAddress('127.0.0.1')
  answer = () => given
  expect(await faultOf()).toMatch(
    /it resolves to 127\.0\.0\.1, but 127\.0\.0\.1 is not this server/,
  )
  expect(gateway.challenges.size).toBe(0)
})

test('a domain with only known public addresses needs no challenge', async () => {
  dns.setAddress('203.0.113.7')
  answer = () => {
    throw new Error('unexpected request')
  }
  expect(await faultOf(['203.0.113.7'])).toBeUndefined()
})

test('an address that nothing answers at is explained', async () => {
  dns.setAddress('127.0.0.1')
  server.close()
  await once(server, 'close')
  const proof = createDomainProof({
    ...{ gateway, publicAddresses: [], resolver: dns.address },
    httpPort: 1,
  })
  const fault = await proof.faultOf(shop, AbortSignal.timeout(10_000))
  expect(fault).toContain('does not forward port 1 to it')
})
