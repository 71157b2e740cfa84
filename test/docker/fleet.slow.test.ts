import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../support/apps/eventually.ts'
import {
  missingEngine,
  startTestEngine,
  type TestEngine,
} from '../support/daemon/docker/test-engine.ts'
import { startTestNode, type TestNode } from '../support/daemon/docker/test-node.ts'
import { call, visit } from '../support/stratad/call.ts'
import { cleanUp, type Daemon, startDaemon } from '../support/stratad/daemon.ts'
import { createProject, deploy, type Project, type Row, rowOf } from '../support/stratad/project.ts'

const skip = missingEngine()

/** An app that keeps a note in its data, and answers with it. */
const app: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify({ name: 'noted', scripts: { start: 'node server.js' } }),
  'server.js': `
const http = require('node:http')
const fs = require('node:fs')
const { PORT, STRATA_COMMIT, STRATA_DATA } = process.env
const file = STRATA_DATA + '/notes/note'
http.createServer((request, response) => {
  const note = new URL(request.url, 'http://app').searchParams.get('note')
  if (note) { fs.mkdirSync(STRATA_DATA + '/notes', { recursive: true }); fs.writeFileSync(file, note, { mode: 0o600 }) }
  const kept = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : null
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ commit: STRATA_COMMIT, kept, uid: process.getuid() }))
}).listen(PORT, '0.0.0.0')
process.on('SIGTERM', () => process.exit(0))
`,
}

describe.skipIf(skip !== undefined)('a daemon with the engines of a fleet', () => {
  let engine: TestEngine
  let one: TestNode
  let two: TestNode
  let daemon: Daemon
  let project: Project

  beforeAll(async () => {
    ;[engine, one, two] = await Promise.all([startTestEngine(), startTestNode(), startTestNode()])
    daemon = await startDaemon({ env: { ...engine.env, SERVICE_GC_INTERVAL: '3s' } })
    project = await createProject(daemon, 'shop', app)
  }, 120_000)
  afterAll(async () => {
    await daemon?.stop('SIGKILL')
    await Promise.all([engine?.remove(), one?.remove(), two?.remove()])
    if (daemon) cleanUp(daemon.dataDir)
  }, 60_000)

  const nodes = async (): Promise<Row[]> => (await call(daemon, 'GET', '/nodes')).body
  const nodeOf = async (name: string): Promise<Row> =>
    (await nodes()).find((node) => node.name === name)
  const add = (name: string, body: object) => call(daemon, 'POST', '/nodes', { name, ...body })
  const change = async (name: string, body: object) =>
    call(daemon, 'PATCH', `/nodes/${(await nodeOf(name)).id}`, body)
  const becomes = (name: string, state: string) =>
    eventually(async () => (await nodeOf(name)).state === state, 40_000)
  const get = (path = '/', branch?: string) => visit(daemon, project.host(branch), path)
  const serves = (check: (body: Row) => boolean, branch?: string) =>
    eventually(async () => {
      const answer = await get('/', branch).catch(() => undefined)
      return answer?.status === 200 && check(answer.body)
    }, 60_000)

  test('a node is probed before it is registered, and no key is shown', async () => {
    const other = two.body
    const faults: [object, RegExp][] = [
      [{ endpoint: one.endpoint }, /has no TLS.*SERVICE_ALLOW_INSECURE_NODES=1/],
      [{ ...one.body, tls_ca: other.tls_ca }, /do not accept each other's certificates.*tls_ca/],
      [{ ...one.body, tls_key: other.tls_key }, /tls_key does not belong to tls_cert/],
      [{ ...one.body, tls_cert: 'nonsense' }, /tls_cert is not a valid PEM file/],
      [{ ...one.body, endpoint: `tcp://${one.address}:2377` }, /no engine listens at/],
      [{ ...one.body, endpoint: `tcp://127.0.0.1:${daemon.port}` }, /certificates|Docker API|TLS/],
      [{ endpoint: 'unix:///nowhere.sock' }, /no socket at unix:\/\/\/nowhere\.sock/],
    ]
    for (const [body, reason] of faults) {
      const answer = await add('one', body)
      expect([answer.status, answer.text]).toEqual([400, expect.stringMatching(reason)])
      expect(answer.text).not.toMatch(/PRIVATE|BEGIN/)
    }
    expect((await nodes()).map(({ name }) => name)).toEqual(['local'])
    const added = await add('one', one.body)
    expect(added.status, added.text).toBe(201)
    expect(added.body).toMatchObject({ state: 'active', has_tls: true, endpoint: one.endpoint })
    expect((await add('twin', one.body)).text).toMatch(/is node one already/)
    const corrected = await add('one', { ...one.body, reserved_memory_mb: 64 })
    expect(corrected.body).toMatchObject({ id: added.body.id, reserved_memory_mb: 64 })
    expect((await add('two', two.body)).status).toBe(201)
    const stored = readFileSync(join(daemon.dataDir, 'strata.db'), 'latin1')
    expect(stored).not.toContain('PRIVATE KEY')
    expect(daemon.output()).not.toContain('PRIVATE KEY')
  })

  test('an app of a node is built there and published on its address only', async () => {
    await change('local', { state: 'draining' })
    await change('two', { state: 'draining' })
    const { status, body } = await deploy(daemon, project)
    expect(status, JSON.stringify(body)).toBe(201)
    expect(body.node_id).toBe((await nodeOf('one')).id)
    const [inspected] = JSON.parse(one.docker('inspect', body.container_name))
    expect(Object.values(inspected.NetworkSettings.Ports).flat()).toEqual([
      { HostIp: one.address, HostPort: String(body.host_port) },
    ])
    expect((await get('/?note=first')).body).toMatchObject({ kept: 'first', uid: 1000 })
    expect(engine.docker('ps', '-aq')).toBe('')
  })

  test('an evacuation moves the app with its data and its image', async () => {
    await change('two', { state: 'active' })
    const before = await rowOf(daemon, project)
    const { status, body } = await change('one', { evacuate: true })
    expect([status, body.moved, body.stuck]).toEqual([200, [before.id], []])
    expect((await get()).body).toMatchObject({ kept: 'first', commit: before.branch.commit_sha })
    expect((await rowOf(daemon, project)).node_id).toBe((await nodeOf('two')).id)
    expect(await eventually(() => one.docker('volume', 'ls', '-q') === '', 30_000)).toBe(true)
    expect(one.docker('ps', '-aq')).toBe('')
    await change('local', { state: 'active' })
    const home = await change('two', { evacuate: true })
    expect([home.status, home.body.stuck]).toEqual([200, []])
    expect((await get()).body).toMatchObject({ kept: 'first' })
    expect(await eventually(() => two.docker('volume', 'ls', '-q') === '', 30_000)).toBe(true)
    await change('one', { state: 'active' })
    await change('two', { state: 'active' })
    await change('local', { state: 'active' })
  })

  test.each([
    ['hangs', () => two.signal('SIGSTOP'), () => two.signal('SIGCONT')],
    ['loses all packets', () => two.packets('drop'), () => two.packets('pass')],
    ['has a cut link', () => two.link('down'), () => two.link('up')],
  ])('a node that %s is down, and other nodes take deploys', async (_, cut, mend) => {
    await change('local', { state: 'draining' })
    await change('one', { state: 'draining' })
    project.repository.git('checkout', '-q', '-B', 'held', 'main')
    const held = await deploy(daemon, project, 'held')
    expect(held.status, JSON.stringify(held.body)).toBe(201)
    await get('/?note=held', 'held')
    await change('one', { state: 'active' })
    cut()
    try {
      project.repository.git('checkout', '-q', 'main')
      project.repository.commit({ 'note.txt': `while it ${_}` })
      const other = await deploy(daemon, project)
      expect(other.status, JSON.stringify(other.body)).toBe(201)
      expect(await becomes('two', 'down')).toBe(true)
      expect((await nodeOf('two')).reason).toMatch(/does not respond/)
      const row = (await call(daemon, 'GET', `/environments/${held.body.id}`)).body
      expect(row).toMatchObject({ state: 'running', host_port: held.body.host_port, reason: null })
    } finally {
      mend()
    }
    expect(await becomes('two', 'active')).toBe(true)
    expect(await serves(({ kept }) => kept === 'held', 'held')).toBe(true)
    await change('local', { state: 'active' })
  })

  test('a branch without data leaves a node that is down, and ends there when the node is back', async () => {
    await change('local', { state: 'draining' })
    await change('one', { state: 'draining' })
    project.repository.git('checkout', '-q', '-B', 'plain', 'main')
    const plain = (await deploy(daemon, project, 'plain')).body
    expect(plain.node_id).toBe((await nodeOf('two')).id)
    await change('one', { state: 'active' })
    // A sweep of the daemon sees that the branch has no data.
    await pause(7_000)
    two.link('down')
    try {
      expect(await becomes('two', 'down')).toBe(true)
      const { status, body } = await deploy(daemon, project, 'plain')
      expect(status, JSON.stringify(body)).toBe(201)
      expect(body.node_id).toBe((await nodeOf('one')).id)
    } finally {
      two.link('up')
    }
    const names = () => two.docker('ps', '-a', '--format', '{{.Names}}').split('\n')
    expect(await eventually(() => !names().includes(plain.container_name), 40_000)).toBe(true)
    await change('local', { state: 'active' })
  })

  test('what a returning node runs of a destroyed environment ends, and its data is in the trash', async () => {
    const rows = (await call(daemon, 'GET', '/environments')).body
    const held = rows.find((row: Row) => row.branch.name === 'held' && row.state === 'running')
    two.link('down')
    try {
      expect(await becomes('two', 'down')).toBe(true)
      const { status } = await call(daemon, 'DELETE', `/environments/${held.id}`)
      expect(status).toBeLessThan(500)
      expect(two.docker('inspect', '-f', '{{.State.Running}}', held.container_name)).toBe('true')
    } finally {
      two.link('up')
    }
    expect(await eventually(() => two.docker('ps', '-aq') === '', 40_000)).toBe(true)
    expect((await get('/', 'held')).status).toBe(404)
    const volumes = () => two.docker('volume', 'ls', '-q')
    expect(await eventually(() => !volumes().includes('-held-'), 40_000), volumes()).toBe(true)
    const { body: trash } = await call(daemon, 'GET', '/trash')
    expect(trash).toMatchObject([{ branch: 'held' }])
  })

  test('a daemon that starts while a node is away adopts what the node runs later', async () => {
    await change('local', { state: 'draining' })
    await change('one', { state: 'draining' })
    project.repository.git('checkout', '-q', '-B', 'late', 'main')
    const late = await deploy(daemon, project, 'late')
    expect(late.status, JSON.stringify(late.body)).toBe(201)
    two.link('down')
    await daemon.stop('SIGKILL')
    daemon = await daemon.restart()
    const row = (await call(daemon, 'GET', `/environments/${late.body.id}`)).body
    expect(row).toMatchObject({ state: 'running', host_port: late.body.host_port })
    two.link('up')
    expect(await becomes('two', 'active')).toBe(true)
    expect(await serves(() => true, 'late')).toBe(true)
  })
})
