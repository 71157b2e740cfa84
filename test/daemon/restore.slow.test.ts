import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventually } from '../support/apps/eventually.ts'
import { createTar, editBackup } from '../support/stratad/backup-files.ts'
import { call, restore, visit } from '../support/stratad/call.ts'
import { cleanUp, type Daemon, startDaemon } from '../support/stratad/daemon.ts'
import { expectConsistent } from '../support/stratad/expect-consistent.ts'
import { createProject, deploy, type Project, rowOf } from '../support/stratad/project.ts'

const greeting = 'a greeting of the tests'

let daemon: Daemon
let project: Project

beforeEach(async () => {
  daemon = await startDaemon({ env: { SERVICE_ALLOW_RESTORE: '1' } })
  project = await createProject(daemon)
  await call(daemon, 'POST', '/secrets', { name: 'GREETING', value: greeting })
  expect((await deploy(daemon, project)).status).toBe(201)
})
afterEach(async () => {
  await daemon.stop('SIGKILL')
  cleanUp(daemon.dataDir)
})

test('a restore brings back the secrets and the key of the backup', async () => {
  const tar = await backup()
  await call(daemon, 'POST', '/rotate-key')
  await call(daemon, 'POST', '/secrets', { name: 'GREETING', value: 'another' })
  await call(daemon, 'POST', '/secrets', { name: 'LATER', value: 'value' })
  expect(await restore(daemon, tar)).toMatchObject({ status: 202, body: { status: 'staged' } })
  expect((await call(daemon, 'GET', '/secrets')).body.secrets).toHaveLength(2)
  expect(await daemon.stop()).toBe(0)
  daemon = await daemon.restart()
  expect((await call(daemon, 'GET', '/secrets')).body.secrets).toHaveLength(1)
  expect((await deploy(daemon, project)).status).toBe(201)
  expect((await visit(daemon, project.host())).body.greeting).toBe(greeting)
  expect((await call(daemon, 'GET', '/audit?kind=restore_applied')).body).toHaveLength(1)
  expect(readdirSync(daemon.dataDir).some((name) => name.startsWith('replaced-'))).toBe(true)
  await expectConsistent(daemon, project)
})

const escaped = '/tmp/stratad-escaped'

/** Hostile uploads. The last two have correct hashes in their manifest. */
const bad: readonly [string, (tar: Buffer) => Buffer | Promise<Buffer>][] = [
  ['nothing', () => Buffer.alloc(0)],
  ['junk', () => Buffer.from('this is not a tar'.repeat(1_000))],
  ['a truncated tar', (tar) => tar.subarray(0, Math.floor(tar.length / 2))],
  ['a compressed tar', (tar) => gzipSync(tar)],
  ['a path traversal', () => createTar('../../escaped', 'x')],
  ['a path traversal below a folder', () => createTar('restore/../../escaped', 'x')],
  ['an absolute path', () => createTar(escaped, 'x')],
  [
    'a backup with another key',
    (tar) => editBackup(tar, (folder) => writeFileSync(join(folder, 'master.key'), 'd'.repeat(64))),
  ],
  [
    'junk as database',
    (tar) => editBackup(tar, (folder) => writeFileSync(join(folder, 'database.sqlite'), 'junk')),
  ],
]

test('an invalid backup is refused and changes nothing, now and at the next start', async () => {
  const tar = await backup()
  for (const [name, spoil] of bad) {
    const { status, body } = await restore(daemon, await spoil(tar))
    expect({ name, isRefused: [400, 422].includes(status) }).toEqual({ name, isRefused: true })
    expect(body).toEqual({ error: expect.any(String) })
    expect(readdirSync(join(daemon.dataDir, 'restore'))).toEqual([])
  }
  const outside = [escaped, join(daemon.dataDir, 'escaped'), join(daemon.dataDir, '../escaped')]
  expect(outside.filter((path) => existsSync(path))).toEqual([])
  expect(await daemon.stop()).toBe(0)
  daemon = await daemon.restart()
  expect((await call(daemon, 'GET', '/audit?kind=restore_applied')).body).toEqual([])
  expect((await visit(daemon, project.host())).body.greeting).toBe(greeting)
  await expectConsistent(daemon, project)
})

test('a backup damaged after its upload is rejected at the next start', async () => {
  expect((await restore(daemon, await backup())).status).toBe(202)
  writeFileSync(join(daemon.dataDir, 'restore/staged/database.sqlite'), 'junk')
  await daemon.stop('SIGKILL')
  daemon = await daemon.restart()
  expect((await call(daemon, 'GET', '/audit?kind=restore_rejected')).body).toHaveLength(1)
  expect((await visit(daemon, project.host())).body.greeting).toBe(greeting)
  await expectConsistent(daemon, project)
})

test('a restored environment that was destroyed after the backup asks for a deploy, and runs after it', async () => {
  const tar = await backup()
  const { id } = await rowOf(daemon, project)
  expect((await call(daemon, 'DELETE', `/environments/${id}`)).status).toBe(204)
  expect((await restore(daemon, tar)).status).toBe(202)
  await daemon.stop()
  daemon = await daemon.restart()
  const hasReason = async () =>
    /deploy its branch again/.test((await rowOf(daemon, project)).reason)
  expect(await eventually(hasReason, 20_000)).toBe(true)
  expect(await rowOf(daemon, project)).toMatchObject({ id, state: 'running' })
  expect((await deploy(daemon, project)).status).toBe(201)
  expect((await visit(daemon, project.host())).body.greeting).toBe(greeting)
  await expectConsistent(daemon, project)
})

async function backup(): Promise<Buffer> {
  const { status, bytes } = await call(daemon, 'GET', '/backup')
  expect(status).toBe(200)
  return bytes
}
