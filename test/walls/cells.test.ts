import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { eventually } from '../support/apps/eventually.ts'
import { call, visit } from '../support/stratad/call.ts'
import { cleanUp, type Daemon, newPlace, startDaemon } from '../support/stratad/daemon.ts'
import { createProject, deploy, type Project, rowOf } from '../support/stratad/project.ts'

/** Only root can start programs as other users. */
const isRoot = process.platform === 'linux' && process.geteuid?.() === 0

const seconds = 30_000

/** An app that hoards memory at `/hoard`, and detaches a process with an empty environment at `/detach`. */
const app = {
  'package.json': JSON.stringify({ name: 'cells', scripts: { start: 'node server.js' } }),
  'strata.json': JSON.stringify({ deploy: { memory_mb: 128, start: 'node server.js' } }),
  'server.js': `
const { spawn } = require('node:child_process')
const hoard = []
require('node:http').createServer((request, response) => {
  if (request.url === '/hoard') for (;;) hoard.push(Buffer.alloc(1e6, 1))
  if (request.url === '/detach') {
    const child = spawn('setsid', ['env', '-i', '/bin/sleep', '1000'], { detached: true, stdio: 'ignore' })
    child.unref()
  }
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ pid: process.pid, uid: process.getuid(), home: process.env.HOME, data: process.env.STRATA_DATA }))
}).listen(process.env.PORT)`,
}

let daemon: Daemon
beforeEach(async () => {
  daemon = await startDaemon({ place: await newPlace() })
})
afterEach(async () => {
  await daemon.stop('SIGKILL')
  cleanUp(daemon.dataDir)
})

async function deployed(name: string): Promise<Project> {
  const project = await createProject(daemon, name, app)
  const { status, text } = await deploy(daemon, project)
  expect(text).toContain('"running"')
  expect(status).toBe(201)
  return project
}

/** Returns the pids of a user's processes. */
function processesOf(uid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const status = readFileSync(`/proc/${pid}/status`, 'utf8')
        return status.includes(`\nUid:\t${uid}\t`) && !/^State:\s+Z/m.test(status)
      } catch {
        return false
      }
    })
    .map(Number)
}

describe.skipIf(!isRoot)('an app of a daemon of root', () => {
  test('runs as a user of its own, who owns its release, data and home', async () => {
    const [one, two] = [await deployed('one'), await deployed('two')]
    const [first, second] = [await visit(daemon, one.host()), await visit(daemon, two.host())]
    expect(first.body.uid).toBeGreaterThanOrEqual(70_000)
    expect(second.body.uid).not.toBe(first.body.uid)
    const release = readdirSync(join(daemon.dataDir, 'releases', String(one.id)))[0] ?? ''
    const places = [
      join(daemon.dataDir, 'releases', String(one.id), release),
      first.body.data,
      first.body.home,
    ]
    for (const place of places) {
      const { uid, mode } = statSync(place)
      expect([place, uid, mode & 0o777]).toEqual([place, first.body.uid, 0o700])
    }
    const { body } = await call(daemon, 'GET', '/infra/status')
    expect(body.walls.filter((wall: { stands: boolean }) => !wall.stands)).toEqual([])
  })

  test('is started again after it ran out of memory, and its reason names the limit', async () => {
    const project = await deployed('hoarder')
    const before = await visit(daemon, project.host())
    await visit(daemon, project.host(), '/hoard').catch(() => {})
    const reason = async () => (await rowOf(daemon, project)).reason
    expect(
      await eventually(async () => /out of memory/.test((await reason()) ?? ''), seconds),
    ).toBe(true)
    expect(await reason()).toMatch(/^the app ran out of memory: limit 128 MB; /)
    const isBack = async () => {
      const { status, body } = await visit(daemon, project.host())
      return status === 200 && body.pid !== before.body.pid
    }
    expect(await eventually(isBack, seconds)).toBe(true)
  })

  test('ends with all its processes, also detached ones, for the next daemon too', async () => {
    const project = await deployed('spawner')
    const { body } = await visit(daemon, project.host(), '/detach')
    expect(await eventually(() => processesOf(body.uid).length === 2, seconds)).toBe(true)
    await daemon.stop('SIGKILL')
    daemon = await startDaemon({ place: daemon })
    expect((await visit(daemon, project.host())).body.pid).toBe(body.pid)
    const { id } = await rowOf(daemon, project)
    expect((await call(daemon, 'DELETE', `/environments/${id}`)).status).toBe(204)
    expect(await eventually(() => processesOf(body.uid).length === 0, seconds)).toBe(true)
  })

  test('of a daemon without walls is started again, and its files change hands', async () => {
    const project = await deployed('older')
    const { body } = await visit(daemon, project.host())
    // An app that an older daemon started is in no group of this data folder.
    for (const parent of ['pids', 'memory', 'cpu', 'unified']) moveToTop(parent, body.pid)
    await daemon.stop('SIGKILL')
    rmSync(join(daemon.dataDir, 'cells'), { recursive: true })
    daemon = await startDaemon({ place: daemon })
    const isBack = async () => (await visit(daemon, project.host())).body.pid !== body.pid
    expect(await eventually(isBack, seconds)).toBe(true)
    expect(processesOf(body.uid)).not.toContain(body.pid)
  })
})

function moveToTop(hierarchy: string, pid: number): void {
  try {
    writeFileSync(`/sys/fs/cgroup/${hierarchy}/cgroup.procs`, String(pid))
  } catch {
    // The host mounts other hierarchies.
  }
}
