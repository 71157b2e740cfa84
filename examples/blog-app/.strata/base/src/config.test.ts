import { randomBytes } from 'node:crypto'
import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { ConfigError, loadConfig } from './config.js'

const env = {
  DATABASE_URL: 'file:./data/app.db',
  JWT_SECRET: randomBytes(16).toString('hex'),
}

test('loadConfig sets the defaults of absent settings', () => {
  expect(loadConfig(env)).toMatchObject({
    PORT: 8080,
    LOG_LEVEL: 'info',
    CORS_ORIGINS: [],
    TRUST_PROXY: 0,
    METRICS: false,
  })
})

test('loadConfig names every bad setting in one error, and no value', () => {
  const bad = { PORT: 'not-shown', LOG_LEVEL: 'not-shown', CORS_ORIGINS: 'not-shown' }
  const load = () => loadConfig({ ...env, ...bad, TRUST_PROXY: 'not-shown', METRICS: 'not-shown' })
  expect(load).toThrow(ConfigError)
  expect(load).toThrow(/PORT.*LOG_LEVEL.*CORS_ORIGINS.*TRUST_PROXY.*METRICS/)
  expect(load).not.toThrow(/not-shown/)
})

test('loadConfig reads lists of origins and of proxies', () => {
  const CORS_ORIGINS = 'https://example.com, http://localhost:5173'
  expect(loadConfig({ ...env, CORS_ORIGINS, TRUST_PROXY: '10.0.0.0/8, loopback' })).toMatchObject({
    CORS_ORIGINS: ['https://example.com', 'http://localhost:5173'],
    TRUST_PROXY: '10.0.0.0/8, loopback',
  })
})

test.each([
  [{}, true],
  [{ DOCS: '0' }, false],
  [{ NODE_ENV: 'production' }, false],
  [{ NODE_ENV: 'production', DOCS: '1' }, true],
])('loadConfig with %o sets DOCS to %s', (given, expected) => {
  expect(loadConfig({ ...env, ...given }).DOCS).toBe(expected)
})

test.each([
  ['missing', undefined],
  ['empty', ''],
  ['short', env.JWT_SECRET.slice(1)],
])('loadConfig rejects a JWT_SECRET that is %s', (_, JWT_SECRET) => {
  expect(() => loadConfig({ ...env, JWT_SECRET })).toThrow(/^bad settings: JWT_SECRET /)
})

test('printing the config does not reveal JWT_SECRET', () => {
  const config = loadConfig(env)
  expect(inspect(config) + JSON.stringify(config)).not.toContain(env.JWT_SECRET)
})
