import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../support/apps/eventually.ts'
import {
  missingEngine,
  startTestEngine,
  type TestEngine,
} from '../support/daemon/docker/test-engine.ts'
import { call, visit } from '../support/stratad/call.ts'
import { cleanUp, type Daemon, runUntilExit, startDaemon } from '../support/stratad/daemon.ts'
import { startLoad } from '../support/stratad/load.ts'
import { createProject, deploy, type Project, rowOf } from '../support/stratad/project.ts'

const skip = missingEngine()

/** An app that listens on all addresses, answers with its commit, and ends in several ways. */
const app: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify({ name: 'plain', scripts: { start: 'node server.js' } }),
  'server.js': `
const http = require('node:http')
const fs = require('node:fs')
const { PORT, STRATA_COMMIT, STRATA_DATA } = process.env
const server = http.createServer((request, response) => {
  if (request.url === '/crash') { console.error('Error: asked to crash'); process.exit(3) }
  if (request.url === '/eat') { const all = []; setInterval(() => all.push(Buffer.alloc(16 << 20, 1)), 5) }
  if (request.url === '/write') fs.writeFileSync(STRATA_DATA + '/kept', 'kept')
  if (request.url === '/tick') console.log('tick')
  response.setHeader('content-type', 'application/json')
  const kept = fs.existsSync(STRATA_DATA + '/kept')
  response.end(JSON.stringify({ commit: STRATA_COMMIT, kept, uid: process.getuid(), linked: fs.existsSync('data/kept') }))
})
server.listen(PORT, '0.0.0.0', () => console.log('listening'))
process.on('SIGTERM', () => { server.close(() => process.exit(0)); server.closeIdleConnections() })
`,
}

describe.skipIf(skip !== undefined)('a daemon with the docker runtime', () => {
  let engine: TestEngine
  let daemon: Daemon
  let project: Project

  beforeAll(async () => {
    engine = await startTestEngine()
    daemon = await startDaemon({ env: engine.env })
    project = await createProject(daemon, 'shop', app)
  })
  afterAll(async () => {
    await daemon?.stop('SIGKILL')
    await engine?.remove()
    if (daemon) cleanUp(daemon.dataDir)
  })

  const row = () => rowOf(daemon, project)
  const serves = (check: (body: Record<string, unknown>) => boolean) =>
    eventually(async () => {
      const { status, body } = await visit(daemon, project.host()).catch(() => ({
        status: 0,
        body: {},
      }))
      return status === 200 && check(body)
    }, 60_000)

  test('a deploy builds an image, and the gateway serves its container', async () => {
    const { status, body } = await deploy(daemon, project)
    expect(status, JSON.stringify(body)).toBe(201)
    expect(body.container_name).toMatch(/^strata-[0-9a-f]{8}-\d+$/)
    const { body: answer } = await visit(daemon, project.host())
    expect(answer).toMatchObject({ commit: body.branch.commit_sha, uid: 1000 })
    const [inspected] = JSON.parse(engine.docker('inspect', body.container_name))
    expect(inspected.HostConfig).toMatchObject({
      CapDrop: ['ALL'],
      SecurityOpt: ['no-new-privileges:true'],
      Memory: 256 * 2 ** 20,
      PidsLimit: 512,
      RestartPolicy: { Name: 'no' },
    })
    const bindings = Object.values(inspected.NetworkSettings.Ports).flat()
    expect(bindings).toEqual([{ HostIp: '127.0.0.1', HostPort: String(body.host_port) }])
    expect(Object.keys(inspected.NetworkSettings.Networks)).toEqual([
      expect.stringMatching(/^strata-[0-9a-f]{8}-p1$/),
    ])
    const { body: logs } = await call(daemon, 'GET', `/environments/${body.id}/logs`)
    expect(logs.logs).toContain('listening')
    const { body: infra } = await call(daemon, 'GET', '/infra/status')
    expect(infra.checks).toContainEqual(expect.objectContaining({ name: 'engine', ok: true }))
  })

  test('a redeploy fails no request, and a rollback needs no build', async () => {
    const first = (await row()).branch.commit_sha
    await visit(daemon, project.host(), '/write')
    const load = startLoad(daemon, project.host())
    project.repository.commit({ 'note.txt': 'second' })
    const { status, body } = await deploy(daemon, project)
    expect(status, JSON.stringify(body)).toBe(201)
    expect(await serves(({ commit }) => commit === body.branch.commit_sha)).toBe(true)
    const back = await call(daemon, 'POST', `/projects/${project.id}/rollback`, { branch: 'main' })
    expect(back.status).toBe(201)
    expect(await serves(({ commit }) => commit === first)).toBe(true)
    const { failures, served } = await load.stop()
    expect(failures).toEqual([])
    expect(served).toBeGreaterThan(20)
    expect((await visit(daemon, project.host())).body).toMatchObject({ kept: true, linked: true })
  })

  test('a paused environment has a stopped container, and a request wakes it', async () => {
    const { id, container_name: name } = await row()
    expect((await call(daemon, 'POST', `/environments/${id}/pause`)).status).toBe(204)
    expect(engine.docker('inspect', '-f', '{{.State.Running}}', name)).toBe('false')
    expect(await row()).toMatchObject({ state: 'paused', host_port: null })
    expect((await visit(daemon, project.host())).status).toBe(200)
    expect(await row()).toMatchObject({ state: 'running', container_name: name })
  })

  test('a crash and an exceeded memory limit restart the app, with the reason', async () => {
    await visit(daemon, project.host(), '/crash').catch(() => {})
    expect(
      await eventually(async () => /exited with code 3/.test((await row()).reason ?? ''), 30_000),
    ).toBe(true)
    expect(await serves(() => true)).toBe(true)
    await visit(daemon, project.host(), '/eat').catch(() => {})
    expect(
      await eventually(
        async () => /ran out of memory: limit 256 MB/.test((await row()).reason ?? ''),
        60_000,
      ),
    ).toBe(true)
    expect(await serves(() => true)).toBe(true)
  })

  test('after kill -9 of the daemon, the next one adopts the container and loses no line', async () => {
    const { id, host_port: port } = await row()
    const ticks = async () => {
      const { body } = await call(daemon, 'GET', `/environments/${id}/logs?lines=1000`)
      return body.logs.split('\n').filter((line: string) => line === 'tick').length
    }
    const before = await ticks()
    await visit(daemon, project.host(), '/tick')
    await daemon.stop('SIGKILL')
    for (let n = 0; n < 5; n += 1) {
      expect((await visit(daemon, project.host(), '/tick')).status).toBe(200)
    }
    daemon = await daemon.restart()
    expect(await row()).toMatchObject({ id, state: 'running', host_port: port })
    expect(await eventually(async () => (await ticks()) >= before + 6, 30_000)).toBe(true)
    expect(await ticks()).toBe(before + 6)
  })

  test('after kill -9 of the engine, its return brings the app back', async () => {
    await engine.kill()
    const { body } = await call(daemon, 'GET', '/infra/status')
    expect(body.checks).toContainEqual(expect.objectContaining({ name: 'engine', ok: false }))
    await engine.start()
    expect(await serves(({ kept }) => kept === true)).toBe(true)
  })

  test('a container with forged labels is neither adopted nor stopped', async () => {
    const { container_name: name } = await row()
    const [inspected] = JSON.parse(engine.docker('inspect', name))
    const labels = Object.entries(inspected.Config.Labels as Record<string, string>)
    const flags = labels.flatMap(([key, value]) => ['--label', `${key}=${value}`])
    const forged = engine.docker('run', '-d', ...flags, 'node:20-local', 'sleep', '600')
    daemon = await daemon.stop('SIGKILL').then(() => daemon.restart())
    expect(await serves(() => true)).toBe(true)
    expect(engine.docker('inspect', '-f', '{{.State.Running}}', forged)).toBe('true')
    expect((await row()).container_name).toBe(name)
    engine.docker('rm', '-f', forged)
  })

  test('a failing build leaves the old version, with the reason', async () => {
    const { commit } = (await visit(daemon, project.host())).body
    project.repository.commit({
      Dockerfile: 'FROM node:20-local\nRUN echo no database >&2 && exit 4\n',
    })
    const { status, body } = await deploy(daemon, project)
    expect(status).toBe(422)
    expect(body.error).toMatch(/exit code 4 in the image build: no database/)
    expect((await visit(daemon, project.host())).body.commit).toBe(commit)
    project.repository.commit({ Dockerfile: 'FROM registry.invalid/nothing:1\n' })
    const missing = await deploy(daemon, project)
    expect(missing.body.error).toMatch(
      /the base image registry\.invalid\/nothing:1 can't be pulled/,
    )
  })

  test('a deleted project leaves no container, image or network', async () => {
    expect((await call(daemon, 'DELETE', `/projects/${project.id}`)).status).toBe(204)
    expect(engine.docker('ps', '-aq')).toBe('')
    expect(engine.docker('images', '--format', '{{.Repository}}')).toBe('node')
    expect(
      engine.docker('network', 'ls', '--format', '{{.Name}}', '--filter', 'name=strata-'),
    ).toBe('')
  })

  test.each([
    [
      'no engine',
      { DOCKER_HOST: 'unix:///nowhere.sock' },
      /no socket at unix:\/\/\/nowhere\.sock.*DOCKER_HOST/,
    ],
    ['an ssh address', { DOCKER_HOST: 'ssh://host' }, /DOCKER_HOST must not begin with ssh/],
    ['an address without TLS', { DOCKER_HOST: 'tcp://127.0.0.1:2375' }, /has no TLS/],
    [
      'missing certificates',
      { DOCKER_HOST: 'tcp://127.0.0.1:2376', DOCKER_CERT_PATH: '/nowhere' },
      /can't read \/nowhere\/ca\.pem \(ENOENT\): set DOCKER_CERT_PATH/,
    ],
  ])('a daemon does not start with %s, and names the setting', async (_, env, message) => {
    const { code, output } = await runUntilExit({ env: { SERVICE_RUNTIME: 'docker', ...env } })
    expect(code).toBe(1)
    expect(output).toMatch(message)
  })
})
