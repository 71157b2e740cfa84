import { expect, test } from 'vitest'
import { appAddress, createPublicPort } from './public-port.ts'

const hostname = 'main--shop.apps.example.com'
const wildcard = { hostnames: ['*.apps.example.com'] }

test.each([
  ['443 under a wildcard', 443, [wildcard], 443],
  ['the plain port without a certificate', 443, [], 80],
  ['the plain port if the wildcard is of another domain', 443, [{ hostnames: ['*.com'] }], 80],
  ['the plain port if HTTPS has another port', 8443, [wildcard], 80],
  ['the plain port without HTTPS', null, [wildcard], 80],
])('a host name has %s', (_name, tlsPort, files, expected) => {
  const publicPort = createPublicPort({ port: 80, tlsPort, certificates: () => files })
  expect(publicPort(hostname)).toBe(expected)
})

test('a certificate that arrives later counts at once', () => {
  const files: { hostnames: string[] }[] = []
  const publicPort = createPublicPort({ port: 80, tlsPort: 443, certificates: () => files })
  expect(publicPort(hostname)).toBe(80)
  files.push(wildcard)
  expect(publicPort(hostname)).toBe(443)
})

test('an address names only ports that are not the default', () => {
  expect([443, 80, 9080].map((port) => appAddress('shop.test', port))).toEqual([
    'https://shop.test',
    'http://shop.test',
    'http://shop.test:9080',
  ])
})
