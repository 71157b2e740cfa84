import { readdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../support/apps/eventually.ts'
import { call, push, visit } from '../support/stratad/call.ts'
import { cleanUp, type Daemon, startDaemon } from '../support/stratad/daemon.ts'
import { createProject, deploy, type Project, rowOf } from '../support/stratad/project.ts'

/** Writes 8 MiB to its data folder for a request of /grow. */
const hoarder = {
  'package.json': JSON.stringify({ name: 'hoarder', scripts: { start: 'node server.js' } }),
  'server.js': `const fs = require('node:fs')
require('node:http').createServer((request, response) => {
  if (request.url === '/grow') fs.writeFileSync(process.env.STRATA_DATA + '/big', Buffer.alloc(8 * 1024 * 1024))
  response.end('here')
}).listen(process.env.PORT)`,
}

/** The tests build on each other. */
describe('a project above SERVICE_DATA_QUOTA_MB', () => {
  let daemon: Daemon
  let project: Project
  let other: Project
  const excess = /the data of the project takes 8 MiB, and SERVICE_DATA_QUOTA_MB allows 4/

  beforeAll(async () => {
    daemon = await startDaemon({ env: { SERVICE_DATA_QUOTA_MB: '4', SERVICE_GC_INTERVAL: '1s' } })
    project = await createProject(daemon, 'hoarder', hoarder)
    other = await createProject(daemon, 'other', hoarder)
    for (const one of [project, other]) expect((await deploy(daemon, one)).status).toBe(201)
    // The link leads to far more than the quota.
    symlinkSync('/usr', join(volumeOf(other), 'link'))
  })
  afterAll(async () => {
    await daemon.stop('SIGKILL')
    cleanUp(daemon.dataDir)
  })

  function volumeOf({ id }: Project): string {
    const folder = join(daemon.dataDir, 'volumes', String(id))
    return join(folder, readdirSync(folder)[0] ?? '')
  }

  test('has its apps paused with the reason, and the apps of others run', async () => {
    await visit(daemon, project.host(), '/grow')
    const isPaused = async () => (await rowOf(daemon, project)).state === 'paused'
    expect(await eventually(isPaused, 30_000)).toBe(true)
    const hasReason = async () => excess.test((await rowOf(daemon, project)).reason ?? '')
    expect(await eventually(hasReason, 5_000)).toBe(true)
    expect((await rowOf(daemon, other)).state).toBe('running')
    const { body } = await call(daemon, 'GET', '/stats')
    expect(body.data).toEqual([
      { project_id: project.id, bytes: expect.any(Number), quota_bytes: 4 * 2 ** 20 },
      { project_id: other.id, bytes: expect.any(Number), quota_bytes: 4 * 2 ** 20 },
    ])
    expect(body.data[0].bytes).toBeGreaterThanOrEqual(8 * 2 ** 20)
    expect(body.data[1].bytes).toBeLessThan(2 ** 20)
  })

  test('is neither woken nor deployed, and the answers say why', async () => {
    const { id } = await rowOf(daemon, project)
    const woken = await call(daemon, 'POST', `/environments/${id}/wake`)
    expect(woken).toMatchObject({ status: 422, body: { error: expect.stringMatching(excess) } })
    const visited = await visit(daemon, project.host())
    expect(visited.status).toBe(503)
    const deployed = await deploy(daemon, project)
    expect(deployed).toMatchObject({ status: 422, body: { error: expect.stringMatching(excess) } })
    const sha = project.repository.commit({ 'note.txt': 'second' })
    const pushed = { url: project.remote, branch: 'main', sha, delivery: 'd-1' }
    expect((await push(daemon, pushed)).status).toBe(202)
    const isEmpty = async () => (await call(daemon, 'GET', '/queue')).body.length === 0
    expect(await eventually(isEmpty, 10_000)).toBe(true)
    expect((await rowOf(daemon, project)).state).toBe('paused')
  })

  test('wakes as soon as its data is below the quota', async () => {
    rmSync(join(volumeOf(project), 'big'))
    const answers = async () => (await visit(daemon, project.host())).status === 200
    expect(await eventually(answers, 30_000)).toBe(true)
    expect((await deploy(daemon, project)).status).toBe(201)
  })
})
