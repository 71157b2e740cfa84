import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventually } from '../support/apps/eventually.ts'
import { call } from '../support/stratad/call.ts'
import { cleanUp, type Daemon, startDaemon } from '../support/stratad/daemon.ts'
import { plainApp } from '../support/stratad/plain-app.ts'
import {
  createProject,
  createPushedProject,
  deploy,
  rowOf,
  rowsOf,
  servesCommit,
} from '../support/stratad/project.ts'

let daemon: Daemon
beforeEach(async () => {
  daemon = await startDaemon({ env: { SERVICE_POLL_INTERVAL: '1s' } })
})
afterEach(async () => {
  await daemon.stop('SIGKILL')
  cleanUp(daemon.dataDir)
})

test('a push without its webhook is deployed by a poll, and a project without webhooks stays as it is', async () => {
  const manual = await createProject(daemon, 'manual')
  expect((await deploy(daemon, manual)).status).toBe(201)
  const shop = await createPushedProject(daemon, 'shop')
  const first = shop.repository.commit(plainApp)
  shop.push()
  expect(await servesCommit(daemon, shop, first)).toBe(true)

  rmSync(join(daemon.dataDir, 'repositories/shop.git/hooks/post-receive'))
  manual.repository.commit({ 'note.txt': 'not pushed' })
  for (const text of ['second', 'third']) {
    const commit = shop.repository.commit({ 'note.txt': text })
    shop.push()
    expect(await servesCommit(daemon, shop, commit)).toBe(true)
  }
  const polled = async () => (await rowOf(daemon, shop)).state === 'running'
  expect(await eventually(polled, 10_000)).toBe(true)
  const { body: audit } = await call(daemon, 'GET', `/audit?project_id=${shop.id}`)
  expect(audit[0]).toMatchObject({ kind: 'build_succeeded', operator: 'poll' })
  expect(await rowsOf(daemon, manual)).toHaveLength(1)
})
