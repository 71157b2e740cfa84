import { expect, test } from 'vitest'
import { ConfigError, loadConfig } from './config.js'

const env = {
  DATABASE_URL: 'postgres://localhost/app',
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
