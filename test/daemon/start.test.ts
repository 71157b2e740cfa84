import { chmodSync, mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { eventually } from '../support/apps/eventually.ts'
import { call, visit } from '../support/stratad/call.ts'
import {
  cleanUp,
  type Daemon,
  masterToken,
  newPlace,
  type Place,
  runUntilExit,
  startDaemon,
} from '../support/stratad/daemon.ts'
import { createProject, deploy, rowsOf } from '../support/stratad/project.ts'

const places: Place[] = []
const daemons: Daemon[] = []
const servers: Server[] = []

afterEach(async () => {
  for (const daemon of daemons.splice(0)) await daemon.stop('SIGKILL')
  for (const server of servers.splice(0)) server.close()
  for (const { dataDir } of places.splice(0)) cleanUp(dataDir)
})

async function newTrackedPlace(): Promise<Place> {
  const place = await newPlace()
  places.push(place)
  return place
}

async function started(place: Place): Promise<Daemon> {
  const daemon = await startDaemon({ place })
  daemons.push(daemon)
  return daemon
}

/** Checks for exit code 1 and a readable message: no stack trace, no object dump, no secret. */
function expectReadableError(
  { code, output }: { code: number | null; output: string },
  what: RegExp,
) {
  expect(output).toMatch(what)
  const said = output.split('\n').filter((line) => !line.startsWith('{"level"'))
  expect(said.join('\n')).not.toMatch(/^\s+at |node:internal|[{}]\s*$/m)
  expect(output).not.toContain(masterToken)
  expect(code).toBe(1)
}

describe('stratad refuses to start with an invalid setting', () => {
  test.concurrent.each<[string, Record<string, string>, RegExp]>([
    [
      'and names each of several',
      { SERVICE_ADDR: 'x', SERVICE_LOG_FORMAT: 'xml' },
      /SERVICE_ADDR must.*\nSERVICE_LOG_FORMAT must/,
    ],
    [
      'such as TLS files without a certificate',
      { SERVICE_TLS_CERT: '/etc/hostname', SERVICE_TLS_KEY: '/etc/hostname' },
      /SERVICE_TLS_CERT and SERVICE_TLS_KEY must name a certificate/,
    ],
    [
      'such as a data folder below a file',
      { SERVICE_DATA_DIR: '/etc/hostname/strata' },
      /SERVICE_DATA_DIR/,
    ],
  ])('%s', async (_, env, what) => {
    expectReadableError(await runUntilExit({ env }), what)
  })

  test.each(['SERVICE_ADDR', 'SERVICE_GATEWAY_ADDR'])('such as a %s in use', async (name) => {
    const place = await newTrackedPlace()
    const port = name === 'SERVICE_ADDR' ? place.port : place.gatewayPort
    const server = createServer().listen(port, '127.0.0.1')
    servers.push(server)
    expectReadableError(
      await runUntilExit({ place }),
      new RegExp(`listen.*${port}|${port}.*listen`),
    )
  })
})

describe('stratad refuses to start with a damaged data folder', () => {
  const text = 'this is no database, and no key\n'.repeat(400)

  test.concurrent.each<[string, (folder: string) => void, RegExp]>([
    [
      'with a corrupt database',
      (folder) => writeFileSync(join(folder, 'strata.db'), text),
      /strata\.db/,
    ],
    [
      'with a corrupt key',
      (folder) => writeFileSync(join(folder, 'master.key'), text),
      /master\.key is not a key/,
    ],
    [
      'with a folder instead of the key',
      (folder) => mkdirSync(join(folder, 'master.key')),
      /master\.key cannot be read/,
    ],
  ])('%s', async (_, spoil, what) => {
    const place = await newPlace()
    try {
      spoil(place.dataDir)
      expectReadableError(await runUntilExit({ place }), what)
    } finally {
      cleanUp(place.dataDir)
    }
  })

  test.each<[string, (file: string) => void, RegExp]>([
    ['without its key', (file) => rmSync(file), /master\.key is missing/],
    ['with another key', (file) => writeFileSync(file, 'a'.repeat(64)), /is not the key/],
  ])('%s, if there are secrets', async (_, spoil, what) => {
    const place = await newTrackedPlace()
    const daemon = await started(place)
    await call(daemon, 'POST', '/secrets', { name: 'API', value: 'hidden-value' })
    await daemon.stop()
    spoil(join(place.dataDir, 'master.key'))
    const refused = await runUntilExit({ place })
    expectReadableError(refused, what)
    expect(refused.output).not.toContain('a'.repeat(64))
  })
})

describe('the stratad process', () => {
  test('locks its data folder: a second daemon refuses to start', async () => {
    const place = await newTrackedPlace()
    const daemon = await started(place)
    const other = { ...(await newTrackedPlace()), dataDir: place.dataDir }
    expectReadableError(
      await runUntilExit({ place: other }),
      /another stratad uses .*: stop it first/,
    )
    expect((await call(daemon, 'GET', '/health')).status).toBe(200)
  })

  test('locks the file of SERVICE_DATABASE_URL: a daemon with another data folder refuses to start', async () => {
    const place = await newTrackedPlace()
    const folder = (await newTrackedPlace()).dataDir
    const env = { SERVICE_DATABASE_URL: `file:${join(folder, 'shared.db')}` }
    const daemon = await startDaemon({ place, env })
    daemons.push(daemon)
    symlinkSync(folder, `${folder}/link`)
    for (const path of [join(folder, 'shared.db'), join(folder, 'link/shared.db')]) {
      const other = await newTrackedPlace()
      const refused = await runUntilExit({
        place: other,
        env: { SERVICE_DATABASE_URL: `file:${path}` },
      })
      expectReadableError(
        refused,
        /another stratad uses the database .*shared\.db.*: stop it first/,
      )
    }
    await daemon.stop('SIGKILL')
    daemons.push(await startDaemon({ place: await newTrackedPlace(), env }))
  })

  test('removes the access of other users to its data folder, and says so', async () => {
    const place = await newTrackedPlace()
    chmodSync(place.dataDir, 0o755)
    const first = await started(place)
    expect(statSync(place.dataDir).mode & 0o777).toBe(0o700)
    expect(first.output()).toMatch(/open to other users: its mode is now 0700/)
    await first.stop()
    chmodSync(place.dataDir, 0o755)
    expect(await (await started(place)).stop()).toBe(0)
    expect(statSync(place.dataDir).mode & 0o777).toBe(0o700)
  })

  test('keeps the mode of a data folder with other files, such as /var/lib, and warns', async () => {
    const place = await newTrackedPlace()
    mkdirSync(join(place.dataDir, 'postgresql'))
    chmodSync(place.dataDir, 0o755)
    const daemon = await started(place)
    expect(statSync(place.dataDir).mode & 0o777).toBe(0o755)
    expect(daemon.output()).toMatch(/open to other users and has other files: run chmod 700/)
  })

  test.each(['SIGTERM', 'SIGINT'] as const)('exits with 0 after %s', async (signal) => {
    const daemon = await started(await newTrackedPlace())
    expect(await daemon.stop(signal)).toBe(0)
  })

  test('exits with 0 during a build and a log stream', async () => {
    const daemon = await started(await newTrackedPlace())
    const project = await createProject(daemon)
    const { body } = await deploy(daemon, project)
    const stream = fetch(`${daemon.url}/environments/${body.id}/logs/stream`, {
      headers: { authorization: `Bearer ${masterToken}` },
    })
    expect((await stream).status).toBe(200)
    project.repository.commit({
      'build.js': 'setInterval(() => {}, 1000)',
      'strata.json': JSON.stringify({ deploy: { build: ['node', 'build.js'] } }),
    })
    const built = deploy(daemon, project).catch(() => undefined)
    const isBuilding = async () =>
      (await rowsOf(daemon, project)).some(({ state }) => state === 'building')
    expect(await eventually(isBuilding, 20_000)).toBe(true)
    expect(await daemon.stop()).toBe(0)
    await built
    expect((await visit(daemon, project.host())).status).toBe(200)
    const next = await started(daemon)
    expect((await call(next, 'GET', '/queue')).body).toHaveLength(1)
  })

  test('survives closed standard output and error', async () => {
    const daemon = await started(await newTrackedPlace())
    daemon.process.stdout?.destroy()
    daemon.process.stderr?.destroy()
    const project = await createProject(daemon)
    expect((await deploy(daemon, project)).status).toBe(201)
    expect((await visit(daemon, project.host())).status).toBe(200)
    expect(await daemon.stop()).toBe(0)
  })

  test('releases its data folder when it is killed', async () => {
    const place = await newTrackedPlace()
    const daemon = await started(place)
    await daemon.stop('SIGKILL')
    const next = await started(place)
    expect(await next.stop()).toBe(0)
  })
})
