import { homedir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadConfig } from '../../daemon/config.ts'

describe('stratad settings', () => {
  test.each<[string, Record<string, string>, RegExp]>([
    ['an invalid address', { SERVICE_ADDR: 'nonsense' }, /SERVICE_ADDR must be host:port/],
    ['a port above 65535', { SERVICE_GATEWAY_ADDR: '127.0.0.1:70000' }, /SERVICE_GATEWAY_ADDR/],
    [
      'an invalid duration',
      { SERVICE_GC_INTERVAL: 'soon' },
      /SERVICE_GC_INTERVAL must be a duration/,
    ],
    ['an invalid master key', { SERVICE_MASTER_KEY: 'f00' }, /SERVICE_MASTER_KEY must be 64 hex/],
    [
      'a token with a space',
      { SERVICE_API_TOKEN: 'two words' },
      /SERVICE_API_TOKEN must be visible ASCII/,
    ],
    [
      'an unsupported database',
      { SERVICE_DATABASE_URL: 'mysql://x' },
      /SERVICE_DATABASE_URL must be/,
    ],
    ['an unknown runtime', { SERVICE_RUNTIME: 'podman' }, /SERVICE_RUNTIME must be/],
    ['an invalid flag', { SERVICE_ALLOW_RESTORE: 'maybe' }, /SERVICE_ALLOW_RESTORE must be 1 or 0/],
    [
      'a negative number',
      { SERVICE_DEPLOY_CONCURRENCY: '-1' },
      /SERVICE_DEPLOY_CONCURRENCY must be/,
    ],
    ['a number out of range', { SERVICE_DEPLOY_CONCURRENCY: '0' }, /must be from 1 to 64/],
    [
      'an invalid domain',
      { SERVICE_BASE_DOMAIN: '<b>.example' },
      /SERVICE_BASE_DOMAIN must be a domain/,
    ],
    [
      'a TLS certificate without a key',
      { SERVICE_TLS_CERT: '/x.pem' },
      /SERVICE_TLS_CERT and SERVICE_TLS_KEY/,
    ],
    [
      'a burst without a rate',
      { SERVICE_RATE_LIMIT_BURST: '5' },
      /needs SERVICE_RATE_LIMIT_PER_SECOND/,
    ],
    [
      'missing TLS files',
      { SERVICE_TLS_CERT: '/no/such.pem', SERVICE_TLS_KEY: '/no/such.key' },
      /can't read the file of SERVICE_TLS_CERT \(ENOENT\)/,
    ],
    [
      'a public address without a token',
      { SERVICE_ADDR: '0.0.0.0:9000' },
      /SERVICE_ALLOW_OPEN_API/,
    ],
    ['an empty host without a token', { SERVICE_ADDR: ':9000' }, /SERVICE_ALLOW_OPEN_API/],
  ])('loadConfig rejects %s and names the setting', (_, env, message) => {
    expect(() => loadConfig(env)).toThrow(message)
  })

  test('are all checked: loadConfig names every invalid setting at once', () => {
    const env = { SERVICE_ADDR: 'x', SERVICE_LOG_FORMAT: 'xml' }
    expect(() => loadConfig(env)).toThrow(/SERVICE_ADDR must.*\nSERVICE_LOG_FORMAT must/)
  })

  test('with secret values are never quoted in an error', () => {
    const env = { SERVICE_API_TOKEN: 'secret words', SERVICE_MASTER_KEY: 'secret-key' }
    const message = messageOf(() => loadConfig(env))
    expect(message).not.toMatch(/secret[ -]/)
  })

  test('with an unknown name are ignored with a warning', () => {
    const warnings: string[] = []
    loadConfig({ SERVICE_APi_TOKEN: 'x' }, (text) => warnings.push(text))
    expect(warnings).toEqual(['unknown setting SERVICE_APi_TOKEN: stratad ignores it'])
  })

  test('with an empty value get their default', () => {
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
