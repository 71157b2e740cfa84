import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../support/apps/eventually.ts'
import { createUser, type TestUser } from '../support/client/test-user.ts'
import { call, visit } from '../support/stratad/call.ts'
import { cleanUp, type Daemon, masterToken, startDaemon } from '../support/stratad/daemon.ts'
import { listRunningInstances } from '../support/stratad/expect-consistent.ts'
import { createRepository, plainApp, type Repository } from '../support/stratad/plain-app.ts'

const host = 'main--shop.localhost'
/** Writes an id of its start and its commit, and ends itself if a file tells it to. */
const worker = `
const fs = require('node:fs')
console.log(JSON.stringify({ boot: require('node:crypto').randomUUID(), commit: process.env.STRATA_COMMIT, queue: process.env.QUEUE }))
const order = process.env.STRATA_DATA + '/crash'
setInterval(() => { if (fs.existsSync(order)) { fs.rmSync(order); process.exit(3) } }, 20)
`

let daemon: Daemon
let repository: Repository
let user: TestUser
let project: number
let id: number

beforeAll(async () => {
  daemon = await startDaemon()
  user = createUser(join(daemon.dataDir, 'user'))
  repository = createRepository(join(daemon.dataDir, 'repositories/shop'), {
    ...plainApp,
    'worker.js': worker,
    Procfile: 'web: node server.js\nworker: QUEUE=mail node worker.js\nrelease: false\n',
  })
  const { body } = await call(daemon, 'POST', '/projects', { repo_dir: repository.folder })
  project = body.id
  await deploy()
})
afterAll(async () => {
  await daemon.stop('SIGKILL')
  cleanUp(daemon.dataDir)
})

async function deploy() {
  const { status, body } = await call(daemon, 'POST', `/projects/${project}/deploy`, {
    branch: 'main',
  })
  expect(status, JSON.stringify(body)).toBe(201)
  id = body.id
}

interface Started {
  readonly boot: string
  readonly commit: string
  readonly queue: string
}

/** Waits until the log of the worker has this many starts, and returns the last one. */
async function lastStart(count: number): Promise<Started> {
  let lines: string[] = []
  const has = async () => {
    const { body } = await call(daemon, 'GET', `/environments/${id}/logs?process=worker`)
    lines = body.logs.split('\n').filter((line: string) => line.startsWith('{'))
    return lines.length >= count
  }
  expect(await eventually(has, 20_000)).toBe(true)
  return JSON.parse(lines.at(-1) ?? '{}')
}

const processes = async () => (await call(daemon, 'GET', `/environments/${id}`)).body.processes

const instances = () => listRunningInstances(daemon)

/** Returns true while the worker of the current environment runs. */
function isWorking(): boolean {
  return instances().includes(`strata-${id}-worker`)
}

test('a worker of a Procfile runs beside the web process, with a log of its own', async () => {
  const { queue, commit } = await lastStart(1)
  expect({ queue, commit }).toEqual({ queue: 'mail', commit: repository.git('rev-parse', 'HEAD') })
  expect(await processes()).toEqual([
    { name: 'web', state: 'running', reason: null },
    { name: 'worker', state: 'running', reason: null },
  ])
  const { body } = await call(daemon, 'GET', `/environments/${id}/logs`)
  expect(body.logs).toContain('worker: node worker.js')
  expect(body.logs).toContain('Procfile: release does not run')
  expect(body.logs).not.toContain('"queue"')
  expect((await call(daemon, 'GET', `/environments/${id}/logs?process=nobody`)).status).toBe(404)
})

test('strata logs --process and strata ps show the worker', async () => {
  const env = { STRATA_HOST: `http://127.0.0.1:${daemon.port}`, STRATA_TOKEN: masterToken }
  const logs = await user.strata(repository.folder, ['logs', '--process', 'worker'], { env })
  expect(logs).toMatchObject({ code: 0, stdout: expect.stringContaining('"queue":"mail"') })
  const ps = await user.strata(repository.folder, ['ps'], { env })
  expect(ps.stdout).toMatch(/PROCESSES[\s\S]*web, worker/)
})

test('a crashed worker is started again while the web process serves', async () => {
  const first = await lastStart(1)
  const { boot } = (await visit(daemon, host)).body
  const order = `require('node:fs').writeFileSync(process.env.STRATA_DATA + '/crash', '')`
  const env = { STRATA_HOST: `http://127.0.0.1:${daemon.port}`, STRATA_TOKEN: masterToken }
  await user.strata(repository.folder, ['run', 'node', '-e', order], { env })
  const second = await lastStart(2)
  expect(second.boot).not.toBe(first.boot)
  expect((await visit(daemon, host)).body.boot).toBe(boot)
})

test('a worker survives a kill of the daemon, and the next daemon adopts it', async () => {
  const { boot } = await lastStart(2)
  await daemon.stop('SIGKILL')
  expect(isWorking()).toBe(true)
  daemon = await daemon.restart()
  expect(isWorking()).toBe(true)
  expect((await lastStart(2)).boot).toBe(boot)
  const { body } = await call(daemon, 'GET', `/environments/${id}`)
  expect(body.processes).toHaveLength(2)
})

test('a worker sleeps and wakes with its environment', async () => {
  const { boot } = await lastStart(2)
  expect((await call(daemon, 'POST', `/environments/${id}/pause`)).status).toBe(204)
  expect(await eventually(() => !isWorking(), 10_000)).toBe(true)
  expect((await processes()).map(({ state }: { state: string }) => state)).toEqual([
    'stopped',
    'stopped',
  ])
  await visit(daemon, host)
  expect((await lastStart(3)).boot).not.toBe(boot)
})

test('a redeploy replaces the worker, and the end of the environment ends it', async () => {
  await lastStart(3)
  const old = instances()
  const commit = repository.commit({
    'strata.json': JSON.stringify({
      deploy: { processes: { worker: 'QUEUE=bills node worker.js' } },
    }),
  })
  await deploy()
  const { queue, commit: own } = await lastStart(1)
  expect({ queue, own }).toEqual({ queue: 'bills', own: commit })
  expect(await eventually(() => !instances().some((name) => old.includes(name)), 10_000)).toBe(true)
  expect((await call(daemon, 'DELETE', `/environments/${id}`)).status).toBe(204)
  expect(await eventually(() => instances().length === 0, 10_000)).toBe(true)
})
