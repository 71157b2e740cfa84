import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createUser, type TestUser } from '../support/client/test-user.ts'
import { cleanUp, newPlace, type Place, processesOf } from '../support/stratad/daemon.ts'
import { createRepository } from '../support/stratad/plain-app.ts'

/** A new user on a machine without any strata configuration. The tests build on each other. */
describe('strata daemon', () => {
  let place: Place
  let user: TestUser
  let shop: string

  beforeAll(async () => {
    place = await newPlace()
    user = createUser(join(place.dataDir, 'home'))
    shop = createRepository(join(place.dataDir, 'work/shop')).folder
  })
  afterAll(() => cleanUp(place.dataDir))

  const strata = (...args: string[]) => user.strata(shop, args)
  const start = (...args: string[]) => strata('daemon', 'start', ...ports(), ...args)
  const ports = () => ['--port', String(place.port), '--gateway-port', String(place.gatewayPort)]
  const dataDir = () => join(place.dataDir, 'home/state/strata')

  test('reports a port that another program uses, and starts nothing', async () => {
    const first = await whilePortIsTaken(place.port, () => start())
    expect(first.code).toBe(1)
    expect(first.stderr).toContain(`port ${place.port} is in use`)
    expect(first.stderr).toContain(`--port ${place.port + 1}`)
    const second = await whilePortIsTaken(place.gatewayPort, () => start())
    expect(second.code).toBe(1)
    expect(second.stderr).toContain(`--gateway-port ${place.gatewayPort + 1}`)
    expect((await strata('daemon', 'status')).code).toBe(1)
  })

  test('start launches a daemon, logs in to it and prints no token', async () => {
    const { code, stdout } = await start()
    expect(code).toBe(0)
    expect(stdout).toContain(`http://127.0.0.1:${place.port}`)
    expect(stdout).toContain(join(dataDir(), 'daemon.log'))
    expect(await strata('whoami')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('local'),
    })
    const token = readFileSync(join(dataDir(), 'api-token'), 'utf8').trim()
    expect(token).toMatch(/^[0-9a-f]{64}$/)
    expect(readFileSync(join(dataDir(), 'daemon.log'), 'utf8')).not.toContain(token)
    expect(stdout).not.toContain(token)
  })

  test('login without a token gets the generated token from a local daemon', async () => {
    expect((await strata('logout')).code).toBe(0)
    expect((await strata('ps')).code).toBe(1)
    const again = await strata('login', `http://127.0.0.1:${place.port}`, '--name', 'own')
    expect(again, again.stderr).toMatchObject({ code: 0 })
    expect((await strata('whoami')).stdout).toContain('master token')
  })

  test('start is a no-op while the daemon runs, also if run twice at once', async () => {
    const [one, two] = await Promise.all([start(), start()])
    expect([one.code, two.code]).toEqual([0, 0])
    expect(one.stdout).toContain('already running')
    const daemons = processesOf(dataDir()).filter((pid) => commandOf(pid).includes('stratad.js'))
    expect(daemons.length).toBe(1)
    expect((await strata('daemon', 'status')).code).toBe(0)
  })

  test('deploys without configuration, and doctor reports no failure', async () => {
    const { code, stdout } = await strata('up')
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `http://main--shop.localhost:${place.gatewayPort}\n`,
    })
    const doctor = await strata('doctor')
    expect(doctor.code, doctor.stdout).toBe(0)
  })

  test('stop --apps stops the daemon and its apps', async () => {
    const stopped = await strata('daemon', 'stop', '--apps')
    expect(stopped).toMatchObject({ code: 0, stdout: expect.stringContaining('has stopped') })
    expect(processesOf(dataDir()).filter((pid) => commandOf(pid) !== '')).toEqual([])
    expect((await strata('daemon', 'stop')).code).toBe(0)
    expect((await strata('daemon', 'status')).code).toBe(1)
  })

  test('two concurrent starts launch one daemon', async () => {
    const [one, two] = await Promise.all([start(), start()])
    expect([one.code, two.code], one.stderr + two.stderr).toEqual([0, 0])
    const daemons = processesOf(dataDir()).filter((pid) => commandOf(pid).includes('stratad.js'))
    expect(daemons.length).toBe(1)
    expect(JSON.parse((await strata('daemon', 'status', '--json')).stdout).pid).toBe(daemons[0])
    expect((await strata('daemon', 'stop')).code).toBe(0)
  })
})

/** Runs `work` while another server listens on a port. */
async function whilePortIsTaken<T>(port: number, work: () => Promise<T>): Promise<T> {
  const other = createServer((socket) => socket.destroy()).listen(port, '127.0.0.1')
  await once(other, 'listening')
  const result = await work()
  other.close()
  await once(other, 'close')
  return result
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
