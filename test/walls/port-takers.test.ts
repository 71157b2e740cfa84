import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectLink } from '../../daemon/gateway/link.ts'
import { eventually } from '../support/apps/eventually.ts'
import { freePort } from '../support/free-port.ts'
import { call, visit } from '../support/stratad/call.ts'
import { cleanUp, type Daemon, startDaemon } from '../support/stratad/daemon.ts'
import { plainApp } from '../support/stratad/plain-app.ts'
import { createProject, deploy, type Project, rowOf } from '../support/stratad/project.ts'

/** A range of its own: apps of other tests take no port of it. */
const range = { from: 25_100, to: 25_159 }

/** Answers on PORT. Takes all ports of a list as soon as the path /take is called, again and again. */
const taker = (ports: readonly number[]) => `const { createServer } = require('node:http')
const ports = ${JSON.stringify(ports)}
const take = (port) => {
  const server = createServer((request, response) => response.end('taker'))
  server.on('error', () => setTimeout(take, 50, port)).listen(port)
}
createServer((request, response) => {
  if (request.url === '/take') ports.forEach(take)
  response.end('own')
}).listen(process.env.PORT)`

const all = Array.from({ length: range.to - range.from + 1 }, (_, index) => range.from + index)

describe('an app that takes ports of others', () => {
  let daemon: Daemon
  let fixed: number

  beforeAll(async () => {
    fixed = await freePort()
    daemon = await startDaemon({
      env: { SERVICE_APP_PORTS: `${range.from}-${range.to}`, SERVICE_TRUST_APPS: '1' },
    })
  })
  afterAll(async () => {
    await daemon.stop('SIGKILL')
    cleanUp(daemon.dataDir)
  })

  const create = (name: string, source: string, settings: object = {}) =>
    createProject(daemon, name, {
      ...plainApp,
      'server.js': source,
      'strata.json': JSON.stringify({ deploy: { start: 'node server.js', ...settings } }),
    })
  const reasonOf = async (project: Project) => (await rowOf(daemon, project))?.reason ?? ''

  test('is stopped, with a reason, when the deploy of another project finds no port', async () => {
    const hog = await create('hog', taker(all))
    expect((await deploy(daemon, hog)).status).toBe(201)
    expect((await visit(daemon, hog.host(), '/take')).status).toBe(200)
    const victim = await createProject(daemon, 'victim')
    const { status, body } = await deploy(daemon, victim)
    expect(status, body.error).toBe(201)
    expect((await visit(daemon, victim.host())).text).not.toContain('taker')
    expect(await eventually(async () => (await reasonOf(hog)) !== '', 20_000)).toBe(true)
    expect(await rowOf(daemon, hog)).toMatchObject({
      state: 'paused',
      reason: expect.stringMatching(
        /^the app listens on port 251\d\d, which is not its own: an app may only use PORT$/,
      ),
    })
  })

  test('is stopped within seconds while no other app starts, and wakes for its visitors', async () => {
    const one = await create('one', taker([range.to]))
    expect((await deploy(daemon, one)).status).toBe(201)
    await visit(daemon, one.host(), '/take')
    const isPaused = async () => (await rowOf(daemon, one))?.state === 'paused'
    expect(await eventually(isPaused, 30_000)).toBe(true)
    expect(await reasonOf(one)).toContain(`listens on port ${range.to}`)
    expect((await visit(daemon, one.host())).text).toBe('own')
    expect(await reasonOf(one)).toBe('')
  })

  test('gives a fixed port outside the range back to the app that may have it', async () => {
    const squatter = await create('squatter', taker([fixed]))
    expect((await deploy(daemon, squatter)).status).toBe(201)
    await visit(daemon, squatter.host(), '/take')
    const owner = await create('owner', taker([]).replace('process.env.PORT', String(fixed)), {
      port: fixed,
    })
    const { status, body } = await deploy(daemon, owner)
    expect(status, body.error).toBe(201)
    expect(await reasonOf(squatter)).toContain(`listens on port ${fixed}`)
  })

  test('leaves the ports of the daemon and the gateway to their next start', async () => {
    const thief = await create('thief', taker([daemon.port, daemon.gatewayPort]))
    expect((await deploy(daemon, thief)).status).toBe(201)
    await visit(daemon, thief.host(), '/take')
    const link = await connectLink(join(daemon.dataDir, 'gateway/gateway.sock'), 5_000)
    await daemon.stop('SIGKILL')
    process.kill(link?.pid ?? 0, 'SIGKILL')
    for (const port of [daemon.port, daemon.gatewayPort]) {
      expect(await eventually(async () => isListening(port), 20_000)).toBe(true)
    }
    if (process.getuid?.() === 0) {
      const stolen = fetch(daemon.url, { signal: AbortSignal.timeout(1_000) })
      await expect(stolen, 'a project answers on the port of the API').rejects.toThrow()
    }
    daemon = await daemon.restart()
    const answers = async () => (await call(daemon, 'GET', '/projects')).body?.length > 0
    expect(await eventually(() => answers().catch(() => false), 20_000)).toBe(true)
    expect((await visit(daemon, thief.host())).text).toBe('own')
  })

  test('never gets a fixed port that another app has: the deploy fails with 422', async () => {
    const second = await create('second', taker([]), { port: fixed })
    const { status, body } = await deploy(daemon, second)
    expect(status).toBe(422)
    expect(body.error).toContain(`the app's fixed port ${fixed} is in use by another app`)
  })
})

function isListening(port: number): boolean {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')} `
  return ['tcp', 'tcp6']
    .flatMap((table) => readFileSync(`/proc/net/${table}`, 'utf8').split('\n'))
    .some((line) => line.includes(local) && line.includes(' 0A '))
}
