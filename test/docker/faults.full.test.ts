import { rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eventually } from '../support/apps/eventually.ts'
import {
  baseImages,
  missingEngine,
  startTestEngine,
  type TestEngine,
} from '../support/daemon/docker/test-engine.ts'
import { call, visit } from '../support/stratad/call.ts'
import { cleanUp, type Daemon, startDaemon } from '../support/stratad/daemon.ts'
import { expectConsistent } from '../support/stratad/expect-consistent.ts'
import { startLoad } from '../support/stratad/load.ts'
import { plainApp } from '../support/stratad/plain-app.ts'
import { createProject, deploy, type Project, rowOf } from '../support/stratad/project.ts'
import { useEngine } from '../support/stratad/test-runtime.ts'

const skip = missingEngine()

/** The engine has a disk of 900 MiB. Its base image takes some 250. */
describe.skipIf(skip !== undefined)('a daemon whose engine has a fault', () => {
  let engine: TestEngine
  let daemon: Daemon
  let healthy: Project

  beforeAll(async () => {
    engine = await startTestEngine({ diskMb: 900 })
    useEngine(engine)
  })
  afterAll(() => engine?.remove())

  beforeEach(async () => {
    daemon = await startDaemon()
    healthy = await createProject(daemon, 'healthy')
    expect((await deploy(daemon, healthy)).status).toBe(201)
  })
  afterEach(async () => {
    await daemon.stop('SIGKILL')
    cleanUp(daemon.dataDir)
  })

  const dockerfile = (lines: readonly string[]) => ({
    ...plainApp,
    Dockerfile: [
      `FROM ${baseImages.node}`,
      'ENV HOST=0.0.0.0',
      ...lines,
      'COPY . .',
      'CMD ["node", "server.js"]',
      '',
    ].join('\n'),
  })
  const boot = async () => (await visit(daemon, healthy.host())).body.boot

  test('a build that fills the disk of the engine fails with the reason, and apps serve on', async () => {
    const before = await boot()
    const traffic = startLoad(daemon, healthy.host())
    const fill = `const fs = require('node:fs'); for (;;) fs.appendFileSync('/big', Buffer.alloc(1 << 24))`
    const greedy = await createProject(
      daemon,
      'greedy',
      dockerfile([`RUN ${JSON.stringify(['node', '-e', fill])}`]),
    )
    const { status, body } = await deploy(daemon, greedy)
    expect([status, body.error]).toEqual([422, expect.stringMatching(/the engine's disk is full/)])
    expect((await traffic.stop()).failures).toEqual([])
    expect(await boot()).toBe(before)
    greedy.repository.commit(dockerfile([]))
    expect((await deploy(daemon, greedy)).status).toBe(201)
    await expectConsistent(daemon, greedy)
  })

  test('a full disk of the engine refuses deploys with the reason, and everything works once there is room', async () => {
    const before = await boot()
    const other = await createProject(daemon, 'other')
    expect((await deploy(daemon, other)).status).toBe(201)
    const { id } = await rowOf(daemon, other)
    expect((await call(daemon, 'POST', `/environments/${id}/pause`)).status).toBe(204)
    const filler = join(engine.dataFolder, 'filler')
    fillDisk(filler)
    healthy.repository.commit({ 'note.txt': 'second' })
    const { status, body } = await deploy(daemon, healthy)
    expect([status, body.error]).toEqual([422, expect.stringMatching(/the engine's disk is full/)])
    expect(await boot()).toBe(before)
    const held = await visit(daemon, other.host())
    expect([200, 503]).toContain(held.status)
    expect(held.text).not.toMatch(/\bat .*:\d+:\d+/)
    rmSync(filler)
    const wakes = async () => (await visit(daemon, other.host())).status === 200
    expect(await eventually(wakes, 60_000)).toBe(true)
    expect((await deploy(daemon, healthy)).status).toBe(201)
    expect(await boot()).not.toBe(before)
    await expectConsistent(daemon, healthy)
  })

  test('a registry that accepts connections and never answers delays no other project', async () => {
    const sockets = new Set<Socket>()
    const registry = createServer((socket) => {
      // A socket notices the end of the other side only if it reads.
      sockets.add(socket.on('error', () => {}).resume())
    })
    await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve))
    const { port } = registry.address() as AddressInfo
    const far = await createProject(daemon, 'far', {
      ...plainApp,
      Dockerfile: `FROM 127.0.0.1:${port}/team/base:1\nCMD ["node", "server.js"]\n`,
    })
    const headers = { prefer: 'respond-async' }
    const path = `/projects/${far.id}/deploy`
    expect((await call(daemon, 'POST', path, { branch: 'main' }, { headers })).status).toBe(202)
    expect(await eventually(() => sockets.size > 0, 30_000)).toBe(true)
    healthy.repository.commit({ 'note.txt': 'second' })
    expect((await deploy(daemon, healthy)).status).toBe(201)
    expect((await call(daemon, 'DELETE', `/projects/${far.id}`)).status).toBe(204)
    expect((await call(daemon, 'GET', '/queue')).body).toEqual([])
    expect(await eventually(() => [...sockets].every(({ destroyed }) => destroyed), 30_000)).toBe(
      true,
    )
    registry.close()
    const gone = await createProject(daemon, 'gone', {
      ...plainApp,
      Dockerfile: `FROM 127.0.0.1:${port}/team/base:1\nCMD ["node", "server.js"]\n`,
    })
    const { status, body } = await deploy(daemon, gone)
    expect([status, body.error]).toEqual([
      422,
      expect.stringMatching(/the base image .*can't be pulled \(its registry does not answer\)/),
    ])
  })

  test('labels in a Dockerfile give an app no part of another project', async () => {
    const { container_name: name } = await rowOf(daemon, healthy)
    const before = await boot()
    const [inspected] = JSON.parse(engine.docker('inspect', name))
    const labels = Object.entries(inspected.Config.Labels as Record<string, string>)
    const forger = await createProject(
      daemon,
      'forger',
      dockerfile(labels.map(([key, value]) => `LABEL ${key}=${JSON.stringify(value)}`)),
    )
    const { status, body } = await deploy(daemon, forger)
    expect(status, JSON.stringify(body)).toBe(201)
    daemon = await daemon.stop('SIGKILL').then(() => daemon.restart())
    expect(await boot()).toBe(before)
    expect((await visit(daemon, forger.host())).status).toBe(200)
    await expectConsistent(daemon, forger)
    expect((await call(daemon, 'DELETE', `/projects/${forger.id}`)).status).toBe(204)
    expect(await boot()).toBe(before)
    await expectConsistent(daemon, healthy)
    expect(engine.docker('ps', '--all', '--quiet', '--filter', 'name=strata-').split('\n')).toEqual(
      [expect.any(String)],
    )
  })

  test('a program that hangs at its stop is ended, in a deploy and in a removal', async () => {
    const stubborn = await createProject(daemon, 'stubborn', {
      ...dockerfile(['STOPSIGNAL SIGCONT']),
      'server.js': `process.on('SIGTERM', () => {})\n${plainApp['server.js']?.replace(/^process\.on.*$/m, '')}`,
    })
    expect((await deploy(daemon, stubborn)).status).toBe(201)
    const traffic = startLoad(daemon, stubborn.host())
    stubborn.repository.commit({ 'note.txt': 'second' })
    expect((await deploy(daemon, stubborn)).status).toBe(201)
    await expectConsistent(daemon, stubborn)
    expect((await traffic.stop()).failures).toEqual([])
    expect((await call(daemon, 'DELETE', `/projects/${stubborn.id}`)).status).toBe(204)
    await expectConsistent(daemon, healthy)
  })
})

/** Writes until the disk is full. */
function fillDisk(file: string): void {
  for (let bytes = 1 << 24; bytes >= 4096; ) {
    try {
      writeFileSync(file, Buffer.alloc(bytes), { flag: 'a' })
    } catch {
      bytes >>= 1
    }
  }
}
