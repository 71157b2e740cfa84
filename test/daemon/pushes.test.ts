import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { eventually } from '../support/apps/eventually.ts'
import { call, push, visit } from '../support/stratad/call.ts'
import { cleanUp, type Daemon, startDaemon } from '../support/stratad/daemon.ts'
import { createGatedBuild, type GatedBuild } from '../support/stratad/gated-build.ts'
import {
  createProject,
  deploy,
  queueBecomesEmpty,
  rowOf,
  rowsOf,
  servesCommit,
} from '../support/stratad/project.ts'

let daemon: Daemon
beforeEach(async () => {
  daemon = await startDaemon()
})
afterEach(async () => {
  await daemon.stop('SIGKILL')
  cleanUp(daemon.dataDir)
})

const gates: GatedBuild[] = []
afterEach(() => {
  for (const gate of gates.splice(0)) gate.close()
})

async function gatedApp(): Promise<GatedBuild> {
  const gate = await createGatedBuild(daemon)
  gates.push(gate)
  return gate
}

describe('a push webhook', () => {
  test('that is redelivered is ignored', async () => {
    const project = await createProject(daemon)
    const sha = project.repository.git('rev-parse', 'HEAD')
    const event = { url: project.remote, branch: 'main', sha, delivery: 'd-1' }
    expect((await push(daemon, event)).status).toBe(202)
    expect(await push(daemon, event)).toMatchObject({ status: 200, body: { status: 'ignored' } })
    expect(await servesCommit(daemon, project, sha)).toBe(true)
    expect(await push(daemon, event)).toMatchObject({ status: 200, body: { status: 'ignored' } })
    expect(await queueBecomesEmpty(daemon)).toBe(true)
    expect(await rowsOf(daemon, project)).toHaveLength(1)
  })

  test('replaces the waiting push of its branch during a build', async () => {
    const app = await gatedApp()
    const project = await createProject(daemon, 'shop', app.files)
    const { repository, remote: url } = project
    const first = repository.git('rev-parse', 'HEAD')
    await push(daemon, { url, branch: 'main', sha: first, delivery: 'd-1' })
    expect(await app.begun()).toBe(true)
    const second = repository.commit({ 'note.txt': '2' })
    await push(daemon, { url, branch: 'main', sha: second, delivery: 'd-2' })
    const third = repository.commit({ 'note.txt': '3' })
    await push(daemon, { url, branch: 'main', sha: third, delivery: 'd-3' })
    const { body: queue } = await call(daemon, 'GET', '/queue')
    expect(queue.map(({ state }: { state: string }) => state)).toEqual(['running', 'waiting'])
    app.open()
    expect(await servesCommit(daemon, project, third)).toBe(true)
    const commits = (await rowsOf(daemon, project)).map(({ branch }) => branch.commit_sha)
    expect(commits).toEqual([first, third])
  })

  test('that deletes a branch destroys its environment', async () => {
    const app = await gatedApp()
    app.open()
    const project = await createProject(daemon, 'shop', app.files)
    const { repository, remote: url } = project
    repository.git('branch', 'topic')
    const sha = repository.git('rev-parse', 'HEAD')
    await push(daemon, { url, branch: 'topic', sha })
    await push(daemon, { url, branch: 'main', sha })
    expect(await servesCommit(daemon, project, sha, 'topic')).toBe(true)
    expect(await servesCommit(daemon, project, sha, 'main')).toBe(true)
    repository.git('branch', '--delete', '--force', 'topic')
    const deletion = await push(daemon, { url, branch: 'topic', sha, deleted: true })
    expect(deletion).toMatchObject({ status: 202, body: { status: 'destroyed' } })
    expect(await rowOf(daemon, project, 'topic')).toMatchObject({ state: 'destroyed' })
    expect((await visit(daemon, project.host('topic'))).status).toBe(404)
    expect((await visit(daemon, project.host('main'))).status).toBe(200)
    const again = await call(daemon, 'POST', `/projects/${project.id}/deploy`, { branch: 'topic' })
    expect(again.status).toBe(404)
  })

  test('that deletes a branch is ignored while the branch exists', async () => {
    const project = await createProject(daemon)
    const { repository, remote: url } = project
    const sha = repository.git('rev-parse', 'HEAD')
    repository.git('branch', 'topic')
    await push(daemon, { url, branch: 'topic', sha })
    expect(await servesCommit(daemon, project, sha, 'topic')).toBe(true)
    const deletion = { url, branch: 'topic', sha, deleted: true, delivery: 'captured' }
    expect(await push(daemon, deletion)).toMatchObject({
      status: 200,
      body: { status: 'ignored', why: 'the branch exists at its remote: nothing was destroyed' },
    })
    expect(await rowOf(daemon, project, 'topic')).toMatchObject({ state: 'running' })
    expect((await visit(daemon, project.host('topic'))).status).toBe(200)
  })

  test('with a missing or wrong signature gets 401', async () => {
    const project = await createProject(daemon)
    const sha = project.repository.git('rev-parse', 'HEAD')
    for (const signature of ['', 'sha256=', `sha256=${'0'.repeat(64)}`, 'sha1=00']) {
      const headers = { 'x-github-event': 'push', 'x-hub-signature-256': signature }
      const body = { ref: 'refs/heads/main', after: sha, repository: { clone_url: project.remote } }
      const answer = await call(daemon, 'POST', '/webhooks/github', body, { headers })
      expect(answer.status).toBe(401)
    }
    expect(await rowsOf(daemon, project)).toEqual([])
  })
})

test('the removal of a project kills its running build', async () => {
  const app = await gatedApp()
  const project = await createProject(daemon, 'shop', app.files)
  const answer = deploy(daemon, project)
  expect(await app.begun()).toBe(true)
  expect(app.running()).toBe(1)
  expect((await call(daemon, 'DELETE', `/projects/${project.id}`)).status).toBe(204)
  expect((await answer).status).toBe(404)
  expect((await call(daemon, 'GET', '/queue')).body).toEqual([])
  expect(await eventually(() => app.running() === 0, 20_000)).toBe(true)
  expect((await visit(daemon, project.host())).status).toBe(404)
})

test('concurrent pushes to 15 branches are all deployed', async () => {
  const project = await createProject(daemon)
  const { repository, remote: url } = project
  const branches = Array.from({ length: 15 }, (_, at) => `feature/n-${at}`)
  for (const branch of branches) repository.git('branch', branch)
  const sha = repository.git('rev-parse', 'HEAD')
  const answers = await Promise.all(branches.map((branch) => push(daemon, { url, branch, sha })))
  expect(answers.map(({ status }) => status)).toEqual(branches.map(() => 202))
  expect(await queueBecomesEmpty(daemon)).toBe(true)
  const rows = await rowsOf(daemon, project)
  expect(rows.map(({ state }) => state)).toEqual(branches.map(() => 'running'))
  const visits = await Promise.all(rows.map(({ url: host }) => visit(daemon, host)))
  expect(visits.map(({ body }) => body.branch).toSorted()).toEqual(branches.toSorted())
  expect(new Set(visits.map(({ body }) => body.boot)).size).toBe(15)
})
