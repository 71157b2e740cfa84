import { homedir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadConfig } from '../../daemon/config.ts'

describe('settings', () => {
  test.each<[string, Record<string, string>, RegExp]>([
    ['an address', { SERVICE_ADDR: 'nonsense' }, /SERVICE_ADDR must be host:port/],
    ['a port past the last', { SERVICE_GATEWAY_ADDR: '127.0.0.1:70000' }, /SERVICE_GATEWAY_ADDR/],
    ['a duration', { SERVICE_GC_INTERVAL: 'soon' }, /SERVICE_GC_INTERVAL must be a duration/],
    ['a key', { SERVICE_MASTER_KEY: 'f00' }, /SERVICE_MASTER_KEY must be 64 hex/],
    ['a token', { SERVICE_API_TOKEN: 'two words' }, /SERVICE_API_TOKEN must be visible ASCII/],
    ['a database', { SERVICE_DATABASE_URL: 'mysql://x' }, /SERVICE_DATABASE_URL must be/],
    ['a runtime', { SERVICE_RUNTIME: 'podman' }, /SERVICE_RUNTIME must be/],
    ['a flag', { SERVICE_ALLOW_RESTORE: 'maybe' }, /SERVICE_ALLOW_RESTORE must be 1 or 0/],
    ['a number', { SERVICE_DEPLOY_CONCURRENCY: '-1' }, /SERVICE_DEPLOY_CONCURRENCY must be/],
    ['a number out of range', { SERVICE_DEPLOY_CONCURRENCY: '0' }, /must be from 1 to 64/],
    ['a domain', { SERVICE_BASE_DOMAIN: '<b>.example' }, /SERVICE_BASE_DOMAIN must be a domain/],
    ['half of TLS', { SERVICE_TLS_CERT: '/x.pem' }, /SERVICE_TLS_CERT and SERVICE_TLS_KEY/],
    [
      'a burst of no rate',
      { SERVICE_RATE_LIMIT_BURST: '5' },
      /needs SERVICE_RATE_LIMIT_PER_SECOND/,
    ],
    [
      'TLS files that are not there',
      { SERVICE_TLS_CERT: '/no/such.pem', SERVICE_TLS_KEY: '/no/such.key' },
      /SERVICE_TLS_CERT names a file that can't be read \(ENOENT\)/,
    ],
    ['an open address with no token', { SERVICE_ADDR: '0.0.0.0:9000' }, /SERVICE_ALLOW_OPEN_API/],
    ['an empty host with no token', { SERVICE_ADDR: ':9000' }, /SERVICE_ALLOW_OPEN_API/],
  ])('%s that is wrong is told by name', (_, env, message) => {
    expect(() => loadConfig(env)).toThrow(message)
  })

  test('are all told of at once', () => {
    const env = { SERVICE_ADDR: 'x', SERVICE_LOG_FORMAT: 'xml' }
    expect(() => loadConfig(env)).toThrow(/SERVICE_ADDR must.*\nSERVICE_LOG_FORMAT must/)
  })

  test('that are secret are in no message', () => {
    const env = { SERVICE_API_TOKEN: 'secret words', SERVICE_MASTER_KEY: 'secret-key' }
    const message = messageOf(() => loadConfig(env))
    expect(message).not.toMatch(/secret[ -]/)
  })

  test('of an unknown name change nothing, and are told of', () => {
    const warnings: string[] = []
    loadConfig({ SERVICE_APi_TOKEN: 'x' }, (text) => warnings.push(text))
    expect(warnings).toEqual(['SERVICE_APi_TOKEN is no setting of stratad and changes nothing'])
  })

  test('that are empty are as good as none', () => {
    expect(loadConfig({ SERVICE_ADDR: '', SERVICE_API_TOKEN: '' })).toMatchObject({
      apiToken: null,
      address: { host: '127.0.0.1', port: 9000 },
      gatewayAddress: { host: '127.0.0.1', port: 9080 },
      dataDir: join(homedir(), '.local/state/strata'),
    })
  })
})

function messageOf(work: () => unknown): string {
  try {
    work()
    return ''
  } catch (error) {
    return String(error)
  }
}
