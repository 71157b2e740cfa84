import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { settled } from '../../../test/support/daemon/app/fake-clock.ts'
import { createRig, operator, type Rig } from '../../../test/support/daemon/app/rig.ts'
import type { Project } from '../../domain/records.ts'
import { DaemonError } from '../../errors.ts'

const intervalMs = 60_000
let rig: Rig
let project: Project
beforeEach(async () => {
  rig = await createRig({ config: { pollIntervalMs: intervalMs } })
  const { projects } = rig.app.useCases
  project = await projects.register({ repoUrl: 'https://git.example.com/team/shop.git' }, operator)
})
afterEach(async () => {
  await rig.close()
})

/** Delivers a webhook for the head of a branch, and waits for its deploy. */
async function push(branch: string, { context = '' } = {}): Promise<void> {
  const sha = rig.git.upstream.get(branch)
  await rig.app.useCases.deploys.push({
    remoteKey: 'git.example.com/team/shop',
    branch,
    isDeleted: false,
    host: 'github',
    deliveryId: `${sha}${context}`,
    projectIds: null,
    actor: { ...operator, operator: 'webhook:github' },
  })
  await rig.until(async () => (await rig.store.queue.list()).length === 0)
}

const liveCommit = async (branch: string) =>
  (await rig.store.environments.findLive(project.id, branch))?.commitSha

/** Lets each repository be polled twice. */
async function twoIntervals(): Promise<void> {
  for (let at = 0; at < 2; at += 1) {
    await rig.clock.advance(intervalMs)
    await settled()
  }
  await rig.until(async () => (await rig.store.queue.list()).length === 0)
}

describe('a poll of the heads', () => {
  test('deploys a pushed commit whose webhook was lost, as operator poll', async () => {
    rig.commit('main')
    await push('main')
    const lost = rig.commit('main')
    await twoIntervals()
    expect(await liveCommit('main')).toBe(lost)
    const [row] = await rig.store.environments.listLive({ projectId: project.id })
    expect(row?.operator).toBe('poll')
    const [audit] = await rig.store.audit.list({ kind: 'build_succeeded', limit: 1 })
    expect(audit).toMatchObject({ operator: 'poll', requestId: null })
  })

  test('never asks for a project that no webhook has reached', async () => {
    rig.commit('main')
    await rig.deployed('main', project)
    rig.commit('main')
    await twoIntervals()
    expect(rig.git.polls).toBe(0)
    expect(await rig.store.environments.list(project.id)).toHaveLength(1)
  })

  test('leaves new branches, excluded branches and deleted branches alone', async () => {
    for (const branch of ['main', 'wip', 'gone']) {
      rig.commit(branch)
      await push(branch)
    }
    await rig.app.useCases.projects.update(project.id, { ignore: ['wip'] }, operator)
    rig.commit('wip')
    rig.commit('new')
    rig.git.upstream.delete('gone')
    await twoIntervals()
    expect(rig.git.polls).toBeGreaterThan(0)
    expect(await rig.store.environments.list(project.id)).toHaveLength(3)
  })

  test('does not retry a commit that failed', async () => {
    rig.commit('main')
    await push('main')
    rig.commit('main')
    rig.builder.buildFault = new DaemonError('unprocessable', 'npm run build failed')
    await twoIntervals()
    await twoIntervals()
    expect(rig.builder.builds).toBe(2)
  })

  test('does not undo a rollback', async () => {
    const first = rig.commit('main')
    await push('main')
    rig.commit('main')
    await push('main')
    const input = { branch: 'main', wait: true }
    await rig.app.useCases.deploys.rollback(project.id, input, operator)
    await twoIntervals()
    expect(await liveCommit('main')).toBe(first)
    const next = rig.commit('main')
    await twoIntervals()
    expect(await liveCommit('main')).toBe(next)
  })

  test('asks a remote once for all projects that share it', async () => {
    const { projects } = rig.app.useCases
    const source = { repoUrl: 'https://git.example.com/team/shop.git', context: 'web' }
    const web = await projects.register(source, operator)
    rig.commit('main')
    await push('main')
    const head = rig.commit('main')
    await rig.clock.advance(intervalMs)
    await settled()
    const polls = rig.git.polls
    await rig.clock.advance(intervalMs)
    await settled()
    expect(rig.git.polls - polls).toBe(1)
    await rig.until(async () => (await rig.store.queue.list()).length === 0)
    expect((await rig.store.environments.findLive(web.id, 'main'))?.commitSha).toBe(head)
  })

  test('pauses longer after each failure of a remote, up to an hour, and logs it', async () => {
    rig.commit('main')
    await push('main')
    rig.git.pollFault = new DaemonError('transient', 'the remote does not answer')
    for (let minute = 0; minute < 120; minute += 1) await rig.clock.advance(intervalMs)
    expect(rig.git.polls).toBeLessThan(10)
    expect(rig.git.polls).toBeGreaterThan(3)
    expect(rig.warnings).toContain('could not poll the heads of a repository')
    rig.git.pollFault = undefined
    const head = rig.commit('main')
    for (let minute = 0; minute < 61; minute += 1) await rig.clock.advance(intervalMs)
    await rig.until(async () => (await liveCommit('main')) === head)
  })
})
