import { randomBytes } from 'node:crypto'
import { cpSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../support/apps/eventually.ts'
import { call, visit } from '../support/stratad/call.ts'
import { cleanUp, type Daemon, startDaemon } from '../support/stratad/daemon.ts'
import { expectConsistent } from '../support/stratad/expect-consistent.ts'
import { startLoad } from '../support/stratad/load.ts'
import { createPushedProject, deploy, rowOf } from '../support/stratad/project.ts'

/** Files made by `npm` and the app, which git ignores. */
const untracked = ['node_modules', 'dist', 'data', 'generated', '.env']

interface Example {
  readonly name: string
  readonly secrets: Readonly<Record<string, string>>
  /** Writes a record and returns a function that reads it. */
  write(visit: Visit): Promise<() => Promise<unknown>>
}
type Visit = (path: string, options?: Parameters<typeof visit>[3]) => ReturnType<typeof visit>

const ada = { name: 'Ada', email: 'ada@example.com' }

const examples: readonly Example[] = [
  {
    name: 'user-app',
    secrets: {},
    async write(visit) {
      const { status, body } = await visit('/api/v1/users', { body: { ...ada, age: 36 } })
      expect(status).toBe(201)
      return async () => (await visit(`/api/v1/users/${body.id}`)).body
    },
  },
  {
    name: 'blog-app',
    secrets: { JWT_SECRET: randomBytes(32).toString('hex') },
    async write(visit) {
      const user = { ...ada, password: 'a long password' }
      const { body: session } = await visit('/api/v1/auth/register', { body: user })
      const { token } = session
      const post = { title: 'Hello', content: 'first', published: true }
      const { status, body } = await visit('/api/v1/posts', { body: post, token })
      expect(status).toBe(201)
      return async () => {
        // A token issued before a deploy stays valid only if the JWT secret is unchanged.
        const next = { title: `Hello again ${randomBytes(4).toString('hex')}` }
        const again = await visit('/api/v1/posts', { body: next, token })
        expect(again.status).toBe(201)
        const { views, ...rest } = (await visit(`/api/v1/posts/${body.id}`)).body
        return rest
      }
    },
  },
]

describe.each(examples)('the example $name on stratad', (example) => {
  let daemon: Daemon
  let project: Awaited<ReturnType<typeof createPushedProject>>
  let read: () => Promise<unknown>
  let before: unknown

  beforeAll(async () => {
    daemon = await startDaemon()
    const source = fileURLToPath(new URL(`../../examples/${example.name}`, import.meta.url))
    project = await createPushedProject(daemon, example.name)
    cpSync(source, project.repository.folder, {
      recursive: true,
      filter: (path) => !untracked.includes(basename(path)),
    })
    project.repository.commit({})
    for (const [name, value] of Object.entries(example.secrets)) {
      const secret = { name, value, scope: 'project' }
      await call(daemon, 'POST', `/projects/${project.id}/secrets`, secret)
    }
  })
  afterAll(async () => {
    await daemon.stop('SIGKILL')
    cleanUp(daemon.dataDir)
  })

  test('is deployed without changes', async () => {
    project.push()
    // The same commit: this call waits for the deploy that the push started.
    const { status, body } = await deploy(daemon, project)
    expect(body).toMatchObject({ state: 'running' })
    expect(status).toBe(201)
    expect((await visit(daemon, project.host(), '/health')).status).toBe(200)
  })

  test('keeps its data over a deploy without a failed request', async () => {
    read = await example.write((path, options) => visit(daemon, project.host(), path, options))
    before = await read()
    const traffic = startLoad(daemon, project.host(), { path: '/health' })
    const sha = project.repository.commit({ 'NOTES.md': 'a change' })
    project.push()
    const isLive = async () => {
      const { state, branch } = await rowOf(daemon, project)
      return state === 'running' && branch.commit_sha === sha
    }
    expect(await eventually(isLive, 240_000)).toBe(true)
    await expectConsistent(daemon, project)
    expect((await traffic.stop()).failures).toEqual([])
    expect(await read()).toEqual(before)
  })

  test('keeps its data over a pause, and wakes at the first request', async () => {
    const { id } = await rowOf(daemon, project)
    expect((await call(daemon, 'POST', `/environments/${id}/pause`)).status).toBe(204)
    expect(await rowOf(daemon, project)).toMatchObject({ id, state: 'paused', host_port: null })
    await expectConsistent(daemon, project)
    expect(await read()).toEqual(before)
    expect(await rowOf(daemon, project)).toMatchObject({ id, state: 'running' })
    await expectConsistent(daemon, project)
  })
})
