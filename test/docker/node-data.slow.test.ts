import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Parser } from 'tar'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../support/apps/eventually.ts'
import {
  missingEngine,
  startTestEngine,
  type TestEngine,
} from '../support/daemon/docker/test-engine.ts'
import { startTestNode, type TestNode } from '../support/daemon/docker/test-node.ts'
import { call, restore, visit } from '../support/stratad/call.ts'
import { cleanUp, type Daemon, startDaemon } from '../support/stratad/daemon.ts'
import { deploy, type Project, type Row, rowOf } from '../support/stratad/project.ts'
import { createSqliteProject } from '../support/stratad/sqlite-app.ts'

const skip = missingEngine()

describe.skipIf(skip !== undefined)('data that a node keeps', () => {
  let engine: TestEngine
  let node: TestNode
  let daemon: Daemon
  let project: Project
  let backup: Buffer

  beforeAll(async () => {
    ;[engine, node] = await Promise.all([startTestEngine(), startTestNode()])
    const settings = { SERVICE_GC_INTERVAL: '3s', SERVICE_ALLOW_RESTORE: '1' }
    daemon = await startDaemon({ env: { ...engine.env, ...settings } })
    project = await createSqliteProject(daemon)
    const store = { kind: 'sqlite', data: 'copy' }
    project.repository.commit({ 'strata.json': JSON.stringify({ deploy: { store } }) })
    const { status, text } = await call(daemon, 'POST', '/nodes', { name: 'far', ...node.body })
    expect(status, text).toBe(201)
    const { body } = await call(daemon, 'GET', '/nodes')
    const local = body.find(({ name }: Row) => name === 'local')
    await call(daemon, 'PATCH', `/nodes/${local.id}`, { state: 'draining' })
    const deployed = await deploy(daemon, project)
    expect(deployed.status, JSON.stringify(deployed.body)).toBe(201)
  }, 180_000)
  afterAll(async () => {
    await daemon?.stop('SIGKILL')
    await Promise.all([engine?.remove(), node?.remove()])
    if (daemon) cleanUp(daemon.dataDir)
  }, 180_000)

  const get = async (path: string, branch?: string): Promise<Row> =>
    (await visit(daemon, project.host(branch), path)).body
  const rows = async (branch?: string): Promise<number> => (await get('/', branch)).rows
  const isFrozen = (container: string) =>
    node.docker('inspect', '-f', '{{.State.Paused}}', container) === 'true'

  test('a backup under load contains the database, and the app runs on', async () => {
    await get('/write')
    expect(await eventually(async () => (await rows()) > 200, 30_000)).toBe(true)
    const { status, bytes } = await call(daemon, 'GET', '/backup?data=true')
    expect(status).toBe(200)
    backup = bytes
    const manifest = JSON.parse(String((await entriesOf(bytes)).get('manifest.json')))
    expect(manifest.data.skipped).toEqual([])
    const kept = manifest.data.volumes.filter(({ volume }: Row) => volume.endsWith('-node'))
    expect(kept).toMatchObject([{ volume: expect.stringMatching(/^main-\w+-node$/), databases: 1 }])
    const before = await rows()
    expect(await eventually(async () => (await rows()) > before, 30_000)).toBe(true)
    expect(isFrozen((await rowOf(daemon, project)).container_name)).toBe(false)
  })

  test('a preview on the node begins with a copy that it can write, which a redeploy keeps', async () => {
    project.repository.git('checkout', '-q', '-B', 'preview')
    const { status, body } = await deploy(daemon, project, 'preview')
    expect(status, JSON.stringify(body)).toBe(201)
    const copied = await get('/check', 'preview')
    expect(copied).toMatchObject({ integrity: 'ok' })
    expect(copied.rows).toBeGreaterThan(200)
    expect(await logOf(body.id)).toContain('copied 1 SQLite database of main')
    await get('/write', 'preview')
    const grows = async () => (await rows('preview')) > copied.rows
    expect(await eventually(grows, 30_000)).toBe(true)
    const kept = (await get('/stop', 'preview')).rows
    project.repository.commit({ 'note.txt': 'again' })
    const again = await deploy(daemon, project, 'preview')
    expect(again.status).toBe(201)
    expect(await rows('preview')).toBe(kept)
    expect(await logOf(again.body.id)).not.toContain('SQLite database')
  })

  test('containers that a killed daemon left frozen run on', async () => {
    const { container_name: container } = await rowOf(daemon, project)
    node.docker('pause', container)
    await daemon.stop('SIGKILL')
    daemon = await daemon.restart()
    expect(await eventually(() => !isFrozen(container), 40_000)).toBe(true)
  })

  test('a restore brings the rows back to the node, and keeps what it replaced', async () => {
    await get('/stop')
    const newest = await rows()
    expect((await restore(daemon, backup)).status).toBe(202)
    await daemon.stop()
    daemon = await daemon.restart()
    const isBack = async () => {
      const answer = await get('/check').catch(() => undefined)
      return answer !== undefined && answer.rows < newest
    }
    expect(await eventually(isBack, 60_000), daemon.output().slice(-3_000)).toBe(true)
    const restored = await get('/check')
    expect(restored).toMatchObject({ integrity: 'ok' })
    expect(restored.rows).toBeGreaterThan(200)
    await get('/write')
    expect(await eventually(async () => (await rows()) > restored.rows, 30_000)).toBe(true)
    const kept = join(daemon.dataDir, 'replaced-node-data')
    const [first = ''] = readdirSync(kept)
    expect(existsSync(join(kept, first, 'data/app.db'))).toBe(true)
    const volumes = join(daemon.dataDir, 'volumes', String(project.id))
    const isCarried = () => readdirSync(volumes).every((name) => !name.endsWith('-node'))
    expect(await eventually(isCarried, 30_000)).toBe(true)
  })

  test('the quota counts the data of nodes', async () => {
    await get('/write')
    expect(await eventually(async () => (await rows()) > 2_500, 60_000)).toBe(true)
    await get('/stop')
    await daemon.stop()
    daemon = await daemon.restart({ SERVICE_DATA_QUOTA_MB: '1' })
    const quota = /the data of the project takes \d+ MiB, and SERVICE_DATA_QUOTA_MB allows 1/
    const isPaused = async () => quota.test((await rowOf(daemon, project)).reason ?? '')
    expect(await eventually(isPaused, 60_000)).toBe(true)
    expect(await rowOf(daemon, project)).toMatchObject({ state: 'paused' })
  })

  async function logOf(id: number): Promise<string> {
    return (await call(daemon, 'GET', `/environments/${id}/logs`)).body.logs
  }
})

/** Returns the small files of a tar by name. */
async function entriesOf(tar: Buffer): Promise<Map<string, Buffer>> {
  const entries = new Map<string, Buffer>()
  await new Promise<void>((resolve, reject) => {
    const parser = new Parser({ strict: true })
    parser.on('entry', (entry) => {
      const chunks: Buffer[] = []
      entry.on('data', (chunk: Buffer) => chunks.push(chunk))
      entry.on('end', () => entries.set(entry.path, Buffer.concat(chunks)))
    })
    parser.on('end', resolve).on('error', reject)
    parser.end(tar)
  })
  return entries
}
