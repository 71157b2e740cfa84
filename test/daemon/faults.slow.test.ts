import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { eventually } from '../support/apps/eventually.ts'
import { badApps, forkMark } from '../support/stratad/bad-apps.ts'
import { call, push, visit } from '../support/stratad/call.ts'
import { commandLines } from '../support/stratad/command-lines.ts'
import {
  cleanUp,
  type Daemon,
  newPlace,
  processesOf,
  startDaemon,
} from '../support/stratad/daemon.ts'
import { expectConsistent } from '../support/stratad/expect-consistent.ts'
import { startLoad } from '../support/stratad/load.ts'
import { plainApp } from '../support/stratad/plain-app.ts'
import {
  createProject,
  deploy,
  type Project,
  rowOf,
  servesCommit,
} from '../support/stratad/project.ts'
import { killContainersOf } from '../support/stratad/test-runtime.ts'

let daemon: Daemon
/** A healthy app that must keep answering despite the faults of others. */
let healthy: Project

beforeEach(async () => {
  daemon = await startDaemon()
  healthy = await createProject(daemon, 'healthy')
  expect((await deploy(daemon, healthy)).status).toBe(201)
})
afterEach(async () => {
  await daemon.stop('SIGKILL')
  cleanUp(daemon.dataDir)
})

async function expectHealthy(): Promise<void> {
  expect((await visit(daemon, healthy.host())).status).toBe(200)
  const sha = healthy.repository.commit({ 'note.txt': 'next' })
  expect((await deploy(daemon, healthy)).status).toBe(201)
  expect((await visit(daemon, healthy.host())).body.commit).toBe(sha)
}

describe('a git host that accepts connections and never answers', () => {
  let host: Server
  const sockets = new Set<Socket>()

  beforeEach(async () => {
    host = createServer((socket) => sockets.add(socket.on('error', () => {})))
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
  })
  afterEach(() => {
    for (const socket of sockets) socket.destroy()
    host.close()
  })

  test('does not block the deploys of other projects', async () => {
    const { port } = host.address() as AddressInfo
    const url = `http://127.0.0.1:${port}/team/far.git`
    const { body } = await call(daemon, 'POST', '/projects', { repo_url: url })
    const headers = { prefer: 'respond-async' }
    const path = `/projects/${body.id}/deploy`
    const queued = await call(daemon, 'POST', path, { branch: 'main' }, { headers })
    expect(queued).toMatchObject({ status: 202, body: { status: 'queued' } })
    expect(await eventually(() => sockets.size > 0, 20_000)).toBe(true)
    await expectHealthy()
    const { body: queue } = await call(daemon, 'GET', '/queue')
    expect(queue).toMatchObject([{ project_id: body.id, state: 'running' }])
    expect((await call(daemon, 'DELETE', `/projects/${body.id}`)).status).toBe(204)
    expect((await call(daemon, 'GET', '/queue')).body).toEqual([])
    expect(await daemon.stop()).toBe(0)
  })
})

describe('an app with a fault', () => {
  test.each([
    ['that does not listen', badApps.notListening],
    ['whose health path answers 500', badApps.unhealthy],
  ])('%s does not replace the running version', async (_, files) => {
    const project = await createProject(daemon)
    const sha = project.repository.git('rev-parse', 'HEAD')
    expect((await deploy(daemon, project)).status).toBe(201)
    project.repository.commit(files)
    const failed = await deploy(daemon, project)
    expect(failed.status).toBe(422)
    expect(failed.body.error).toMatch(/health|listen|answer|500/)
    expect((await visit(daemon, project.host())).body.commit).toBe(sha)
    await expectConsistent(daemon, project)
    await expectHealthy()
  })

  test('that keeps crashing is restarted, has the exit code as its reason, and can be destroyed', async () => {
    const project = await createProject(daemon, 'crashing', badApps.crashing)
    const traffic = startLoad(daemon, healthy.host())
    const answer = await deploy(daemon, project)
    expect(answer.status).toBe(201)
    const hasReason = async () => /exited with code 5/.test((await rowOf(daemon, project)).reason)
    expect(await eventually(hasReason, 30_000)).toBe(true)
    await visit(daemon, project.host())
    expect(await eventually(hasReason, 30_000)).toBe(true)
    expect(await rowOf(daemon, project)).toMatchObject({ state: 'running' })
    const { id } = await rowOf(daemon, project)
    expect((await call(daemon, 'DELETE', `/environments/${id}`)).status).toBe(204)
    await expectConsistent(daemon, project)
    expect((await traffic.stop()).failures).toEqual([])
    await expectHealthy()
  })

  test('that ignores SIGTERM is replaced without a failed request', async () => {
    const project = await createProject(daemon, 'stubborn', badApps.ignoresSigterm)
    expect((await deploy(daemon, project)).status).toBe(201)
    const traffic = startLoad(daemon, project.host())
    project.repository.commit({ 'note.txt': 'second' })
    expect((await deploy(daemon, project)).status).toBe(201)
    await expectConsistent(daemon, project)
    expect((await traffic.stop()).failures).toEqual([])
  })

  test('that floods its log neither fills the disk nor blocks other apps', async () => {
    const project = await createProject(daemon, 'flood', badApps.floodsLog)
    const { body } = await deploy(daemon, project)
    const path = `/environments/${body.id}/logs?lines=100`
    const hasOutput = async () => (await call(daemon, 'GET', path)).body.logs.includes('xxx')
    expect(await eventually(hasOutput, 30_000)).toBe(true)
    const traffic = startLoad(daemon, healthy.host())
    for (let round = 0; round < 3; round += 1) {
      await expectHealthy()
      expect(bytesBelow(join(daemon.dataDir, 'logs'))).toBeLessThan(64 * 2 ** 20)
    }
    expect((await traffic.stop()).failures).toEqual([])
    expect((await call(daemon, 'DELETE', `/environments/${body.id}`)).status).toBe(204)
    await expectConsistent(daemon, project)
  })

  test('that forks leaves no children behind when it is destroyed', async () => {
    const project = await createProject(daemon, 'family', badApps.forks)
    const { body } = await deploy(daemon, project)
    const children = () => commandLines().filter((line) => line.includes(forkMark))
    expect(await eventually(() => children().length === 4, 30_000)).toBe(true)
    expect((await call(daemon, 'DELETE', `/environments/${body.id}`)).status).toBe(204)
    expect(await eventually(() => children().length === 0, 30_000)).toBe(true)
    await expectConsistent(daemon, project)
    await expectHealthy()
  })
})

test('the daemon restarts a killed gateway', async () => {
  const gateway = processesOf(daemon.dataDir).find((pid) => commandOf(pid).includes('gateway'))
  expect(gateway).toBeDefined()
  process.kill(gateway ?? 0, 'SIGKILL')
  const answers = async () =>
    (await visit(daemon, healthy.host()).catch(() => undefined))?.status === 200
  expect(await eventually(answers, 30_000)).toBe(true)
  await expectHealthy()
})

test.each([
  ['its gateway', false],
  ['its gateway and all apps, like in a reboot', true],
])('a daemon killed with %s restarts running apps and wakes paused ones', async (_, isReboot) => {
  const other = await createProject(daemon, 'other')
  expect((await deploy(daemon, other)).status).toBe(201)
  const { id } = await rowOf(daemon, other)
  expect((await call(daemon, 'POST', `/environments/${id}/pause`)).status).toBe(204)
  await daemon.stop('SIGKILL')
  const killed = processesOf(daemon.dataDir).filter(
    (pid) => isReboot || commandOf(pid).includes('gateway'),
  )
  expect(killed.length).toBeGreaterThan(0)
  for (const pid of killed) process.kill(pid, 'SIGKILL')
  if (isReboot) killContainersOf(daemon.dataDir)
  const areGone = () => processesOf(daemon.dataDir).every((pid) => !killed.includes(pid))
  expect(await eventually(areGone, 10_000)).toBe(true)
  daemon = await daemon.restart()
  // Sends the requests immediately, before the apps can run again.
  const visits = await Promise.all([healthy, other].map((app) => visit(daemon, app.host())))
  expect(visits.map(({ status }) => status)).toEqual([200, 200])
  await expectConsistent(daemon, other)
  await expectHealthy()
})

test('a daemon killed at random moments under 200 requests per second fails none and loses no push', async () => {
  const traffic = startLoad(daemon, healthy.host(), { perSecond: 200 })
  const other = await createProject(daemon, 'other')
  let sha = ''
  for (let round = 0; round < 10; round += 1) {
    sha = other.repository.commit({ 'note.txt': String(round) })
    const event = { url: other.remote, branch: 'main', sha, delivery: `d-${round}` }
    const answer = await push(daemon, event)
    expect(answer.status).toBe(202)
    // A fixed delay per round varies the moment of the kill.
    await pause(round * 50)
    await daemon.stop('SIGKILL')
    daemon = await daemon.restart()
  }
  expect(await servesCommit(daemon, other, sha)).toBe(true)
  await expectConsistent(daemon, other)
  await expectConsistent(daemon, healthy)
  const { failures, served } = await traffic.stop()
  expect(failures).toEqual([])
  expect(served).toBeGreaterThan(1_000)
})

describe('a full disk', () => {
  const canMount = process.getuid?.() === 0 && mounts()
  /** Writes no log: on a full disk a write of the app fails with ENOSPC, and the app crashes. */
  const { 'server.js': server = '' } = plainApp
  const silent = { ...plainApp, 'server.js': server.replaceAll('console.log', 'void ') }

  test.skipIf(!canMount)(
    'gives 503 for each write, and running apps continue to answer (needs root to mount a disk)',
    async () => {
      const place = await newPlace()
      const { dataDir } = place
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=48m', 'tmpfs', dataDir])
      let small: Daemon | undefined
      try {
        small = await startDaemon({ place })
        const project = await createProject(small, 'shop', silent)
        const first = project.repository.git('rev-parse', 'HEAD')
        expect((await deploy(small, project)).status).toBe(201)
        const traffic = startLoad(small, project.host())
        const sha = project.repository.commit({ 'note.txt': 'second' })
        const filler = join(dataDir, 'filler')
        execFileSync('sh', ['-c', 'dd if=/dev/zero of="$0" bs=4k 2>/dev/null || true', filler])
        const refused = [
          await deploy(small, project),
          await push(small, { url: project.remote, branch: 'main', sha, delivery: 'd-1' }),
          await call(small, 'POST', '/secrets', { name: 'KEY', value: 'value' }),
          await call(small, 'POST', '/tokens', { name: 'ci' }),
          await call(small, 'POST', '/rotate-key'),
          await call(small, 'GET', '/backup'),
        ]
        for (const { status, body } of refused) {
          expect({ status, body }).toEqual({
            status: 503,
            body: { error: expect.stringMatching(/disk .*is full/) },
          })
        }
        expect((await call(small, 'GET', '/health')).status).toBe(200)
        expect((await visit(small, project.host())).body.commit).toBe(first)
        await small.stop('SIGKILL')
        small = await small.restart()
        expect((await visit(small, project.host())).body.commit).toBe(first)
        rmSync(filler)
        // A refused request can be retried, including the same webhook delivery.
        const again = await push(small, {
          url: project.remote,
          branch: 'main',
          sha,
          delivery: 'd-1',
        })
        expect(again.status).toBe(202)
        expect(await servesCommit(small, project, sha)).toBe(true)
        await expectConsistent(small, project)
        expect((await traffic.stop()).failures).toEqual([])
      } finally {
        await small?.stop('SIGKILL')
        for (const pid of processesOf(dataDir)) process.kill(pid, 'SIGKILL')
        await eventually(() => processesOf(dataDir).length === 0, 10_000)
        execFileSync('umount', ['--lazy', dataDir])
        rmSync(dataDir, { recursive: true, force: true })
      }
    },
  )
})

function mounts(): boolean {
  try {
    execFileSync('unshare', ['--mount', 'true'])
    return existsSync('/proc/mounts')
  } catch {
    return false
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1')
  } catch {
    return ''
  }
}

/** Returns the allocated size: logs are sparse files. */
function bytesBelow(folder: string): number {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return names
    .map((name) => (statSync(join(folder, name), { throwIfNoEntry: false })?.blocks ?? 0) * 512)
    .reduce((sum, bytes) => sum + bytes, 0)
}
