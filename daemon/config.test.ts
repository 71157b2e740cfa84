import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { ConfigError, loadConfig, settingNames } from './config.ts'

const token = 'a-token-of-the-tests'

test('without settings the daemon listens on 127.0.0.1 and keeps its data in the XDG state folder', () => {
  expect(loadConfig({ HOME: '/home/ada', XDG_STATE_HOME: '/state' })).toMatchObject({
    apiToken: null,
    address: { host: '127.0.0.1', port: 9000 },
    gatewayAddress: { host: '127.0.0.1', port: 9080 },
    baseDomain: 'localhost',
    appPorts:
      process.geteuid?.() === 0 ? { from: 21_000, to: 22_999 } : { from: 23_000, to: 24_999 },
    dataDir: '/state/strata',
    gcIntervalMs: 30_000,
    sweepGraceMs: 600_000,
    trashKeepMs: 30 * 86_400_000,
    rateLimit: null,
    scheduledBackups: null,
  })
})

test('an empty setting counts as absent', () => {
  expect(loadConfig({ SERVICE_API_TOKEN: '', SERVICE_GC_INTERVAL: '' })).toMatchObject({
    apiToken: null,
    gcIntervalMs: 30_000,
  })
})

test.each([
  ['SERVICE_ADDR', '9000', 'must be host:port'],
  ['SERVICE_ADDR', '127.0.0.1:99999', 'must be host:port'],
  ['SERVICE_ADDR', '[::zz]:80', 'must be host:port'],
  ['SERVICE_GATEWAY_ADDR', 'localhost', 'must be host:port'],
  ['SERVICE_BASE_DOMAIN', 'apps_example.com', 'must be a domain name'],
  ['SERVICE_BASE_DOMAIN', '-a.com', 'must be a domain name'],
  ['SERVICE_TRUSTED_PROXIES', '10.0.0.0/33', 'must be none, or addresses'],
  ['SERVICE_TRUSTED_PROXIES', '10.0.0.1,proxy.example.com', 'must be none, or addresses'],
  ['SERVICE_TRUSTED_PROXIES', '10.0.0.1/8/8', 'must be none, or addresses'],
  ['SERVICE_APP_PORTS', '21000', 'must be a range of at least 50 ports'],
  ['SERVICE_APP_PORTS', '80-2000', 'must be a range of at least 50 ports'],
  ['SERVICE_APP_PORTS', '8000-9500', 'choose another port or range'],
  ['SERVICE_GC_INTERVAL', '30', 'must be a duration'],
  ['SERVICE_GC_INTERVAL', '-1s', 'must be a duration'],
  ['SERVICE_DEPLOY_CONCURRENCY', '0', 'must be from 1 to 64'],
  ['SERVICE_RESERVED_MEMORY_MB', 'many', 'must be a whole number'],
  ['SERVICE_MASTER_KEY', 'abc', 'must be 64 hexadecimal digits'],
  ['SERVICE_API_TOKEN', 'with a space', 'must be visible ASCII'],
  ['SERVICE_API_TOKEN', 'x', 'must have at least 4 characters'],
  ['SERVICE_API_TOKEN', 'abc', 'must have at least 4 characters'],
  ['SERVICE_AUTO_TOKEN', 'yes', 'must be 1 or 0'],
  ['SERVICE_BOOTSTRAP_TOKEN_ACCESS', 'all', 'must be loopback, any or off'],
  ['SERVICE_DATABASE_URL', 'postgres://x/y', 'must be file:<path>'],
  ['SERVICE_POSTGRES_URL', 'mysql://x/y', 'must be a URL such as postgres://'],
  ['SERVICE_MYSQL_URL', 'postgres://x/y', 'must be a URL such as mysql://'],
  ['SERVICE_RUNTIME', 'podman', 'must be process or docker'],
  ['SERVICE_LOG_FORMAT', 'xml', 'must be json or pretty'],
  ['SERVICE_RATE_LIMIT_BURST', '5', 'needs SERVICE_RATE_LIMIT_PER_SECOND'],
  ['SERVICE_TLS_CERT', '/nowhere', 'belong together'],
  ['SERVICE_ACME_EMAIL', 'ops@example.com', 'needs SERVICE_GATEWAY_TLS_ADDR'],
  ['SERVICE_ACME_EMAIL', 'nobody', 'must be an email address'],
  ['SERVICE_ACME_DIRECTORY', 'http://acme.example.com', 'production, staging, or the https:// URL'],
  ['SERVICE_ACME_CA', '/nowhere', 'needs SERVICE_ACME_DIRECTORY'],
  ['SERVICE_GATEWAY_HSTS', 'long', 'must be a duration'],
  ['SERVICE_GATEWAY_TLS_FILES', '/nowhere', 'needs SERVICE_GATEWAY_TLS_ADDR'],
  ['SERVICE_PUBLIC_ADDRESSES', 'example.com', 'must be IP addresses'],
  ['SERVICE_PRIVATE_HOSTS', 'https://git.internal', 'must be host names without ports'],
  ['SERVICE_DOMAINS_RESOLVER', 'dns.example.com', 'must be the address of a DNS server'],
  ['SERVICE_DOMAINS_HTTP_PORT', '0', 'must be from 1 to 65535'],
])('%s=%s is refused with a message that names the setting', (name, value, message) => {
  const read = () => loadConfig({ [name]: value })
  expect(read).toThrow(ConfigError)
  expect(read).toThrow(message)
  expect(read).toThrow(name)
})

test('trusted proxies are addresses and ranges; the default is this machine, and none is nobody', () => {
  const read = (text: string) => loadConfig({ SERVICE_TRUSTED_PROXIES: text }).trustedProxies
  expect(read('')).toEqual(['127.0.0.0/8', '::1/128'])
  expect(read('10.0.0.0/8, fd00::/8,192.0.2.1')).toEqual(['10.0.0.0/8', 'fd00::/8', '192.0.2.1'])
  expect(read('none')).toEqual([])
})

test('a ConfigError names every fault and no value of a secret', () => {
  const secret = 'not to be seen'
  const env = { SERVICE_API_TOKEN: secret, SERVICE_MASTER_KEY: secret, SERVICE_ADDR: 'x' }
  try {
    loadConfig(env)
    expect.unreachable()
  } catch (error) {
    const { message } = error as Error
    expect(message.split('\n')).toHaveLength(3)
    expect(message).not.toContain(secret)
  }
})

test.each(['0.0.0.0:9000', '[::]:9000', ':9000', '192.0.2.1:9000', 'example.com:9000'])(
  'an API without a token on %s needs an explicit setting',
  (SERVICE_ADDR) => {
    expect(() => loadConfig({ SERVICE_ADDR })).toThrow('SERVICE_API_TOKEN')
    for (const more of [
      { SERVICE_API_TOKEN: token },
      { SERVICE_AUTO_TOKEN: '1' },
      { SERVICE_ALLOW_OPEN_API: '1' },
    ]) {
      expect(() => loadConfig({ SERVICE_ADDR, ...more })).not.toThrow()
    }
  },
)

test.each(['127.0.0.1:9000', '127.8.8.8:1', '[::1]:9000', 'localhost:9000'])(
  'an API without a token on %s is accepted',
  (SERVICE_ADDR) => {
    expect(() => loadConfig({ SERVICE_ADDR })).not.toThrow()
  },
)

test('a master token under 8 characters is refused on an address that other machines reach', () => {
  const SERVICE_API_TOKEN = 'seven-c'
  expect(() => loadConfig({ SERVICE_API_TOKEN, SERVICE_ADDR: '0.0.0.0:9000' })).toThrow(
    'SERVICE_API_TOKEN must have at least 8 characters',
  )
  expect(() => loadConfig({ SERVICE_API_TOKEN, SERVICE_ADDR: '127.0.0.1:9000' })).not.toThrow()
})

test('secret settings print as redacted', () => {
  const config = loadConfig({ SERVICE_API_TOKEN: token, SERVICE_WEBHOOK_SECRET: token })
  expect(`${inspect(config)} ${JSON.stringify(config)} ${config.apiToken}`).not.toContain(token)
  expect(config.apiToken?.reveal()).toBe(token)
})

test('an unknown SERVICE_ variable causes a warning', () => {
  const warnings: string[] = []
  loadConfig({ SERVICE_API_TOKN: token }, (warning) => warnings.push(warning))
  expect(warnings).toEqual(['unknown setting SERVICE_API_TOKN: stratad ignores it'])
})

test('an unreadable or invalid TLS certificate is refused', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stratad-config-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [SERVICE_TLS_CERT, SERVICE_TLS_KEY] = [join(folder, 'cert'), join(folder, 'key')]
  expect(() => loadConfig({ SERVICE_TLS_CERT, SERVICE_TLS_KEY })).toThrow("can't read the file")
  writeFileSync(SERVICE_TLS_CERT, 'certificate')
  writeFileSync(SERVICE_TLS_KEY, 'key')
  expect(() => loadConfig({ SERVICE_TLS_CERT, SERVICE_TLS_KEY })).toThrow('in PEM form')
})

test('docs/daemon.md names every setting', () => {
  const text = readFileSync(new URL('../docs/daemon.md', import.meta.url), 'utf8')
  const table = [...text.matchAll(/^\| (`SERVICE_.*?`) \|/gm)].flatMap(([, names = '']) =>
    [...names.matchAll(/SERVICE_\w+/g)].map(([name]) => name),
  )
  expect(table.toSorted()).toEqual(settingNames.toSorted())
})
