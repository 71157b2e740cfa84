import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../support/apps/eventually.ts'
import {
  baseImages,
  missingEngine,
  startTestEngine,
  type TestEngine,
} from '../support/daemon/docker/test-engine.ts'
import { call, visit } from '../support/stratad/call.ts'
import { cleanUp, type Daemon, startDaemon } from '../support/stratad/daemon.ts'
import { createProject, type Project, type Row, rowOf } from '../support/stratad/project.ts'

const skip = missingEngine()

/** The build takes some seconds after it has written a line. */
const app: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify({ name: 'slow' }),
  'server.js': `
require('node:http').createServer((request, response) => response.end(process.env.STRATA_COMMIT))
  .listen(process.env.PORT, '0.0.0.0')
process.on('SIGTERM', () => process.exit(0))
`,
  Dockerfile: `FROM ${baseImages.node}
WORKDIR /app
COPY . .
RUN node -e "console.log('the build ' + 'has begun'); setTimeout(() => {}, 6000)"
CMD ["node", "server.js"]
`,
}

describe.skipIf(skip !== undefined)('a build whose engine ends', () => {
  let engine: TestEngine
  let daemon: Daemon
  let project: Project

  beforeAll(async () => {
    engine = await startTestEngine()
    daemon = await startDaemon({ env: { ...engine.env, SERVICE_GC_INTERVAL: '3s' } })
    project = await createProject(daemon, 'slow', app)
  }, 120_000)
  afterAll(async () => {
    await daemon?.stop('SIGKILL')
    await engine?.remove()
    if (daemon) cleanUp(daemon.dataDir)
  }, 180_000)

  test.each([
    ['is killed', () => engine.kill()],
    [
      'is stopped',
      async () => {
        engine.signal('SIGTERM')
        await engine.ended()
      },
    ],
  ])('is repeated by itself if the engine %s', async (how, end) => {
    const commit = project.repository.commit({ 'note.txt': how })
    const path = `/projects/${project.id}/deploy`
    const headers = { prefer: 'respond-async' }
    const queued = await call(daemon, 'POST', path, { branch: 'main' }, { headers })
    expect(queued.status).toBe(202)
    expect(await eventually(hasBegun, 60_000)).toBe(true)
    await end()
    const isWaiting = async () => {
      const [entry] = (await call(daemon, 'GET', '/queue')).body
      return entry?.state === 'waiting' && entry.attempts >= 1
    }
    expect(await eventually(isWaiting, 30_000), await rowsText()).toBe(true)
    await engine.start()
    const serves = async () =>
      (await visit(daemon, project.host(), '/').catch(() => undefined))?.text === commit
    expect(await eventually(serves, 90_000), await rowsText()).toBe(true)
    expect(await rowOf(daemon, project)).toMatchObject({ state: 'running', reason: null })
  })

  const rowsText = async () =>
    JSON.stringify((await call(daemon, 'GET', `/projects/${project.id}/environments`)).body)

  async function hasBegun(): Promise<boolean> {
    const { body } = await call(daemon, 'GET', `/projects/${project.id}/environments`)
    const building = body.find((row: Row) => row.state === 'building')
    if (!building) return false
    const { logs } = (await call(daemon, 'GET', `/environments/${building.id}/logs`)).body
    return logs.includes('the build has begun')
  }
})
