import { randomBytes } from 'node:crypto'
import { cpSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../support/apps/eventually.ts'
import { call, visit } from '../support/stratad/call.ts'
import { cleanUp, type Daemon, startDaemon } from '../support/stratad/daemon.ts'
import { load } from '../support/stratad/load.ts'
import { createPushedProject, deploy, rowOf } from '../support/stratad/project.ts'
import { expectWhole } from '../support/stratad/whole.ts'

/** What `npm` and the app itself make, and git does not keep. */
const made = ['node_modules', 'dist', 'data', 'generated', '.env']

interface Example {
  readonly name: string
  readonly secrets: Readonly<Record<string, string>>
  /** Writes something and returns what reads it. */
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
        // The token of before: its key is the same, or it would be nobody's.
        const next = { title: `Hello again ${randomBytes(4).toString('hex')}` }
        const again = await visit('/api/v1/posts', { body: next, token })
        expect(again.status).toBe(201)
        const { views, ...rest } = (await visit(`/api/v1/posts/${body.id}`)).body
        return rest
      }
    },
  },
]

describe.each(examples)('the example $name', (example) => {
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
      filter: (path) => !made.includes(basename(path)),
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

  test('is deployed as it is', async () => {
    project.push()
    // The same commit, so this waits for the deploy that the push began.
    const { status, body } = await deploy(daemon, project)
    expect(body).toMatchObject({ state: 'running' })
    expect(status).toBe(201)
    expect((await visit(daemon, project.host(), '/health')).status).toBe(200)
  })

  test('keeps what was written before a push, and fails no request meanwhile', async () => {
    read = await example.write((path, options) => visit(daemon, project.host(), path, options))
    before = await read()
    const traffic = load(daemon, project.host(), { path: '/health' })
    const sha = project.repository.commit({ 'NOTES.md': 'a change' })
    project.push()
    const isLive = async () => {
      const { state, branch } = await rowOf(daemon, project)
      return state === 'running' && branch.commit_sha === sha
    }
    expect(await eventually(isLive, 240_000)).toBe(true)
    await expectWhole(daemon, project)
    expect((await traffic.stop()).failures).toEqual([])
    expect(await read()).toEqual(before)
  })

  test('keeps it over a sleep, and wakes at the first request', async () => {
    const { id } = await rowOf(daemon, project)
    expect((await call(daemon, 'POST', `/environments/${id}/pause`)).status).toBe(204)
    expect(await rowOf(daemon, project)).toMatchObject({ id, state: 'paused', host_port: null })
    await expectWhole(daemon, project)
    expect(await read()).toEqual(before)
    expect(await rowOf(daemon, project)).toMatchObject({ id, state: 'running' })
    await expectWhole(daemon, project)
  })
})
