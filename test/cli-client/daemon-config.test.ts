import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createUser, type TestUser } from '../support/client/test-user.ts'
import { call } from '../support/stratad/call.ts'
import {
  cleanUp,
  newPlace,
  type Place,
  runUntilExit,
  startDaemon,
} from '../support/stratad/daemon.ts'

/** A daemon of a user, started, configured and restarted. The tests build on each other. */
describe('strata daemon config', () => {
  let place: Place
  let user: TestUser

  beforeAll(async () => {
    place = await newPlace()
    user = createUser(join(place.dataDir, 'home'))
  })
  afterAll(() => cleanUp(place.dataDir))

  const file = () => join(place.dataDir, 'home/state/strata/config.env')
  const kept = () => readFileSync(file(), 'utf8')
  const config = (args: readonly string[], input?: string) =>
    user.strata(place.dataDir, ['daemon', 'config', ...args], input === undefined ? {} : { input })
  const start = (args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) =>
    user.strata(place.dataDir, ['daemon', 'start', ...args], { env })
  const stop = () => user.strata(place.dataDir, ['daemon', 'stop', '--apps'])

  test('set works before the first start, and keeps a file that only its owner can read', async () => {
    const set = await config(['set', 'SERVICE_BASE_DOMAIN=one.example.com'])
    expect(set, set.stderr).toMatchObject({ code: 0 })
    expect(set.stderr).toContain('takes effect at the next start')
    expect(kept()).toBe('SERVICE_BASE_DOMAIN=one.example.com\n')
    expect(statSync(file()).mode & 0o777).toBe(0o600)
    expect((await config(['get', 'SERVICE_BASE_DOMAIN'])).stdout).toBe('one.example.com\n')
  })

  test('set refuses a bad value with the sentence of the daemon, and writes nothing', async () => {
    const before = kept()
    for (const [assignment, message] of [
      ['SERVICE_GC_INTERVAL=30', 'SERVICE_GC_INTERVAL must be a duration such as 30s'],
      ['SERVICE_RATE_LIMIT_BURST=3', 'SERVICE_RATE_LIMIT_BURST needs'],
      ['BASE_DOMAIN=x.example.com', 'unknown setting "BASE_DOMAIN"'],
      ['SERVICE_DATA_DIR=/tmp/x', 'SERVICE_DATA_DIR can not be kept'],
      ['SERVICE_BASE_DOMAIN=', 'SERVICE_BASE_DOMAIN has no value'],
    ] as const) {
      const refused = await config(['set', 'SERVICE_LOG_FORMAT=pretty', assignment])
      expect(refused.stderr).toContain(message)
      expect(refused.code).toBe(1)
    }
    expect(kept()).toBe(before)
  })

  test('set reads a secret from standard input, and get masks the secret', async () => {
    const secret = 'whsec-of-the-config-test'
    expect((await config(['set', 'SERVICE_WEBHOOK_SECRET'], `${secret}\n`)).code).toBe(0)
    expect(kept()).toContain(secret)
    const all = await config(['get'])
    const one = await config(['get', 'SERVICE_WEBHOOK_SECRET', '--json'])
    expect(all.stdout).toContain('SERVICE_WEBHOOK_SECRET=[redacted]')
    expect(JSON.parse(one.stdout).settings).toEqual({ SERVICE_WEBHOOK_SECRET: '[redacted]' })
    expect(all.stdout + one.stdout).not.toContain(secret)
  })

  test('start keeps its options and the settings of its shell, and the next start uses them', async () => {
    const ports = ['--port', `${place.port}`, '--gateway-port', `${place.gatewayPort}`]
    const env = { SERVICE_GC_INTERVAL: '7s', SERVICE_API_TOKEN: 'a-token-of-the-shell' }
    const first = await start(ports, env)
    expect(first, first.stderr).toMatchObject({ code: 0 })
    expect(kept()).toContain(`SERVICE_ADDR=127.0.0.1:${place.port}\n`)
    expect(kept()).toContain('SERVICE_GC_INTERVAL=7s\n')
    expect((await stop()).code).toBe(0)
    const second = await start()
    expect(second, second.stderr).toMatchObject({ code: 0 })
    expect(second.stdout).toContain(`http://127.0.0.1:${place.port}`)
    expect(second.stdout).toContain(`http://127.0.0.1:${place.gatewayPort}`)
    const url = `http://127.0.0.1:${place.port}/api/v1`
    const authorization = 'Bearer a-token-of-the-shell'
    expect((await fetch(`${url}/projects`, { headers: { authorization } })).status).toBe(200)
  })

  test('start on a running daemon reports the settings that it does not use', async () => {
    const again = await start([], { SERVICE_GC_INTERVAL: '9s' })
    expect(again.code).toBe(0)
    expect(again.stderr).toContain('the running daemon keeps its own SERVICE_GC_INTERVAL')
    expect(kept()).toContain('SERVICE_GC_INTERVAL=7s\n')
  })

  test('set says that a running daemon needs a restart; unset removes the setting', async () => {
    const set = await config(['set', 'SERVICE_GC_INTERVAL=8s'])
    expect(set.stderr).toContain('takes effect after a restart')
    expect((await config(['unset', 'SERVICE_GC_INTERVAL'])).code).toBe(0)
    expect(kept()).not.toContain('SERVICE_GC_INTERVAL')
    const absent = await config(['get', 'SERVICE_GC_INTERVAL'])
    expect(absent).toMatchObject({ code: 1, stderr: expect.stringContaining('does not set') })
    expect((await stop()).code).toBe(0)
  })

  test('a malformed file stops start and get with the number of the line, and not stop', async () => {
    writeFileSync(file(), `${kept()}SERVICE_API_TOKEN a-token-of-the-shell\n`)
    const line = kept().trimEnd().split('\n').length
    for (const run of [await start(), await config(['get'])]) {
      expect(run.code).toBe(1)
      expect(run.stderr).toContain(`config.env, line ${line}: expected SERVICE_<NAME>=value`)
      expect(run.stderr).not.toContain('a-token-of-the-shell')
    }
    expect((await stop()).code).toBe(0)
  })
})

describe('stratad', () => {
  test('reads config.env of its data folder, and the environment wins', async () => {
    const place = await newPlace()
    try {
      const text = 'SERVICE_GC_INTERVAL=x\nSERVICE_LOG_FORMAT=pretty\n'
      writeFileSync(join(place.dataDir, 'config.env'), text, { mode: 0o600 })
      const refused = await runUntilExit({ place })
      expect(refused).toMatchObject({
        code: 1,
        output: expect.stringContaining('SERVICE_GC_INTERVAL'),
      })
      const env = { SERVICE_GC_INTERVAL: '5s', SERVICE_ADDR: 'y' }
      const other = await runUntilExit({ place, env })
      expect(other.output).not.toContain('SERVICE_GC_INTERVAL')
      expect(other.output).toContain('SERVICE_ADDR must be')
    } finally {
      cleanUp(place.dataDir)
    }
  })

  test('started by a service manager has the settings and the token of strata daemon start', async () => {
    const place = await newPlace()
    const dataDir = join(place.dataDir, 'state')
    const user = createUser(join(place.dataDir, 'home'))
    mkdirSync(dataDir)
    try {
      const ports = ['--port', `${place.port}`, '--gateway-port', `${place.gatewayPort}`]
      const folder = ['--data-dir', dataDir]
      const started = await user.strata(place.dataDir, ['daemon', 'start', ...ports, ...folder])
      expect(started, started.stderr).toMatchObject({ code: 0 })
      await user.strata(place.dataDir, ['daemon', 'stop', '--apps'])
      chmodSync(join(dataDir, 'config.env'), 0o644)
      const token = readFileSync(join(dataDir, 'api-token'), 'utf8').trim()
      const unset = { SERVICE_ADDR: '', SERVICE_GATEWAY_ADDR: '', SERVICE_API_TOKEN: '' }
      const daemon = await startDaemon({ place: { ...place, dataDir }, env: unset })
      expect((await call(daemon, 'GET', '/projects', undefined, { token })).status).toBe(200)
      expect(daemon.output()).toContain('was open to other users (mode 0644)')
      expect(statSync(join(dataDir, 'config.env')).mode & 0o777).toBe(0o600)
      expect(await daemon.stop()).toBe(0)
      // The next start has neither options nor variables.
      const again = await user.strata(place.dataDir, ['daemon', 'start', '--json'])
      expect(JSON.parse(again.stdout)).toMatchObject({
        status: 'started',
        data_dir: dataDir,
        url: `http://127.0.0.1:${place.port}`,
        gateway_url: `http://127.0.0.1:${place.gatewayPort}`,
      })
    } finally {
      cleanUp(place.dataDir)
    }
  })
})
