import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eventually } from '../support/apps/eventually.ts'
import { call, visit } from '../support/stratad/call.ts'
import { cleanUp, type Daemon, startDaemon } from '../support/stratad/daemon.ts'
import { plainApp } from '../support/stratad/plain-app.ts'
import { createProject, deploy } from '../support/stratad/project.ts'
import {
  connectAs,
  createNetwork,
  networkProblem,
  otherAddress,
  ownAddress,
} from '../support/walls/network.ts'

const nobody = 65_534
const own = ['127.0.0.1', '127.0.0.2', '::1', 'localhost', ownAddress]
const appPort = own.map((host) => `${host} 21500`)
const otherPort = own.map((host) => `${host} 20999`)
const range = '21000-22999'

let network: Awaited<ReturnType<typeof createNetwork>>
let folder: string

beforeEach(async () => {
  if (networkProblem !== '') return
  network = await createNetwork()
  folder = mkdtempSync(join(tmpdir(), 'strata-wall-'))
})
afterEach(() => {
  if (networkProblem !== '') return
  network.close()
  rmSync(folder, { recursive: true, force: true })
})

const raise = async (wish: string, ...ranges: string[]) => {
  const { child, output } = network.startWall(folder, folder, wish, ...ranges)
  return { child, statuses: JSON.parse(await output) }
}
const allOf = (targets: readonly string[], result: string) =>
  Object.fromEntries(targets.map((target) => [target, result]))
const isClosed = (answers: Record<string, string>) =>
  Object.values(answers).every((answer) => answer !== 'open')

describe.skipIf(networkProblem !== '')(`the wall around ports ${networkProblem}`, () => {
  test('lets root alone connect to a port of the range, on every address of the host', async () => {
    expect(network.connect(nobody, appPort)).toEqual(allOf(appPort, 'open'))
    const { statuses } = await raise('', range)
    expect(statuses).toMatchObject([{ name: 'ports', stands: true }])
    expect(network.connect(0, appPort)).toEqual(allOf(appPort, 'open'))
    const answers = network.connect(nobody, appPort)
    expect(Object.values(answers).filter((answer) => !/EACCES|ECONNREFUSED/.test(answer))).toEqual(
      [],
    )
  })

  test('closes the range to other machines', async () => {
    const target = [`${ownAddress} 21500`]
    expect(network.fromOutside(0, target)).toEqual(allOf(target, 'open'))
    await raise('', range)
    expect(isClosed(network.fromOutside(0, target))).toBe(true)
  })

  test('leaves other ports, and outgoing connections to the same port of another machine', async () => {
    await raise('', range)
    expect(network.connect(nobody, otherPort)).toEqual(allOf(otherPort, 'open'))
    const outside = [`${otherAddress} 21500`, `${otherAddress} 20999`]
    expect(network.connect(nobody, outside)).toEqual(allOf(outside, 'open'))
    const inside = [`${ownAddress} 20999`]
    expect(network.fromOutside(0, inside)).toEqual(allOf(inside, 'open'))
  })

  test('holds for an address that the host gets later', async () => {
    await raise('', range)
    network.run('ip', 'addr', 'add', '10.9.0.77/24', 'dev', 'v0')
    const late = ['10.9.0.77 21500']
    expect(isClosed(network.connect(nobody, late))).toBe(true)
    expect(isClosed(network.fromOutside(0, late))).toBe(true)
    expect(network.connect(0, late)).toEqual(allOf(late, 'open'))
  })

  test('stands on a host without IPv6', async () => {
    network.run('sysctl', '-qw', 'net.ipv6.conf.all.disable_ipv6=1')
    const { statuses } = await raise('', range)
    expect(statuses).toMatchObject([{ stands: true }])
    expect(isClosed(network.connect(nobody, ['127.0.0.1 21500']))).toBe(true)
    expect(network.connect(nobody, ['127.0.0.1 20999'])).toEqual({ '127.0.0.1 20999': 'open' })
  })

  test('lets several daemons with several ranges start at the same time', async () => {
    const ranges = [range, '21400-21600', '23000-23500', range]
    const all = await Promise.all(ranges.map((each) => raise('', each)))
    expect(
      all.flatMap(({ statuses }) => statuses.map(({ stands }: { stands: boolean }) => stands)),
    ).toEqual([true, true, true, true])
    expect(isClosed(network.connect(nobody, appPort))).toBe(true)
    expect(network.connect(nobody, otherPort)).toEqual(allOf(otherPort, 'open'))
  })

  test('never leaves the host without local routes if the daemon is killed between two steps', async () => {
    for (const step of [1, 2, 5, 3, 4]) {
      const { child } = network.startWall(folder, folder, '', `${20 + step}500-${20 + step}999`)
      const hasStep = () => network.run('ip', '-6', 'rule').includes(`${20 + step}500-`)
      await eventually(() => Promise.resolve(hasStep()), 20_000)
      child.kill('SIGKILL')
      expect(network.connect(nobody, otherPort)).toEqual(allOf(otherPort, 'open'))
    }
    const { statuses } = await raise('', range)
    expect(statuses).toMatchObject([{ stands: true }])
  })

  test('adds rules again that another program removed', async () => {
    const { child } = await raise('stay', range)
    if (spawnSync('nft', ['--version']).status === 0) network.run('nft', 'flush', 'ruleset')
    else network.run('ip', 'rule', 'del', 'pref', '2')
    const closed = () => Promise.resolve(isClosed(network.connect(nobody, ['127.0.0.1 21500'])))
    expect(await eventually(closed, 20_000)).toBe(true)
    child.kill('SIGKILL')
  })

  test('closes a fixed port while its app runs, and opens it afterwards', async () => {
    const target = ['127.0.0.1 20999']
    await raise('fixed:20999', range)
    expect(isClosed(network.connect(nobody, target))).toBe(true)
    expect(network.connect(0, target)).toEqual(allOf(target, 'open'))
    await raise('', range)
    expect(network.connect(nobody, target)).toEqual(allOf(target, 'open'))
  })

  test('keeps users of projects, and no others, from answering on a port of the daemon', async () => {
    const [project, ordinary] = [70_005, 60_005]
    const target = ['127.0.0.1 9123', '::1 9123']
    const takes = async (uid: number) => {
      const listener = await network.listenAs(uid, 9123)
      const answers = network.connect(0, target)
      listener.kill('SIGKILL')
      return answers
    }
    expect(await takes(project)).toEqual(allOf(target, 'open'))
    await raise('daemon:9123', range)
    expect(isClosed(await takes(project))).toBe(true)
    expect(await takes(ordinary)).toEqual(allOf(target, 'open'))
    await raise('', range)
    expect(await takes(project)).toEqual(allOf(target, 'open'))
  })

  test('does not stand beside rules of another program with the same priority, and changes nothing', async () => {
    if (spawnSync('nft', ['--version']).status === 0) return
    network.run('ip', 'rule', 'add', 'pref', '3', 'from', '10.77.0.0/16', 'lookup', 'main')
    const before = network.run('ip', 'rule', 'show')
    const { statuses } = await raise('', range)
    expect(statuses).toMatchObject([{ stands: false }])
    expect(statuses[0].detail).toContain('routing rule of priority 3')
    expect(network.run('ip', 'rule', 'show')).toBe(before)
  })
})

describe.skipIf(networkProblem !== '')(`a live daemon ${networkProblem}`, () => {
  let daemon: Daemon
  beforeAll(async () => {
    if (networkProblem === '') daemon = await startDaemon()
  })
  afterAll(async () => {
    await daemon?.stop('SIGKILL')
    if (daemon) cleanUp(daemon.dataDir)
  })

  test('lists the wall and answers for an app through the gateway alone', async () => {
    const { body: infra } = await call(daemon, 'GET', '/infra/status')
    expect(infra.walls).toContainEqual(
      expect.objectContaining({ name: 'ports', stands: true, detail: expect.any(String) }),
    )
    expect(daemon.output()).toMatch(/walls? between projects stand/)
    const project = await createProject(daemon)
    const { body } = await deploy(daemon, project)
    expect(body.host_port).toBeGreaterThanOrEqual(21_000)
    expect((await visit(daemon, project.host())).status).toBe(200)
    const target = [`127.0.0.1 ${body.host_port}`, `localhost ${body.host_port}`]
    expect(isClosed(connectAs(nobody, target))).toBe(true)
    expect(connectAs(nobody, [`127.0.0.1 ${daemon.gatewayPort}`])).toEqual({
      [`127.0.0.1 ${daemon.gatewayPort}`]: 'open',
    })
  })

  test.each(['port', 'gatewayPort'] as const)(
    'refuses its own %s as the fixed port of an app',
    async (name) => {
      const settings = { deploy: { port: daemon[name] } }
      const files = { ...plainApp, 'strata.json': JSON.stringify(settings) }
      const project = await createProject(daemon, name.toLowerCase(), files)
      const { status, body } = await deploy(daemon, project)
      expect(status).toBe(422)
      expect(body.error).toContain('belongs to the daemon or the gateway')
    },
  )
})
