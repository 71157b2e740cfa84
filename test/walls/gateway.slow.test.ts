import { readFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../support/apps/eventually.ts'
import { visit } from '../support/stratad/call.ts'
import { type Host, noWalls, startHost } from '../support/walls/host.ts'
import { hostileApp } from '../support/walls/hostile-app.ts'
import { networkProblem } from '../support/walls/network.ts'
import { deployHostile, deployVictim, type Hostile, type Victim } from '../support/walls/tenants.ts'

const noPorts =
  noWalls ?? (networkProblem === '' ? undefined : `the wall of ports ${networkProblem}`)

describe.skipIf(noPorts)(`a hostile app${noPorts ? ` (skipped: ${noPorts})` : ''}`, () => {
  let host: Host
  let victim: Victim
  let hostile: Hostile

  beforeAll(async () => {
    host = await startHost()
    victim = await deployVictim(host)
    hostile = await deployHostile(host)
  })
  afterAll(() => host.remove())

  test('reaches its neighbor through the gateway', async () => {
    const { gatewayPort } = host.daemon
    const answer = await hostile.attack(
      ({ fetchText }, input) =>
        fetchText(`http://127.0.0.1:${input.port}/`, { headers: { host: input.host } }),
      { port: gatewayPort, host: victim.host() },
    )
    expect(JSON.parse(answer.text)).toMatchObject({ name: 'victim', pid: victim.pid })
  })

  test("can't connect to the port of its neighbor on any local address", async () => {
    const own = Object.values(networkInterfaces()).flat()
    const addresses = own.flatMap((one) =>
      one === undefined || (one.scopeid ?? 0) > 0 ? [] : [one.address],
    )
    const more = ['127.0.0.1', '127.0.0.2', '::1', '::ffff:127.0.0.1', '0.0.0.0', '::', 'localhost']
    const { port } = victim
    const results = await hostile.attack(
      async ({ dial }, input) => {
        const found: [string, string][] = []
        for (const name of input.addresses) {
          found.push([name, await dial({ port: input.port, host: name }, 'GET / HTTP/1.0\r\n\r\n')])
        }
        return found
      },
      { addresses: [...addresses, ...more], port },
    )
    expect(results.length).toBeGreaterThan(7)
    expect(results.filter(([, result]) => result.startsWith('connected'))).toEqual([])
  })

  test("can't connect to the port of its neighbor during its build", async () => {
    const project = await host.createProject('building', {
      ...hostileApp,
      'strata.json': JSON.stringify({ deploy: { build: ['node', 'build.js'] } }),
      'build.js': `require('./tools.js').dial({ port: ${victim.port}, host: '127.0.0.1' }).then((result) => console.log('result: ' + result))`,
    })
    const { status, body } = await project.deploy()
    expect(status).toBe(201)
    const { text } = await host.call('GET', `/environments/${body.id}/logs?lines=100`)
    expect(text).toContain('result: ')
    expect(text).not.toContain('result: connected')
  })

  test("can't connect to a unix socket of the daemon, by path or abstract name", async () => {
    const names = readFileSync('/proc/net/unix', 'utf8')
      .split('\n')
      .slice(1)
      .map((line) => line.split(/\s+/)[7] ?? '')
    const own = names.filter((name) => name.includes(host.daemon.dataDir))
    expect(own.length).toBeGreaterThan(0)
    const paths = [...new Set([...own, join(host.daemon.dataDir, 'gateway/gateway.sock')])]
    const message = `${JSON.stringify({ type: 'route', id: 1, route: { hostname: victim.host(), environmentId: 99, projectId: 99, port: 1, wakeBudgetMs: 1 } })}\n`
    const results = await hostile.attack(
      async ({ dial }, input) => {
        const found: string[] = []
        for (const path of input.paths) found.push(await dial({ path }, input.message))
        return found
      },
      { paths, message },
    )
    expect(results.filter((result) => result.startsWith('connected'))).toEqual([])
    expect((await visit(host.daemon, victim.host())).body.pid).toBe(victim.pid)
  })

  test('gets 401 from the API and 404 from /setup/token, whatever it claims to be', async () => {
    const answers = await hostile.attack(async ({ fetchText }, url) => {
      const found: (readonly [string, number])[] = []
      const headers = [
        {},
        { host: 'localhost' },
        { 'x-forwarded-for': '127.0.0.1', forwarded: 'for=127.0.0.1', 'x-real-ip': '::1' },
        { authorization: 'Bearer ' },
        { authorization: 'Bearer null' },
        { authorization: 'Basic bWFzdGVyOm1hc3Rlcg==' },
      ]
      const paths = [
        '/projects',
        '/secrets',
        '/tokens',
        '/audit',
        '/proxy/config',
        '/backup',
        '/stats',
        '/environments',
        '/setup/webhook-secret',
        '/setup/token',
      ]
      for (const path of paths) {
        for (const one of headers) {
          found.push([path, (await fetchText(`${url}${path}`, { headers: one })).status])
        }
      }
      return found
    }, host.daemon.url)
    const expected = (path: string) => (path === '/setup/token' ? 404 : 401)
    expect(answers.filter(([path, status]) => status !== expected(path))).toEqual([])
  })

  test.each<[string, Readonly<Record<string, string>>]>([
    ['X-Forwarded-Host', { 'x-forwarded-host': 'HOST' }],
    ['X-Host', { 'x-host': 'HOST' }],
    ['Forwarded', { forwarded: 'host=HOST' }],
    ['X-Original-URL', { 'x-original-url': 'http://HOST/' }],
    ['X-Rewrite-URL', { 'x-rewrite-url': 'http://HOST/' }],
  ])("is not sent its neighbor's visitors by the header %s", async (_, headers) => {
    const given = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value.replace('HOST', hostile.host())]),
    )
    const answer = await hostile.attack(
      ({ fetchText }, input) =>
        fetchText(`http://127.0.0.1:${input.port}/`, {
          headers: { ...input.given, host: input.host },
        }),
      { port: host.daemon.gatewayPort, host: victim.host(), given },
    )
    expect(JSON.parse(answer.text)).toMatchObject({ name: 'victim' })
  })

  test.each([
    ['two Host headers', 'GET / HTTP/1.1\r\nHost: VICTIM\r\nHost: HOSTILE\r\n\r\n'],
    ['a Host header with a user', 'GET / HTTP/1.1\r\nHost: VICTIM@HOSTILE\r\n\r\n'],
    ['a Host header with a tab', 'GET / HTTP/1.1\r\nHost: VICTIM\tHOSTILE\r\n\r\n'],
    ['a Host header with a comma', 'GET / HTTP/1.1\r\nHost: VICTIM,HOSTILE\r\n\r\n'],
    ['a Host header with a NUL', 'GET / HTTP/1.1\r\nHost: VICTIM\0HOSTILE\r\n\r\n'],
    ['a folded Host header', 'GET / HTTP/1.1\r\nHost: VICTIM\r\n HOSTILE\r\n\r\n'],
    ['a bare line feed', 'GET / HTTP/1.1\nHost: VICTIM\nHost: HOSTILE\r\n\r\n'],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nHost: VICTIM\r\nContent-Length: 4\r\nContent-Length: 40\r\n\r\nabcdGET / HTTP/1.1\r\nHost: HOSTILE\r\n\r\n',
    ],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nHost: VICTIM\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\nHost: HOSTILE\r\n\r\n',
    ],
  ])('gets no request of its neighbor by %s', async (_, raw) => {
    const text = raw.replaceAll('VICTIM', victim.host()).replaceAll('HOSTILE', hostile.host())
    const answer = await hostile.attack(
      ({ dial }, input) => dial({ port: input.port, host: '127.0.0.1' }, input.text),
      { port: host.daemon.gatewayPort, text },
    )
    expect(answer).toMatch(/^connected HTTP\/1\.1 400 /)
    expect(answer).not.toContain('hostile')
  })

  test("can't deploy to the host name of its neighbor", async () => {
    const twin = await host.createProject('team/VICTIM', hostileApp)
    const answer = await twin.deploy()
    expect(answer.status).toBe(409)
    expect(answer.body.error).toContain('main--victim')
    expect((await visit(host.daemon, victim.host())).body.name).toBe('victim')
  })

  test("can't serve a neighbor that sleeps, by taking its last port", async () => {
    const { environmentId, port } = victim
    await host.call('POST', `/environments/${environmentId}/pause`)
    const isTaken = await takePort(hostile, port)
    const answer = await visit(host.daemon, victim.host())
    expect(answer.body).toMatchObject({ name: 'victim' })
    if (isTaken) expect(answer.body.port).not.toBe(port)
  })

  test("can't serve a neighbor that crashes, by taking its port at once", async () => {
    const { pid, port } = (await visit(host.daemon, victim.host())).body
    await startThief(hostile, port)
    process.kill(pid, 'SIGKILL')
    const answers: string[] = []
    const isBack = async () => {
      const { text } = await visit(host.daemon, victim.host())
      answers.push(text)
      return text.includes('"victim"') && !text.includes(`"pid":${pid},`)
    }
    expect(await eventually(isBack, 30_000, 1)).toBe(true)
    expect(answers.filter((text) => text.includes('stolen'))).toEqual([])
  })

  test.each(['API', 'gateway'])("can't listen on a fixed port of the %s", async (name) => {
    const port = name === 'API' ? host.daemon.port : host.daemon.gatewayPort
    const project = await host.createProject(`fixed-${name.toLowerCase()}`, {
      ...hostileApp,
      'strata.json': JSON.stringify({ deploy: { port, health_timeout: '3s' } }),
    })
    expect((await project.deploy()).status).toBe(422)
    expect((await host.call('GET', '/health')).status).toBe(200)
  })

  test('with a fixed port is still reachable through the gateway alone', async () => {
    const project = await host.createProject('fixed', {
      ...hostileApp,
      'strata.json': JSON.stringify({ deploy: { port: 31_999, health_timeout: '5s' } }),
    })
    const { status } = await project.deploy()
    if (status === 422) return
    expect(status).toBe(201)
    const result = await hostile.attack(
      ({ dial }) => dial({ port: 31_999, host: '127.0.0.1' }, 'GET / HTTP/1.0\r\n\r\n'),
      null,
    )
    expect(result).not.toMatch(/^connected/)
  })

  test("can't keep the daemon from starting again by taking its port", async () => {
    const { port } = host.daemon
    await startThief(hostile, port)
    await host.daemon.stop('SIGTERM')
    const restarted = await host.daemon.restart()
    const isOwn = async () => {
      const answer = await fetch(`${restarted.url}/health`).catch(() => undefined)
      return (await answer?.text())?.includes('"status":"ok"') ?? false
    }
    expect(await eventually(isOwn, 20_000), restarted.output()).toBe(true)
    expect(restarted.process.exitCode).toBe(null)
  })
})

/** Makes the hostile app listen on a port. Resolves with false if that is impossible. */
function takePort(hostile: Hostile, port: number): Promise<boolean> {
  return hostile.attack(
    ({ require }, wanted) =>
      new Promise<boolean>((resolve) => {
        const http = require('node:http') as typeof import('node:http')
        const server = http.createServer((_, response) => response.end('stolen'))
        server.on('error', () => resolve(false))
        server.listen(wanted, '127.0.0.1', () => resolve(true))
      }),
    port,
  )
}

/** Starts a process in the hostile app that tries to listen on a port without a pause. */
async function startThief(hostile: Hostile, port: number): Promise<void> {
  await hostile.attack(({ require, process }, wanted) => {
    const { spawn } = require('node:child_process') as typeof import('node:child_process')
    const code = `const http = require('node:http')
const server = http.createServer((request, response) => response.end('stolen'))
const listen = () => server.listen(${wanted}, '127.0.0.1')
server.on('error', () => setImmediate(listen))
listen()`
    spawn(process.execPath, ['-e', code], { stdio: 'ignore' })
  }, port)
}
