import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createImageBuilder } from '../../daemon/build/image/image-builder.ts'
import { defaultImages } from '../../daemon/build/recognize/images/image-settings.ts'
import { createEngine } from '../../daemon/engine/engine.ts'
import { openOwnership } from '../../daemon/engine/ownership.ts'
import { eventually } from '../support/apps/eventually.ts'
import {
  missingEngine,
  startTestEngine,
  type TestEngine,
} from '../support/daemon/docker/test-engine.ts'
import { call, visit } from '../support/stratad/call.ts'
import { cleanUp, type Daemon, startDaemon } from '../support/stratad/daemon.ts'
import { createProject, deploy, type Project, type Row } from '../support/stratad/project.ts'

const skip = missingEngine()

/** An app that runs the program of a request's body, and answers with its value. It ignores SIGTERM. */
const hostileApp: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify({ name: 'hostile', scripts: { start: 'node server.js' } }),
  'server.js': `
const http = require('node:http')
const AsyncFunction = (async () => {}).constructor
http.createServer(async (request, response) => {
  const code = decodeURIComponent(new URL(request.url, 'http://app').searchParams.get('run') ?? 'return null')
  const value = await new AsyncFunction('require', code)(require).catch((error) => ({ error: error.code ?? error.message }))
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ value }))
}).listen(process.env.PORT, '0.0.0.0')
process.on('SIGTERM', () => {})
`,
}

/** Returns a program that connects and results in `open` or the error code. */
const connect = (options: object) => `
return new Promise((resolve) => {
  const socket = require('node:net').connect(${JSON.stringify(options)})
  socket.setTimeout(1500, () => { socket.destroy(); resolve('ETIMEDOUT') })
  socket.on('connect', () => { socket.destroy(); resolve('open') }).on('error', (error) => resolve(error.code))
})`

describe.skipIf(skip !== undefined)('walls of the docker runtime', () => {
  let engine: TestEngine
  let daemon: Daemon
  let hostile: Project
  let victim: Row

  beforeAll(async () => {
    engine = await startTestEngine()
    daemon = await startDaemon({ env: engine.env })
    hostile = await createProject(daemon, 'hostile', hostileApp)
    const other = await createProject(daemon, 'victim', hostileApp)
    const { status, body } = await deploy(daemon, other)
    if (status !== 201) throw new Error(JSON.stringify(body))
    victim = body
    const own = await deploy(daemon, hostile)
    if (own.status !== 201) throw new Error(JSON.stringify(own.body))
  }, 120_000)
  afterAll(async () => {
    await daemon?.stop('SIGKILL')
    await engine?.remove()
    if (daemon) cleanUp(daemon.dataDir)
  }, 60_000)

  async function attack(code: string): Promise<unknown> {
    const path = `/?run=${encodeURIComponent(encodeURIComponent(code))}`
    const { status, body, text } = await visit(daemon, hostile.host(), path)
    expect(status, text).toBe(200)
    return body.value
  }

  test('an app finds no socket of the engine, of the daemon or of the gateway', async () => {
    const places = ['/var/run/docker.sock', '/run/docker.sock', '/run/containerd/containerd.sock']
    for (const path of [...places, join(daemon.dataDir, 'gateway/gateway.sock')]) {
      expect(await attack(connect({ path }))).toBe('ENOENT')
    }
    expect(
      await attack(`return require('node:fs').readFileSync('/proc/net/unix', 'utf8')`),
    ).not.toMatch(/docker|containerd|gateway/)
  })

  test('an app reaches neither another project, the API nor published ports', async () => {
    const [inspected] = JSON.parse(engine.docker('inspect', victim.container_name))
    const networks: Row[] = Object.values(inspected.NetworkSettings.Networks)
    const port = Number(Object.keys(inspected.Config.ExposedPorts)[0]?.split('/')[0])
    const [{ IPAddress: address }] = networks
    const reached = 'open'
    expect(await attack(connect({ host: address, port }))).not.toBe(reached)
    expect(await attack(connect({ host: victim.container_name, port }))).not.toBe(reached)
    const gateway = await attack(`
      const route = require('node:fs').readFileSync('/proc/net/route', 'utf8').split('\\n')[1].split('\\t')[2]
      return route.match(/../g).reverse().map((hex) => parseInt(hex, 16)).join('.')`)
    expect(gateway).toMatch(/^10\./)
    for (const target of [daemon.port, daemon.gatewayPort, victim.host_port]) {
      expect(await attack(connect({ host: gateway, port: target }))).not.toBe(reached)
      expect(await attack(connect({ host: '127.0.0.1', port: target }))).not.toBe(reached)
    }
    // The same attack succeeds inside the victim's own network, so a refusal above is not by chance.
    expect(
      await attack(
        connect({ host: '127.0.0.1', port: Number(await attack('return process.env.PORT')) }),
      ),
    ).toBe(reached)
  })

  test('an app sees only its own files and processes, without capabilities', async () => {
    expect(
      await attack(`
        const fs = require('node:fs')
        const status = fs.readFileSync('/proc/self/status', 'utf8')
        const pids = fs.readdirSync('/proc').filter((name) => /^\\d+$/.test(name))
        return {
          uid: process.getuid(),
          capabilities: [...status.matchAll(/^Cap\\w+:\\s*(\\w+)$/gm)].map(([, set]) => Number('0x' + set)),
          noNewPrivileges: /^NoNewPrivs:\\s*1$/m.test(status),
          programs: pids.map((pid) => fs.readFileSync('/proc/' + pid + '/cmdline', 'utf8')).some((line) => /stratad|dockerd/.test(line)),
          host: fs.existsSync(${JSON.stringify('/tmp')} + '/strata-base-images'),
          data: fs.readdirSync('/data'),
        }`),
    ).toEqual({
      ...{ uid: 1000, capabilities: [0, 0, 0, 0, 0], noNewPrivileges: true },
      ...{ programs: false, host: false, data: [] },
    })
  })

  test('an app that ignores SIGTERM is paused nevertheless', async () => {
    const [row] = (await call(daemon, 'GET', `/projects/${hostile.id}/environments`)).body
    expect((await call(daemon, 'POST', `/environments/${row.id}/pause`)).status).toBe(204)
    expect(engine.docker('inspect', '-f', '{{.State.Running}}', row.container_name)).toBe('false')
    expect(await attack('return 1')).toBe(1)
  })

  test.each([
    [
      'an app that listens on IPv6 alone fails, and its reason says on which address it must listen',
      'alone',
      "require('node:http').createServer((q, r) => r.end()).listen({ port: process.env.PORT, host: '::', ipv6Only: true })",
      /IPv6 alone: make it listen on 0\.0\.0\.0/,
    ],
  ])('%s', async (_, name, code, reason) => {
    const project = await createProject(daemon, name, {
      ...{
        'server.js': code,
        Dockerfile: 'FROM node:20-local\nCOPY server.js .\nCMD ["node", "server.js"]\n',
      },
      'strata.json': JSON.stringify({ deploy: { health_timeout: '5s' } }),
    })
    const { status, body } = await deploy(daemon, project)
    expect([status, body.error]).toEqual([422, expect.stringMatching(reason)])
  })

  test('an image without a shell runs', async () => {
    const project = await createProject(daemon, 'shellless', {
      ...hostileApp,
      Dockerfile:
        'FROM node:20-local\nCOPY server.js .\nRUN rm -f /bin/bash /bin/dash /bin/sh /usr/bin/bash /usr/bin/dash /usr/bin/sh\nCMD ["node", "server.js"]\n',
    })
    const { status, body } = await deploy(daemon, project)
    expect(status, JSON.stringify(body)).toBe(201)
    expect((await visit(daemon, project.host())).status).toBe(200)
  })

  test('a build that never ends is stopped at its time limit, in the engine too', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'strata-endless-'))
    const mark = `endless-${process.pid}`
    writeFileSync(join(folder, 'Dockerfile'), `FROM node:20-local\nRUN echo ${mark} && sleep 987\n`)
    const builder = createImageBuilder({
      ...{ engine: createEngine(engine.address), images: defaultImages },
      ...{ ownership: openOwnership(join(folder, 'key'), folder), limits: { timeoutMs: 4_000 } },
      releasesFolder: folder,
    })
    const plan = await builder.plan(folder)
    const build = builder.build(folder, plan, {
      ...{ projectId: 1, env: {}, output: () => {}, signal: new AbortController().signal },
    })
    await expect(build).rejects.toThrow(/took longer than 4 s and was stopped/)
    expect(await eventually(() => !isRunning('sleep\x00987'), 20_000)).toBe(true)
    rmSync(folder, { recursive: true, force: true })
  })
})

/** Returns true if a process of this host, in a container or not, has these words in its command line. */
function isRunning(words: string): boolean {
  return readdirSync('/proc').some((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(words)
    } catch {
      return false
    }
  })
}
