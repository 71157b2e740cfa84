import { afterAll, beforeAll, expect, test } from 'vitest'
import { call, restore, visit } from '../support/stratad/call.ts'
import { cleanUp, type Daemon, startDaemon } from '../support/stratad/daemon.ts'
import { plainApp } from '../support/stratad/plain-app.ts'
import { createProject, deploy, rowOf } from '../support/stratad/project.ts'

/** Answers with the files of its data folder, and adds one for each start. */
const keeper = {
  ...plainApp,
  'server.js': `
const { readdirSync, writeFileSync } = require('node:fs')
const { PORT, STRATA_DATA, STRATA_URL } = process.env
writeFileSync(STRATA_DATA + '/' + STRATA_URL.replace(/[^a-z]+/g, '-'), '')
console.log('data of ' + STRATA_URL)
require('node:http')
  .createServer((request, response) => response.end(JSON.stringify(readdirSync(STRATA_DATA))))
  .listen(PORT, process.env.HOST ?? '127.0.0.1')
`,
}

let daemon: Daemon
beforeAll(async () => {
  daemon = await startDaemon({ env: { SERVICE_ALLOW_RESTORE: '1' } })
})
afterAll(async () => {
  await daemon.stop()
  cleanUp(daemon.dataDir)
})

test('after a restore a new project gets no volume and no log lines of a forgotten project', async () => {
  await createProject(daemon, 'known', keeper)
  const backup = (await call(daemon, 'GET', '/backup')).bytes
  const forgotten = await createProject(daemon, 'forgotten', keeper)
  expect((await deploy(daemon, forgotten)).status).toBe(201)
  expect((await visit(daemon, forgotten.host())).body).toHaveLength(1)
  const before = await rowOf(daemon, forgotten)
  expect((await restore(daemon, backup)).status).toBe(202)
  await daemon.stop()
  daemon = await daemon.restart()

  const later = await createProject(daemon, 'later', keeper)
  expect(later.id).toBeGreaterThan(forgotten.id)
  expect((await deploy(daemon, later)).status).toBe(201)
  const { id } = await rowOf(daemon, later)
  expect(id).toBeGreaterThan(before.id)
  expect((await visit(daemon, later.host())).body).toHaveLength(1)
  const { body } = await call(daemon, 'GET', `/environments/${id}/logs`)
  expect(body.logs).not.toContain('forgotten')
})
