import { existsSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../support/apps/eventually.ts'
import { call, restore, visit } from '../support/stratad/call.ts'
import { cleanUp, type Daemon, startDaemon } from '../support/stratad/daemon.ts'
import { deploy, type Project } from '../support/stratad/project.ts'
import { createSqliteProject } from '../support/stratad/sqlite-app.ts'

let old: Daemon
let project: Project
let tar: Buffer
let rowsBefore: number
let rowsAfter: number

const options = { env: { SERVICE_ALLOW_RESTORE: '1' } }
const answer = async (daemon: Daemon, path: string) =>
  (await visit(daemon, project.host(), path)).body

beforeAll(async () => {
  old = await startDaemon(options)
  project = await createSqliteProject(old)
  expect((await deploy(old, project)).status).toBe(201)
  await answer(old, '/write')
  expect(await eventually(async () => (await answer(old, '/')).rows > 2_000, 30_000)).toBe(true)
  rowsBefore = (await answer(old, '/')).rows
  const { status, bytes } = await call(old, 'GET', '/backup?data=true')
  rowsAfter = (await answer(old, '/stop')).rows
  expect(status).toBe(200)
  tar = bytes
}, 120_000)
afterAll(async () => {
  await old.stop('SIGKILL')
  cleanUp(old.dataDir)
})

test('a backup under a writer brings the rows back on a new data folder', async () => {
  let daemon = await startDaemon(options)
  try {
    expect((await restore(daemon, tar)).status).toBe(202)
    expect(await daemon.stop()).toBe(0)
    daemon = await daemon.restart()
    expect((await deploy(daemon, project)).status).toBe(201)
    const { rows, integrity } = await answer(daemon, '/check')
    expect(integrity).toBe('ok')
    expect(rows % 2).toBe(0)
    expect(rows).toBeGreaterThanOrEqual(rowsBefore)
    expect(rows).toBeLessThanOrEqual(rowsAfter)
    // The app can write: its user owns the restored files.
    await answer(daemon, '/write')
    expect(await eventually(async () => (await answer(daemon, '/')).rows > rows, 10_000)).toBe(true)
    await answer(daemon, '/stop')
  } finally {
    await daemon.stop('SIGKILL')
    cleanUp(daemon.dataDir)
  }
}, 120_000)

test('a restore over a running app ends it first, keeps the old rows, and serves the restored rows', async () => {
  await answer(old, '/write')
  expect(
    await eventually(async () => (await answer(old, '/')).rows > rowsAfter + 100, 20_000),
  ).toBe(true)
  expect((await restore(old, tar)).status).toBe(202)
  await old.stop('SIGKILL')
  old = await old.restart()
  const served = () => answer(old, '/check').catch(() => undefined)
  expect(await eventually(async () => (await served())?.integrity === 'ok', 30_000)).toBe(true)
  const { rows } = await answer(old, '/')
  expect(rows).toBeGreaterThanOrEqual(rowsBefore)
  expect(rows).toBeLessThanOrEqual(rowsAfter)
  const replaced = readdirSync(old.dataDir).find((name) => name.startsWith('replaced-')) ?? ''
  expect(existsSync(join(old.dataDir, replaced, 'volumes', String(project.id)))).toBe(true)
}, 120_000)

test('a scheduled backup has data, and a failing one shows in /infra/status', async () => {
  const daemon = await startDaemon({ env: { SERVICE_BACKUP_INTERVAL: '1s' } })
  try {
    const check = async () =>
      (await call(daemon, 'GET', '/infra/status')).body.checks.find(
        ({ name }: { name: string }) => name === 'backups',
      )
    expect(
      await eventually(async () => /newest scheduled.*T/.test((await check()).detail), 20_000),
    ).toBe(true)
    const [file = ''] = readdirSync(join(daemon.dataDir, 'backups')).filter((name) =>
      /tar$/.test(name),
    )
    expect(file).not.toBe('')
    // A file in place of the folder makes every later backup fail.
    renameSync(join(daemon.dataDir, 'backups'), join(daemon.dataDir, 'backups-before'))
    writeFileSync(join(daemon.dataDir, 'backups'), '')
    expect(await eventually(async () => (await check()).ok === false, 20_000)).toBe(true)
    expect((await check()).detail).toContain('the last try failed')
    expect(daemon.output()).toContain('a scheduled backup failed')
  } finally {
    await daemon.stop('SIGKILL')
    cleanUp(daemon.dataDir)
  }
}, 60_000)
