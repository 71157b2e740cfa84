import { expect, test } from 'vitest'
import { ConfigError, loadConfig } from './config.js'

const DATABASE_URL = 'postgres://localhost/app'

test('loadConfig sets the defaults of absent settings', () => {
  expect(loadConfig({ DATABASE_URL })).toMatchObject({ port: 8080, logLevel: 'info' })
})

test('loadConfig names every bad setting in one error, and no value', () => {
  const load = () => loadConfig({ DATABASE_URL, PORT: 'not-shown', LOG_LEVEL: 'not-shown' })
  expect(load).toThrow(ConfigError)
  expect(load).toThrow(/PORT.*LOG_LEVEL/)
  expect(load).not.toThrow(/not-shown/)
})
