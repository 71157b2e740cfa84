import { execFileSync } from 'node:child_process'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { eventually } from '../support/apps/eventually.ts'
import { call, push, visit } from '../support/stratad/call.ts'
import {
  type Daemon,
  newPlace,
  type Place,
  processesOf,
  runUntilExit,
  startDaemon,
} from '../support/stratad/daemon.ts'
import { createProject, deploy, servesCommit } from '../support/stratad/project.ts'

const mib = 2 ** 20
const canMount = process.getuid?.() === 0 && mounts()

describe.skipIf(!canMount)('a small disk (needs root to mount one)', () => {
  let place: Place
  let daemon: Daemon | undefined

  beforeEach(async () => {
    place = await newPlace()
    mount('-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', place.dataDir)
  })
  afterEach(async () => {
    await daemon?.stop('SIGKILL')
    daemon = undefined
    for (const pid of processesOf(place.dataDir)) process.kill(pid, 'SIGKILL')
    await eventually(() => processesOf(place.dataDir).length === 0, 10_000)
    execFileSync('umount', ['--lazy', place.dataDir])
    rmSync(place.dataDir, { recursive: true, force: true })
  })

  const start = async (env: Readonly<Record<string, string>> = {}) => {
    daemon = await startDaemon({ place, env })
    return daemon
  }
  const filler = () => join(place.dataDir, 'filler')
  /** The reserve is 20 MiB: a file of 50 MiB leaves less. */
  const fill = () => writeFileSync(filler(), Buffer.alloc(50 * mib))
  const reserve = { SERVICE_DISK_RESERVE_MB: '20' }
  const shortage =
    /full up to its reserve: [\d.]+ MiB are free, and SERVICE_DISK_RESERVE_MB keeps 20/

  test('refuses deploys below the reserve with 503, keeps pushes, and runs them once there is room', async () => {
    const small = await start(reserve)
    const project = await createProject(small)
    expect((await deploy(small, project)).status).toBe(201)
    fill()
    const refused = await deploy(small, project)
    expect(refused).toMatchObject({ status: 503, body: { error: expect.stringMatching(shortage) } })
    const sha = project.repository.commit({ 'note.txt': 'second' })
    const pushed = { url: project.remote, branch: 'main', sha, delivery: 'd-1' }
    expect((await push(small, pushed)).status).toBe(202)
    const queue = async () => (await call(small, 'GET', '/queue')).body
    const waits = async () => shortage.test((await queue())[0]?.reason ?? '')
    expect(await eventually(waits, 10_000)).toBe(true)
    expect(await queue()).toMatchObject([{ state: 'waiting', attempts: 0 }])
    expect((await visit(small, project.host())).status).toBe(200)
    const { body } = await call(small, 'GET', '/infra/status')
    const check = body.checks.find(({ name }: { name: string }) => name === 'disk')
    expect(check).toMatchObject({ ok: false, detail: expect.stringMatching(shortage) })
    rmSync(filler())
    expect(await servesCommit(small, project, sha)).toBe(true)
  })

  test('stops a build that fills the disk before it is full, and the daemon can write', async () => {
    const small = await start(reserve)
    const greedy = {
      'package.json': JSON.stringify({ name: 'greedy', scripts: { start: 'node server.js' } }),
      'strata.json': JSON.stringify({ deploy: { build: ['node', 'build.js'] } }),
      // Writes 10 MiB a second: the daemon looks twice a second.
      'build.js': `const fs = require('node:fs'); let n = 0
setInterval(() => fs.appendFileSync('big', Buffer.alloc(1024 * 1024)), 100)`,
      'server.js': 'require("node:http").createServer((q, r) => r.end()).listen(process.env.PORT)',
    }
    const project = await createProject(small, 'greedy', greedy)
    const headers = { prefer: 'respond-async' }
    const path = `/projects/${project.id}/deploy`
    await call(small, 'POST', path, { branch: 'main' }, { headers })
    const rows = async () => (await call(small, 'GET', `/projects/${project.id}/environments`)).body
    const failed = async () => shortage.test((await rows())[0]?.reason ?? '')
    expect(await eventually(failed, 30_000)).toBe(true)
    expect((await rows())[0].reason).toMatch(/retrying in/)
    expect((await call(small, 'POST', '/secrets', { name: 'K', value: 'v' })).status).toBe(204)
    expect(readdirSync(join(place.dataDir, 'releases', String(project.id)))).toEqual([])
  })

  test('below the reserve at a start: the log says that deploys wait, and apps answer', async () => {
    const first = await start(reserve)
    const project = await createProject(first)
    expect((await deploy(first, project)).status).toBe(201)
    await first.stop()
    fill()
    daemon = await first.restart()
    expect(daemon.output()).toMatch(/deploys wait: the disk of the data folder is full up to/)
    expect((await visit(daemon, project.host())).status).toBe(200)
  })

  test('keeps 5 % of a small disk free without a setting', async () => {
    const small = await start()
    const project = await createProject(small)
    expect((await deploy(small, project)).status).toBe(201)
    writeFileSync(filler(), Buffer.alloc(61 * mib))
    const { body } = await deploy(small, project)
    expect(body.error).toMatch(/SERVICE_DISK_RESERVE_MB keeps 3\.2 MiB/)
  })

  test('that is read-only or too small for a database stops the start with a sentence and exit code 1', async () => {
    mount('-o', 'remount,ro', place.dataDir)
    const refused = await runUntilExit({ place })
    expect(refused).toMatchObject({
      code: 1,
      output: expect.stringMatching(
        /data folder .* can't be written \(its file system is read-only\)/,
      ),
    })
    expect(readdirSync(place.dataDir)).toEqual([])
    mount('-o', 'remount,rw,size=16k', place.dataDir)
    const tiny = await runUntilExit({ place })
    expect(tiny).toMatchObject({ code: 1, output: expect.stringMatching(/disk .*is full/) })
    expect(tiny.output).not.toMatch(/^\s+at /m)
  })
})

function mount(...args: readonly string[]): void {
  execFileSync('mount', args)
}

function mounts(): boolean {
  try {
    execFileSync('unshare', ['--mount', 'true'])
    return true
  } catch {
    return false
  }
}
