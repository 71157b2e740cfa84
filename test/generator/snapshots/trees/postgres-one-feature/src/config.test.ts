import { expect, test } from 'vitest'
import { ConfigError, loadConfig } from './config.js'

const DATABASE_URL = 'postgres://localhost/app'

test('what is not set has a default', () => {
  expect(loadConfig({ DATABASE_URL })).toMatchObject({ port: 8080, logLevel: 'info' })
})

test('every bad setting is named at once, and no value is shown', () => {
  const load = () => loadConfig({ DATABASE_URL, PORT: 'not-shown', LOG_LEVEL: 'not-shown' })
  expect(load).toThrow(ConfigError)
  expect(load).toThrow(/PORT.*LOG_LEVEL/)
  expect(load).not.toThrow(/not-shown/)
})
