import { randomBytes } from 'node:crypto'
import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { ConfigError, loadConfig } from './config.js'

const DATABASE_URL = 'postgres://localhost/app'
const JWT_SECRET = randomBytes(16).toString('hex')

test('loadConfig sets the defaults of absent settings', () => {
  expect(loadConfig({ DATABASE_URL, JWT_SECRET })).toMatchObject({
    port: 8080,
    logLevel: 'info',
    uploadDir: './data/uploads',
  })
})

test('loadConfig names every bad setting in one error, and no value', () => {
  const load = () => loadConfig({ DATABASE_URL, PORT: 'not-shown', JWT_SECRET: 'not-shown' })
  expect(load).toThrow(ConfigError)
  expect(load).toThrow(/PORT.*JWT_SECRET/)
  expect(load).not.toThrow(/not-shown/)
})

test.each([
  ['missing', undefined],
  ['empty', ''],
  ['short', JWT_SECRET.slice(1)],
])('loadConfig rejects a JWT_SECRET that is %s', (_, secret) => {
  const load = () => loadConfig({ DATABASE_URL, JWT_SECRET: secret })
  expect(load).toThrow(/^bad settings: JWT_SECRET /)
})

test('printing the config does not reveal JWT_SECRET', () => {
  const config = loadConfig({ DATABASE_URL, JWT_SECRET })
  expect(inspect(config) + JSON.stringify(config)).not.toContain(JWT_SECRET)
})
