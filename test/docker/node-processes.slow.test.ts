import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../support/apps/eventually.ts'
import {
  missingEngine,
  startTestEngine,
  type TestEngine,
} from '../support/daemon/docker/test-engine.ts'
import { startTestNode, type TestNode } from '../support/daemon/docker/test-node.ts'
import { call } from '../support/stratad/call.ts'
import { cleanUp, type Daemon, masterToken, startDaemon } from '../support/stratad/daemon.ts'
import { createProject, deploy, type Project, type Row, rowOf } from '../support/stratad/project.ts'

const skip = missingEngine()

/** The worker writes a line for each start. The schedule runs until a file tells it to end. */
const app: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify({ name: 'busy', scripts: { start: 'node server.js' } }),
  'server.js': `
require('node:http').createServer((request, response) => response.end('up')).listen(process.env.PORT, '0.0.0.0')
process.on('SIGTERM', () => process.exit(0))
`,
  'worker.js': `
const fs = require('node:fs')
fs.appendFileSync(process.env.STRATA_DATA + '/starts', 'x')
console.log('worker', fs.readFileSync(process.env.STRATA_DATA + '/starts', 'utf8').length)
process.on('SIGTERM', () => process.exit(0))
setInterval(() => {}, 1000)
`,
  'tick.js': `
const fs = require('node:fs')
console.log('tick in', process.env.STRATA_DATA)
const timer = setInterval(() => { if (fs.existsSync(process.env.STRATA_DATA + '/end-tick')) { clearInterval(timer); process.exitCode = 5 } }, 50)
`,
  'strata.json': JSON.stringify({
    deploy: {
      processes: { worker: 'node worker.js' },
      cron: [{ name: 'tick', schedule: '* * * * *', command: 'node tick.js' }],
    },
  }),
}

describe.skipIf(skip !== undefined)('an environment of a node', () => {
  let engine: TestEngine
  let one: TestNode
  let two: TestNode
  let daemon: Daemon
  let project: Project

  beforeAll(async () => {
    ;[engine, one, two] = await Promise.all([startTestEngine(), startTestNode(), startTestNode()])
    daemon = await startDaemon({ env: { ...engine.env, SERVICE_GC_INTERVAL: '3s' } })
    project = await createProject(daemon, 'busy', app)
    await call(daemon, 'POST', '/nodes', { name: 'one', ...one.body })
    await change('local', { state: 'draining' })
    const { status, body } = await deploy(daemon, project)
    expect(status, JSON.stringify(body)).toBe(201)
  }, 180_000)
  afterAll(async () => {
    await daemon?.stop('SIGKILL')
    await Promise.all([engine?.remove(), one?.remove(), two?.remove()])
    if (daemon) cleanUp(daemon.dataDir)
  }, 180_000)

  const nodeOf = async (name: string): Promise<Row> =>
    (await call(daemon, 'GET', '/nodes')).body.find((node: Row) => node.name === name)
  const change = async (name: string, body: object) =>
    call(daemon, 'PATCH', `/nodes/${(await nodeOf(name)).id}`, body)
  const becomes = (name: string, state: string) =>
    eventually(async () => (await nodeOf(name)).state === state, 40_000)
  const names = (node: TestNode) => node.docker('ps', '--format', '{{.Names}}').split('\n')
  const logOf = async (name: string): Promise<string> => {
    const { id } = await rowOf(daemon, project)
    return (await call(daemon, 'GET', `/environments/${id}/logs?process=${name}`)).body.logs
  }
  const runs = async (): Promise<Row[]> => {
    const { id } = await rowOf(daemon, project)
    const { body } = await call(daemon, 'GET', `/environments/${id}/cron`)
    return body.find((each: Row) => each.name === 'tick').runs
  }

  /** Runs a command like the client, and returns its output and its end. */
  async function run(command: readonly string[], signal?: AbortSignal): Promise<Row[]> {
    const { id } = await rowOf(daemon, project)
    const answer = await fetch(`${daemon.url}/environments/${id}/run`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${masterToken}`,
        'content-type': 'application/vnd.strata.command',
      },
      body: `${JSON.stringify({ command })}\n`,
      ...(signal && { signal }),
    })
    const lines = (await answer.text()).split('\n').filter(Boolean)
    return lines.map((line) => JSON.parse(line))
  }
  const text = (lines: readonly Row[]) =>
    lines
      .filter(({ stream }) => stream === 'stdout')
      .map(({ data }) => Buffer.from(data, 'base64').toString())
      .join('')

  test('its worker, its schedule and its commands run on the node, with its data', async () => {
    expect(await eventually(async () => (await logOf('worker')).includes('worker 1'), 30_000)).toBe(
      true,
    )
    const lines = await run(['cat', '/data/starts'])
    expect(text(lines), JSON.stringify(lines)).toContain('x')
    expect(engine.docker('ps', '-aq')).toBe('')
    const isRunning = async () => (await runs())[0]?.outcome === 'running'
    expect(await eventually(isRunning, 90_000)).toBe(true)
    const hasTick = () => names(one).some((name) => name.includes('cron_tick'))
    expect(await eventually(hasTick, 30_000)).toBe(true)
  })

  test('a short outage ends neither the schedule of a sleeping app nor a worker', async () => {
    const { id, container_name: web } = await rowOf(daemon, project)
    expect((await call(daemon, 'POST', `/environments/${id}/pause`)).status).toBe(204)
    expect(names(one)).not.toContain(web)
    one.link('down')
    expect(await becomes('one', 'down')).toBe(true)
    one.link('up')
    expect(await becomes('one', 'active')).toBe(true)
    expect((await runs()).at(-1)).toMatchObject({ outcome: 'running' })
    await run(['touch', '/data/end-tick'])
    const hasFailed = async () => (await runs()).some(({ exit_code: code }) => code === 5)
    expect(await eventually(hasFailed, 40_000), JSON.stringify(await runs())).toBe(true)
    expect(await logOf('tick')).toContain('tick in /data')
    expect((await call(daemon, 'POST', `/environments/${id}/wake`)).status).toBe(204)
    expect(await eventually(async () => (await logOf('worker')).includes('worker 2'), 30_000)).toBe(
      true,
    )
  })

  test('a command that a killed daemon left on the node ends with the next daemon', async () => {
    const left = run(['node', '-e', 'setInterval(() => {}, 1000)']).catch(() => [])
    const hasCommand = () => names(one).some((name) => name.includes('-run-'))
    expect(await eventually(hasCommand, 30_000)).toBe(true)
    await daemon.stop('SIGKILL')
    await left
    daemon = await daemon.restart()
    expect(await eventually(() => !hasCommand(), 40_000)).toBe(true)
    expect(names(one).some((name) => name.endsWith('-worker'))).toBe(true)
  })

  test('an evacuation moves the worker with the data, and leaves none behind', async () => {
    await call(daemon, 'POST', '/nodes', { name: 'two', ...two.body })
    const { status, body } = await change('one', { evacuate: true })
    expect([status, body.stuck]).toEqual([200, []])
    const starts = async () => text(await run(['cat', '/data/starts']))
    expect(await eventually(async () => (await starts()).length === 3, 30_000)).toBe(true)
    const isEmpty = () => one.docker('ps', '-aq') + one.docker('volume', 'ls', '-q') === ''
    expect(await eventually(isEmpty, 30_000), one.docker('ps', '-a')).toBe(true)
    expect(names(two).filter((name) => name.endsWith('-worker'))).toHaveLength(1)
  })
})
