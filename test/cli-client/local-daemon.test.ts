import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPerson, type Person } from '../support/client/client.ts'
import { cleanUp, newPlace, type Place, processesOf } from '../support/stratad/daemon.ts'
import { createRepository } from '../support/stratad/plain-app.ts'

/** A newcomer on a machine that knows nothing of strata. */
describe('a daemon of one command', () => {
  let place: Place
  let person: Person
  let shop: string

  beforeAll(async () => {
    place = await newPlace()
    person = createPerson(join(place.dataDir, 'home'))
    shop = createRepository(join(place.dataDir, 'work/shop')).folder
  })
  afterAll(() => cleanUp(place.dataDir))

  const strata = (...args: string[]) => person.strata(shop, args)
  const start = (...args: string[]) => strata('daemon', 'start', ...ports(), ...args)
  const ports = () => ['--port', String(place.port), '--gateway-port', String(place.gatewayPort)]
  const dataDir = () => join(place.dataDir, 'home/state/strata')

  test('says which port another program has, and starts nothing', async () => {
    const first = await besideAnother(place.port, () => start())
    expect(first.code).toBe(1)
    expect(first.stderr).toContain(`port ${place.port} is in use`)
    expect(first.stderr).toContain(`--port ${place.port + 1}`)
    const second = await besideAnother(place.gatewayPort, () => start())
    expect(second.code).toBe(1)
    expect(second.stderr).toContain(`--gateway-port ${place.gatewayPort + 1}`)
    expect((await strata('daemon', 'status')).code).toBe(1)
  })

  test('starts, and is logged in to', async () => {
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

  test('hands its token to a person on the same machine who gives none', async () => {
    expect((await strata('logout')).code).toBe(0)
    expect((await strata('ps')).code).toBe(1)
    const again = await strata('login', `http://127.0.0.1:${place.port}`, '--name', 'own')
    expect(again, again.stderr).toMatchObject({ code: 0 })
    expect((await strata('whoami')).stdout).toContain('master token')
  })

  test('is started once, however often and by however many it is asked for', async () => {
    const [one, two] = await Promise.all([start(), start()])
    expect([one.code, two.code]).toEqual([0, 0])
    expect(one.stdout).toContain('already running')
    const daemons = processesOf(dataDir()).filter((pid) => commandOf(pid).includes('stratad.js'))
    expect(daemons.length).toBe(1)
    expect((await strata('daemon', 'status')).code).toBe(0)
  })

  test('deploys without any configuration, and is found to be well', async () => {
    const { code, stdout } = await strata('up')
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `http://main--shop.localhost:${place.gatewayPort}\n`,
    })
    const doctor = await strata('doctor')
    expect(doctor.code, doctor.stdout).toBe(0)
  })

  test('stops and takes its apps with it when told to', async () => {
    const stopped = await strata('daemon', 'stop', '--apps')
    expect(stopped).toMatchObject({ code: 0, stdout: expect.stringContaining('has stopped') })
    expect(processesOf(dataDir()).filter((pid) => commandOf(pid) !== '')).toEqual([])
    expect((await strata('daemon', 'stop')).code).toBe(0)
    expect((await strata('daemon', 'status')).code).toBe(1)
  })

  test('is started by two at once as one', async () => {
    const [one, two] = await Promise.all([start(), start()])
    expect([one.code, two.code], one.stderr + two.stderr).toEqual([0, 0])
    const daemons = processesOf(dataDir()).filter((pid) => commandOf(pid).includes('stratad.js'))
    expect(daemons.length).toBe(1)
    expect(JSON.parse((await strata('daemon', 'status', '--json')).stdout).pid).toBe(daemons[0])
    expect((await strata('daemon', 'stop')).code).toBe(0)
  })
})

/** While another program listens on a port. */
async function besideAnother<T>(port: number, work: () => Promise<T>): Promise<T> {
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
