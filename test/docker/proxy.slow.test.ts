import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  baseImages,
  missingEngine,
  startTestEngine,
  type TestEngine,
} from '../support/daemon/docker/test-engine.ts'
import { freePort } from '../support/free-port.ts'
import { call, visit } from '../support/stratad/call.ts'
import { cleanUp, type Daemon, startDaemon } from '../support/stratad/daemon.ts'
import { createProject, deploy, type Project, type Row } from '../support/stratad/project.ts'

const skip = missingEngine()
const standIn = fileURLToPath(
  new URL('../support/daemon/docker/traefik-stand-in.js', import.meta.url),
)

const app: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify({ name: 'plain', scripts: { start: 'node server.js' } }),
  'server.js': `
require('node:http').createServer((request, response) => response.end(process.env.STRATA_BRANCH))
  .listen(process.env.PORT, '0.0.0.0')
process.on('SIGTERM', () => process.exit(0))
`,
}

describe.skipIf(skip !== undefined)('a Traefik that the daemon starts', () => {
  let engine: TestEngine
  let daemon: Daemon
  let project: Project
  let port: number

  beforeAll(async () => {
    ;[engine, port] = await Promise.all([startTestEngine(), freePort()])
    const settings = { SERVICE_PROXY_PORT: String(port), SERVICE_PROXY_WAIT: '20s' }
    daemon = await startDaemon({ env: { ...engine.env, ...settings } })
    project = await createProject(daemon, 'shop', app)
  }, 120_000)
  afterAll(async () => {
    await daemon?.stop('SIGKILL')
    await engine?.remove()
    if (daemon) cleanUp(daemon.dataDir)
  }, 180_000)

  const bootstrap = async (): Promise<Row> => (await call(daemon, 'POST', '/infra/bootstrap')).body
  const proxyCheck = ({ checks }: Row) => checks.find((each: Row) => each.name === 'proxy')
  const container = () => engine.docker('ps', '-aq', '--filter', 'name=traefik')
  /** Sends a request through the proxy instead of the gateway. */
  const get = (branch: string) =>
    visit({ ...daemon, gatewayPort: port }, project.host(branch), '/').then(({ status, text }) => [
      status,
      text,
    ])

  test('the bootstrap says which image it needs', async () => {
    const { next_steps: steps } = await bootstrap()
    expect(steps.join('\n')).toContain('load an image traefik:<version> into the engine')
    expect(container()).toBe('')
  })

  test('the bootstrap starts it once, and shows its token nowhere', async () => {
    const id = engine.docker('create', baseImages.node)
    engine.docker('cp', standIn, `${id}:/stand-in.js`)
    engine.docker('commit', '-c', 'CMD ["node", "/stand-in.js"]', id, 'traefik:v3-local')
    engine.docker('rm', id)
    const status = await bootstrap()
    expect(proxyCheck(status)).toMatchObject({
      ok: true,
      detail: expect.stringMatching(/^Traefik runs as strata-\w+-traefik .*; 1 proxy polls/),
    })
    const first = container()
    expect(first).not.toBe('')
    const [inspected] = JSON.parse(engine.docker('inspect', first))
    expect(inspected.HostConfig).toMatchObject({ NetworkMode: 'host', CapDrop: ['ALL'] })
    const config = engine.docker('exec', first, 'cat', '/etc/traefik/traefik.yml')
    const token = /Bearer (\w{64})/.exec(config)?.[1] ?? ''
    expect(token).not.toBe('')
    expect(JSON.stringify(inspected)).not.toContain(token)
    expect(daemon.output()).not.toContain(token)
    const { body: tokens } = await call(daemon, 'GET', '/tokens')
    expect(tokens).toMatchObject([{ name: 'strata-traefik', role: 'viewer' }])
    await bootstrap()
    expect(container()).toBe(first)
  })

  test('a deploy ends when the proxy knows the new host name', async () => {
    for (const branch of ['main', 'one', 'two']) {
      project.repository.git('checkout', '-q', '-B', branch)
      const { status, body } = await deploy(daemon, project, branch)
      expect(status, JSON.stringify(body)).toBe(201)
      expect(await get(branch)).toEqual([200, branch])
    }
  })

  test('a redeploy does not need the proxy, and a new branch warns that it does not poll', async () => {
    engine.docker('pause', container())
    try {
      project.repository.commit({ 'note.txt': 'again' })
      const again = await deploy(daemon, project, 'two')
      expect(again.status).toBe(201)
      expect(await logOf(again.body.id)).not.toContain('warning:')
      project.repository.git('checkout', '-q', '-B', 'three')
      const { status, body } = await deploy(daemon, project, 'three')
      expect(status).toBe(201)
      expect(await logOf(body.id)).toMatch(/warning: no proxy has read the route of three--shop/)
    } finally {
      engine.docker('unpause', container())
    }
  })

  test('the status says that it has ended, and the bootstrap starts it again', async () => {
    engine.docker('stop', '-t', '1', container())
    const ended = (await call(daemon, 'GET', '/infra/status')).body
    expect(proxyCheck(ended)).toMatchObject({
      ok: false,
      detail: expect.stringMatching(/is exited, exit code \d+/),
    })
    expect(ended.next_steps.join('\n')).toContain('docker logs strata-')
    expect(proxyCheck(await bootstrap())).toMatchObject({ ok: true })
    expect(await get('main')).toEqual([200, 'main'])
    const { body: tokens } = await call(daemon, 'GET', '/tokens')
    expect(tokens.filter((token: Row) => token.revoked_at === null)).toHaveLength(1)
  })

  async function logOf(id: number): Promise<string> {
    return (await call(daemon, 'GET', `/environments/${id}/logs`)).body.logs
  }
})
