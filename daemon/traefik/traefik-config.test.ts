import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { createProxyConfig } from './config-response.ts'
import { buildProxyConfig } from './traefik-config.ts'

const options = { gatewayUrl: 'http://127.0.0.1:9080', entryPoints: ['web'], tls: null }
const parsed = (hostnames: string[], more = {}) =>
  JSON.parse(String(buildProxyConfig(hostnames, { ...options, ...more })))

test('the proxy config has a router to the gateway for each live environment', () => {
  expect(parsed(['main--shop.localhost', 'a-b--shop.apps.example.com'])).toEqual({
    http: {
      middlewares: { 'strata-retry': { retry: { attempts: 5, initialInterval: '100ms' } } },
      routers: {
        'strata-a-b--shop_apps_example_com': {
          entryPoints: ['web'],
          middlewares: ['strata-retry'],
          rule: 'Host(`a-b--shop.apps.example.com`)',
          service: 'strata-gateway',
        },
        'strata-main--shop_localhost': {
          entryPoints: ['web'],
          middlewares: ['strata-retry'],
          rule: 'Host(`main--shop.localhost`)',
          service: 'strata-gateway',
        },
      },
      services: {
        'strata-gateway': {
          loadBalancer: { passHostHeader: true, servers: [{ url: 'http://127.0.0.1:9080' }] },
        },
      },
    },
  })
})

test('the proxy config has sorted keys and does not depend on the order of environments', () => {
  const names = ['b.x', 'a.x', 'a-b.x', 'ab.x', 'a.x']
  const bytes = buildProxyConfig(names, options)
  expect(buildProxyConfig([...names].reverse(), options)).toEqual(bytes)
  const sorted = (_key: string, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value
  expect(JSON.stringify(JSON.parse(String(bytes)), sorted)).toBe(String(bytes))
})

test('the proxy config without environments has no empty map', () => {
  expect(Object.keys(parsed([]).http)).toEqual(['middlewares', 'services'])
  expect(JSON.stringify(parsed([]))).not.toContain('{}')
})

test('each router of the proxy config has the TLS options', () => {
  const tlsOf = (tls: object) => parsed(['a.x'], { tls }).http.routers['strata-a_x'].tls
  expect(tlsOf({ certResolver: 'le' })).toEqual({ certResolver: 'le' })
  expect(tlsOf({ certResolver: null })).toEqual({ options: 'default' })
})

test('concurrent readers of one version share one build of the proxy config', async () => {
  let version = 1
  let reads = 0
  const proxy = createProxyConfig({
    source: {
      version: () => version,
      async listLive() {
        reads += 1
        return [{ hostname: 'main--shop.localhost' }]
      },
    },
    config: options,
  })
  const [first, second] = await Promise.all([proxy.read(), proxy.read()])
  expect(second).toBe(first)
  expect(first.etag).toBe(`"${createHash('sha256').update(first.body).digest('hex')}"`)
  version = 2
  const third = await proxy.read()
  expect(reads).toBe(2)
  expect(third.etag).toBe(first.etag)
})

test('the proxy config does not cache a failed read', async () => {
  let isBroken = true
  const proxy = createProxyConfig({
    source: {
      version: () => 1,
      async listLive() {
        if (isBroken) throw new Error('locked')
        return []
      },
    },
    config: options,
  })
  await expect(proxy.read()).rejects.toThrow('locked')
  isBroken = false
  expect((await proxy.read()).body.length).toBeGreaterThan(0)
})

test.each([
  [undefined, false],
  ['*', true],
  [' * ', true],
  ['"abc"', true],
  ['W/"abc"', true],
  ['"x", W/"y" , "abc"', true],
  ['"a,bc", "abc"', true],
  ['"ab"', false],
  ['abc', false],
  ['', false],
])('isFresh of If-None-Match %j with the ETag "abc" is %s', (header, expected) => {
  const { isFresh } = createProxyConfig({
    source: { version: () => 1, listLive: async () => [] },
    config: options,
  })
  expect(isFresh(header, '"abc"')).toBe(expected)
})
