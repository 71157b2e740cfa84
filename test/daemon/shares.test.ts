import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventually } from '../support/apps/eventually.ts'
import { call, push, visit } from '../support/stratad/call.ts'
import { cleanUp, type Daemon, startDaemon } from '../support/stratad/daemon.ts'
import { plainApp } from '../support/stratad/plain-app.ts'
import { createProject, type Project, rowsOf, servesCommit } from '../support/stratad/project.ts'

let daemon: Daemon
beforeEach(async () => {
  daemon = await startDaemon({ env: { SERVICE_DEPLOY_CONCURRENCY: '2' } })
})
afterEach(async () => {
  await daemon.stop('SIGKILL')
  cleanUp(daemon.dataDir)
})

/** The app runs, listens on no port, and has ten minutes to become healthy. */
const neverHealthy = {
  ...plainApp,
  'server.js': 'setInterval(() => {}, 1000)',
  'strata.json': JSON.stringify({ deploy: { health_timeout: '10m' } }),
}

async function pushBranches(project: Project, count: number): Promise<void> {
  const { repository, remote: url } = project
  const sha = repository.git('rev-parse', 'HEAD')
  for (let at = 0; at < count; at += 1) {
    repository.git('branch', `topic-${at}`)
    expect((await push(daemon, { url, branch: `topic-${at}`, sha })).status).toBe(202)
  }
}

const statesOf = async (project: Project) =>
  (await rowsOf(daemon, project)).map(({ state }) => state)

test('deploys that wait for their health check leave the slots to other projects', async () => {
  const hung = await createProject(daemon, 'hung', neverHealthy)
  const shop = await createProject(daemon, 'shop')
  await pushBranches(hung, 12)
  expect(await eventually(async () => (await statesOf(hung)).length >= 4, 20_000)).toBe(true)
  const sha = shop.repository.git('rev-parse', 'HEAD')
  await push(daemon, { url: shop.remote, branch: 'main', sha })
  expect(await servesCommit(daemon, shop, sha)).toBe(true)
  const states = await statesOf(hung)
  expect(new Set(states)).toEqual(new Set(['building']))
  expect(states.length).toBeLessThan(12)
  const { body: queue } = await call(daemon, 'GET', '/queue')
  expect(queue).toHaveLength(12)
})

test('builds of one project leave a slot to other projects', async () => {
  const slow = await createProject(daemon, 'slow', {
    ...plainApp,
    'strata.json': JSON.stringify({ deploy: { build: ['sleep', '600'] } }),
  })
  const shop = await createProject(daemon, 'shop')
  await pushBranches(slow, 4)
  expect(await eventually(async () => (await statesOf(slow)).length > 0, 20_000)).toBe(true)
  const sha = shop.repository.git('rev-parse', 'HEAD')
  await push(daemon, { url: shop.remote, branch: 'main', sha })
  expect(await servesCommit(daemon, shop, sha)).toBe(true)
  expect(await statesOf(slow)).toEqual(['building'])
  expect((await visit(daemon, shop.host('main'))).status).toBe(200)
})
