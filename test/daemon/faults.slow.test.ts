import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { eventually } from '../support/apps/eventually.ts'
import { badApps } from '../support/stratad/bad-apps.ts'
import { call, push, visit } from '../support/stratad/call.ts'
import {
  cleanUp,
  type Daemon,
  newPlace,
  processesOf,
  startDaemon,
} from '../support/stratad/daemon.ts'
import { load } from '../support/stratad/load.ts'
import { plainApp } from '../support/stratad/plain-app.ts'
import {
  answersWith,
  createProject,
  deploy,
  type Project,
  rowOf,
} from '../support/stratad/project.ts'
import { apps, expectWhole } from '../support/stratad/whole.ts'

let daemon: Daemon
/** A well-behaved app that has to answer whatever another one does. */
let well: Project

beforeEach(async () => {
  daemon = await startDaemon()
  well = await createProject(daemon, 'well')
  expect((await deploy(daemon, well)).status).toBe(201)
})
afterEach(async () => {
  await daemon.stop('SIGKILL')
  cleanUp(daemon.dataDir)
})

async function expectWell(): Promise<void> {
  expect((await visit(daemon, well.host())).status).toBe(200)
  const sha = well.repository.commit({ 'note.txt': 'next' })
  expect((await deploy(daemon, well)).status).toBe(201)
  expect((await visit(daemon, well.host())).body.commit).toBe(sha)
}

describe('a git host that takes connections and never answers', () => {
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

  test('keeps no other project from being deployed', async () => {
    const { port } = host.address() as AddressInfo
    const url = `http://127.0.0.1:${port}/team/far.git`
    const { body } = await call(daemon, 'POST', '/projects', { repo_url: url })
    const headers = { prefer: 'respond-async' }
    const path = `/projects/${body.id}/deploy`
    const queued = await call(daemon, 'POST', path, { branch: 'main' }, { headers })
    expect(queued).toMatchObject({ status: 202, body: { status: 'queued' } })
    expect(await eventually(() => sockets.size > 0, 20_000)).toBe(true)
    await expectWell()
    const { body: queue } = await call(daemon, 'GET', '/queue')
    expect(queue).toMatchObject([{ project_id: body.id, state: 'running' }])
    expect((await call(daemon, 'DELETE', `/projects/${body.id}`)).status).toBe(204)
    expect((await call(daemon, 'GET', '/queue')).body).toEqual([])
    expect(await daemon.stop()).toBe(0)
  })
})

describe('an app', () => {
  test.each([
    ['that does not listen', badApps.mute],
    ['whose health path says 500', badApps.ill],
  ])('%s is not put in the place of the one that runs', async (_, files) => {
    const project = await createProject(daemon)
    const sha = project.repository.git('rev-parse', 'HEAD')
    expect((await deploy(daemon, project)).status).toBe(201)
    project.repository.commit(files)
    const failed = await deploy(daemon, project)
    expect(failed.status).toBe(422)
    expect(failed.body.error).toMatch(/health|listen|answer|500/)
    expect((await visit(daemon, project.host())).body.commit).toBe(sha)
    await expectWhole(daemon, project)
    await expectWell()
  })

  test('that ends again and again is started again, says so, and can be destroyed', async () => {
    const project = await createProject(daemon, 'short', badApps.short)
    const traffic = load(daemon, well.host())
    const answer = await deploy(daemon, project)
    expect(answer.status).toBe(201)
    const isSaid = async () => /exited with code 5/.test((await rowOf(daemon, project)).reason)
    expect(await eventually(isSaid, 30_000)).toBe(true)
    await visit(daemon, project.host())
    expect(await eventually(isSaid, 30_000)).toBe(true)
    expect(await rowOf(daemon, project)).toMatchObject({ state: 'running' })
    const { id } = await rowOf(daemon, project)
    expect((await call(daemon, 'DELETE', `/environments/${id}`)).status).toBe(204)
    await expectWhole(daemon, project)
    expect((await traffic.stop()).failures).toEqual([])
    await expectWell()
  })

  test('that ignores SIGTERM gives way all the same', async () => {
    const project = await createProject(daemon, 'stubborn', badApps.stubborn)
    expect((await deploy(daemon, project)).status).toBe(201)
    const traffic = load(daemon, project.host())
    project.repository.commit({ 'note.txt': 'second' })
    expect((await deploy(daemon, project)).status).toBe(201)
    await expectWhole(daemon, project)
    expect((await traffic.stop()).failures).toEqual([])
  })

  test('that floods its log fills no disk and slows no other down to nothing', async () => {
    const project = await createProject(daemon, 'flood', badApps.flood)
    const { body } = await deploy(daemon, project)
    const path = `/environments/${body.id}/logs?lines=100`
    const isTold = async () => (await call(daemon, 'GET', path)).body.logs.includes('xxx')
    expect(await eventually(isTold, 30_000)).toBe(true)
    const traffic = load(daemon, well.host())
    for (let round = 0; round < 3; round += 1) {
      await expectWell()
      expect(bytesBelow(join(daemon.dataDir, 'logs'))).toBeLessThan(64 * 2 ** 20)
    }
    expect((await traffic.stop()).failures).toEqual([])
    expect((await call(daemon, 'DELETE', `/environments/${body.id}`)).status).toBe(204)
    await expectWhole(daemon, project)
  })

  test('that forks takes its children with it when it is destroyed', async () => {
    const project = await createProject(daemon, 'family', badApps.family)
    const { body } = await deploy(daemon, project)
    const name = `strata-${body.id}`
    const family = () => apps(daemon).filter((one) => one === name)
    expect(await eventually(() => family().length === 5, 30_000)).toBe(true)
    expect((await call(daemon, 'DELETE', `/environments/${body.id}`)).status).toBe(204)
    expect(await eventually(() => family().length === 0, 30_000)).toBe(true)
    await expectWhole(daemon, project)
    await expectWell()
  })
})

test('a gateway that is killed is started again by its daemon', async () => {
  const gateway = processesOf(daemon.dataDir).find((pid) => commandOf(pid).includes('gateway'))
  expect(gateway).toBeDefined()
  process.kill(gateway ?? 0, 'SIGKILL')
  const answers = async () =>
    (await visit(daemon, well.host()).catch(() => undefined))?.status === 200
  expect(await eventually(answers, 30_000)).toBe(true)
  await expectWell()
})

test.each<[string, (pid: number) => boolean]>([
  ['its gateway', (pid) => commandOf(pid).includes('gateway')],
  ['its gateway and all apps, as by a reboot', () => true],
])('a daemon killed with %s brings back what ran, and wakes what slept', async (_, isKilled) => {
  const other = await createProject(daemon, 'other')
  expect((await deploy(daemon, other)).status).toBe(201)
  const { id } = await rowOf(daemon, other)
  expect((await call(daemon, 'POST', `/environments/${id}/pause`)).status).toBe(204)
  await daemon.stop('SIGKILL')
  const killed = processesOf(daemon.dataDir).filter(isKilled)
  expect(killed.length).toBeGreaterThan(0)
  for (const pid of killed) process.kill(pid, 'SIGKILL')
  const areGone = () => processesOf(daemon.dataDir).every((pid) => !killed.includes(pid))
  expect(await eventually(areGone, 10_000)).toBe(true)
  daemon = await daemon.restart()
  // At once, before anything can be there again.
  const visits = await Promise.all([well, other].map((app) => visit(daemon, app.host())))
  expect(visits.map(({ status }) => status)).toEqual([200, 200])
  await expectWhole(daemon, other)
  await expectWell()
})

test('a daemon killed at any moment under 200 requests a second fails none and loses no push', async () => {
  const traffic = load(daemon, well.host(), { perSecond: 200 })
  const other = await createProject(daemon, 'other')
  let sha = ''
  for (let round = 0; round < 10; round += 1) {
    sha = other.repository.commit({ 'note.txt': String(round) })
    const event = { url: other.remote, branch: 'main', sha, delivery: `d-${round}` }
    const answer = await push(daemon, event)
    expect(answer.status).toBe(202)
    // Not waited for anything: the moment of the kill is what differs from round to round.
    await pause(round * 50)
    await daemon.stop('SIGKILL')
    daemon = await daemon.restart()
  }
  expect(await answersWith(daemon, other, sha)).toBe(true)
  await expectWhole(daemon, other)
  await expectWhole(daemon, well)
  const { failures, served } = await traffic.stop()
  expect(failures).toEqual([])
  expect(served).toBeGreaterThan(1_000)
})

describe('a disk that is full', () => {
  const canMount = process.getuid?.() === 0 && mounts()
  /** Silent: an app that writes to its log where there is no room is told so by the system, and ends of it. */
  const { 'server.js': server = '' } = plainApp
  const silent = { ...plainApp, 'server.js': server.replaceAll('console.log', 'void ') }

  test.skipIf(!canMount)(
    'is said of whatever needs room, and stops nothing that runs (needs root, for a disk of its own)',
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
        const traffic = load(small, project.host())
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
        // What was refused may be asked for again: the same delivery too.
        const again = await push(small, {
          url: project.remote,
          branch: 'main',
          sha,
          delivery: 'd-1',
        })
        expect(again.status).toBe(202)
        expect(await answersWith(small, project, sha)).toBe(true)
        await expectWhole(small, project)
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

/** On the disk: logs have holes. */
function bytesBelow(folder: string): number {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return names
    .map((name) => (statSync(join(folder, name), { throwIfNoEntry: false })?.blocks ?? 0) * 512)
    .reduce((sum, bytes) => sum + bytes, 0)
}
