import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../support/apps/eventually.ts'
import { call, push, visit } from '../support/stratad/call.ts'
import { cleanUp, type Daemon, startDaemon } from '../support/stratad/daemon.ts'
import { listRunningInstances } from '../support/stratad/expect-consistent.ts'
import { startLoad } from '../support/stratad/load.ts'
import { createRepository, type Repository } from '../support/stratad/plain-app.ts'

const host = 'main--shop.localhost'
const remote = 'https://git.example.com/team/shop.git'

/** One app through its whole life on one daemon. Each test continues from the previous one. */
describe('a branch on stratad', () => {
  let daemon: Daemon
  let repository: Repository
  let project: number
  let first: string

  beforeAll(async () => {
    daemon = await startDaemon()
    repository = createRepository(join(daemon.dataDir, 'repositories/shop'))
    first = repository.git('rev-parse', 'HEAD')
    repository.git('remote', 'add', 'origin', remote)
  })
  afterAll(async () => {
    await daemon.stop()
    cleanUp(daemon.dataDir)
  })

  test('is deployed and answers on its host name', async () => {
    const { status, body } = await call(daemon, 'POST', '/projects', {
      repo_dir: repository.folder,
    })
    expect(status).toBe(201)
    project = body.id
    const deployed = await call(daemon, 'POST', `/projects/${project}/deploy`, { branch: 'main' })
    expect(deployed).toMatchObject({
      status: 201,
      body: {
        state: 'running',
        url: host,
        branch: { name: 'main', commit_sha: first },
        public_port: daemon.gatewayPort,
      },
    })
    expect(await visit(daemon, host, '/hello')).toMatchObject({
      status: 200,
      body: { branch: 'main', commit: first, path: '/hello' },
    })
  })

  test('has its output in the logs', async () => {
    const { id } = await live()
    const shown = await eventually(async () => {
      const { body } = await call(daemon, 'GET', `/environments/${id}/logs`)
      return body.logs.includes('GET /hello')
    }, 5_000)
    expect(shown).toBe(true)
  })

  test('is updated by a push without a failed request', async () => {
    const traffic = startLoad(daemon, host)
    const sha = repository.commit({ 'note.txt': 'second' })
    const answer = await push(daemon, { url: remote, branch: 'main', sha, delivery: 'one' })
    expect(answer).toMatchObject({ status: 202, body: { status: 'queued' } })
    await awaitCommit(sha)
    const { failures, served } = await traffic.stop()
    expect(failures).toEqual([])
    expect(served).toBeGreaterThan(0)
  })

  test('is rolled back to the previous commit', async () => {
    const answer = await call(daemon, 'POST', `/projects/${project}/rollback`, { branch: 'main' })
    expect(answer).toMatchObject({ status: 201, body: { branch: { commit_sha: first } } })
    expect((await visit(daemon, host)).body.commit).toBe(first)
  })

  test('is paused, and woken once by 20 concurrent requests', async () => {
    const { id } = await live()
    expect((await call(daemon, 'POST', `/environments/${id}/pause`)).status).toBe(204)
    expect(await live()).toMatchObject({ state: 'paused', host_port: null })
    expect(listRunningInstances(daemon)).toEqual([])
    const visits = await Promise.all(Array.from({ length: 20 }, () => visit(daemon, host)))
    expect(new Set(visits.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(visits.map(({ body }) => body.boot)).size).toBe(1)
    expect(await live()).toMatchObject({ state: 'running' })
  })

  test('keeps answering while the daemon is killed, and is adopted by the next daemon', async () => {
    const { boot } = (await visit(daemon, host)).body
    const traffic = startLoad(daemon, host)
    await daemon.stop('SIGKILL')
    expect((await visit(daemon, host)).body.boot).toBe(boot)
    daemon = await daemon.restart()
    expect((await visit(daemon, host)).body.boot).toBe(boot)
    expect((await traffic.stop()).failures).toEqual([])
    expect(await live()).toMatchObject({ state: 'running' })
    const sha = repository.commit({ 'note.txt': 'third' })
    const { status } = await call(daemon, 'POST', `/projects/${project}/deploy`, { branch: 'main' })
    expect(status).toBe(201)
    expect((await visit(daemon, host)).body.commit).toBe(sha)
  })

  test('is restarted after a crash', async () => {
    const { boot } = (await visit(daemon, host)).body
    await visit(daemon, host, '/crash').catch(() => {})
    const again = await eventually(async () => {
      const answer = await visit(daemon, host)
      return answer.status === 200 && answer.body.boot !== boot
    }, 15_000)
    expect(again).toBe(true)
  })

  test('keeps its old version if the new one fails, and the error has the exit code', async () => {
    const { commit } = (await visit(daemon, host)).body
    const goodSource = repository.git('show', 'HEAD:server.js')
    repository.commit({ 'server.js': 'console.error("no such luck"); process.exit(7)' })
    const failed = await call(daemon, 'POST', `/projects/${project}/deploy`, { branch: 'main' })
    expect(failed.status).toBe(422)
    expect(failed.body.error).toContain('7')
    const row = await call(daemon, 'GET', `/environments/${failed.body.environment_id}`)
    expect(row.body).toMatchObject({ state: 'build_failed' })
    expect((await visit(daemon, host)).body.commit).toBe(commit)
    repository.commit({ 'server.js': goodSource })
  })

  test('gets its secrets, which the API and the log never show', async () => {
    const value = 'a greeting that nobody may read'
    const set = await call(daemon, 'POST', `/projects/${project}/secrets`, {
      name: 'GREETING',
      value,
      scope: 'project',
    })
    expect(set.status).toBe(204)
    await call(daemon, 'POST', `/projects/${project}/deploy`, { branch: 'main' })
    expect((await visit(daemon, host)).body.greeting).toBe(value)
    const listed = await call(daemon, 'GET', `/projects/${project}/secrets`)
    expect(listed.body).toEqual({ secrets: [{ name: 'GREETING', scope: 'project' }] })
    expect(daemon.output()).not.toContain(value)
  })

  test('answers 404 and has no process or container after it is destroyed', async () => {
    const { id } = await live()
    const isAlone = () => listRunningInstances(daemon).join() === `strata-${id}`
    expect(await eventually(isAlone, 15_000)).toBe(true)
    expect((await call(daemon, 'DELETE', `/environments/${id}`)).status).toBe(204)
    expect((await visit(daemon, host)).status).toBe(404)
    expect(await eventually(() => listRunningInstances(daemon).length === 0, 15_000)).toBe(true)
    const kinds = (await call(daemon, 'GET', `/audit?project_id=${project}`)).body.map(
      ({ kind }: { kind: string }) => kind,
    )
    expect(kinds).toEqual(
      expect.arrayContaining(['project_created', 'build_succeeded', 'paused', 'woken', 'destroy']),
    )
  })

  async function live() {
    const path = `/projects/${project}/environments?branch=main`
    const { body } = await call(daemon, 'GET', path)
    return body.at(-1)
  }

  async function awaitCommit(sha: string) {
    const isLive = async () => (await visit(daemon, host)).body.commit === sha
    expect(await eventually(isLive, 20_000)).toBe(true)
  }
})
