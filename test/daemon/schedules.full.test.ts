import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../support/apps/eventually.ts'
import { createUser } from '../support/client/test-user.ts'
import { call } from '../support/stratad/call.ts'
import { cleanUp, type Daemon, masterToken, startDaemon } from '../support/stratad/daemon.ts'
import { createRepository, plainApp } from '../support/stratad/plain-app.ts'

let daemon: Daemon
let id: number
const folder = () => join(daemon.dataDir, 'repositories/shop')

const deploy = {
  cron: [
    { name: 'tick', schedule: '* * * * *', command: 'node tick.js', timezone: 'Europe/Berlin' },
    { name: 'long', schedule: '* * * * *', command: ['node', '-e', 'setInterval(() => {}, 1000)'] },
  ],
}

beforeAll(async () => {
  daemon = await startDaemon()
  const repository = createRepository(folder(), {
    ...plainApp,
    'tick.js': `console.log('tick', process.env.STRATA_BRANCH); process.exitCode = 5`,
    'strata.json': JSON.stringify({ deploy }),
  })
  const { body } = await call(daemon, 'POST', '/projects', { repo_dir: repository.folder })
  const deployed = await call(daemon, 'POST', `/projects/${body.id}/deploy`, { branch: 'main' })
  expect(deployed.status, JSON.stringify(deployed.body)).toBe(201)
  id = deployed.body.id
  expect((await call(daemon, 'POST', `/environments/${id}/pause`)).status).toBe(204)
})
afterAll(async () => {
  await daemon.stop('SIGKILL')
  cleanUp(daemon.dataDir)
})

const listed = async (name: string) =>
  (await call(daemon, 'GET', `/environments/${id}/cron`)).body.find(
    (each: { name: string }) => each.name === name,
  )

test('a schedule runs each minute beside a sleeping app, and its result and output are shown', async () => {
  const hasRun = async () => (await listed('tick')).runs[0]?.ended_at !== undefined
  expect(await eventually(hasRun, 90_000)).toBe(true)
  const ended = async () => (await listed('tick')).runs[0].outcome === 'failed'
  expect(await eventually(ended, 20_000)).toBe(true)
  expect((await listed('tick')).runs[0]).toMatchObject({ exit_code: 5 })
  const { body } = await call(daemon, 'GET', `/environments/${id}/logs?process=tick`)
  expect(body.logs).toContain('tick main')
  const environment = (await call(daemon, 'GET', `/environments/${id}`)).body
  expect(environment.state).toBe('paused')
  const user = createUser(join(daemon.dataDir, 'user'))
  const env = { STRATA_HOST: `http://127.0.0.1:${daemon.port}`, STRATA_TOKEN: masterToken }
  const { stdout, code } = await user.strata(folder(), ['cron'], { env })
  expect(code).toBe(0)
  expect(stdout).toMatch(/tick +\* \* \* \* \* +Europe\/Berlin .*failed \(exit code 5\)/)
})

test('a run survives a kill of the daemon, is not started twice, and ends with its branch', async () => {
  const running = async () => (await listed('long')).runs.at(-1)?.outcome === 'running'
  expect(await eventually(running, 90_000)).toBe(true)
  const { due_at } = (await listed('long')).runs.at(-1)
  await daemon.stop('SIGKILL')
  daemon = await daemon.restart()
  const same = (await listed('long')).runs.filter(
    (run: { due_at: string }) => run.due_at === due_at,
  )
  expect(same).toMatchObject([{ outcome: 'running' }])
  const skipped = async () => (await listed('long')).runs[0].outcome === 'skipped'
  expect(await eventually(skipped, 90_000)).toBe(true)
  expect((await call(daemon, 'DELETE', `/environments/${id}`)).status).toBe(204)
  expect((await listed('long')).runs.at(-1)).toMatchObject({ outcome: 'failed' })
})
