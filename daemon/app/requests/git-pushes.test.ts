import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createRig, operator, type Rig } from '../../../test/support/daemon/app/rig.ts'
import { environmentDraft } from '../../../test/support/daemon/store/record-drafts.ts'
import { createRepository } from '../../../test/support/stratad/plain-app.ts'
import type { Project } from '../../domain/records.ts'
import { DaemonError } from '../../errors.ts'
import type { RefAnswer } from '../../ports.ts'

const absent = '0'.repeat(40)

let rig: Rig
let project: Project
/** Two commits whose objects are in the hosted repository, on no branch. */
let first: string
let second: string

async function open(options: Parameters<typeof createRig>[0] = {}): Promise<void> {
  rig = await createRig(options)
  project = await rig.app.useCases.projects.register({ hosted: 'shop' }, operator)
  const clone = createRepository(join(rig.dataDir, 'clone'), { 'a.txt': '1' })
  first = clone.git('rev-parse', 'HEAD')
  second = clone.commit({ 'a.txt': '2' })
  clone.git('push', '--quiet', rig.repositories.path(project.id), 'HEAD:refs/strata/objects')
}

beforeEach(() => open())
afterEach(() => rig.close())

function push(oldId: string, newId: string, branch = 'main') {
  if (newId !== absent) rig.git.upstream.set(branch, newId)
  const said: string[] = []
  const pusher = {
    say: (line: string) => void said.push(line),
    gone: new AbortController().signal,
    closing: new AbortController().signal,
  }
  const refs = [{ ref: `refs/heads/${branch}`, oldId, newId }]
  const receive = rig.app.useCases.repositories.receive
  const actor = { ...operator, operator: 'git:ada' }
  return { said, answers: receive(project.id, { refs, isAtomic: false }, pusher, actor) }
}

/** Resolves when the answers are there, while the fake clock goes on. */
async function ended({ answers }: { answers: Promise<readonly RefAnswer[]> }) {
  let found: readonly RefAnswer[] | undefined
  answers.then((list) => {
    found = list
  })
  await rig.until(async () => {
    await rig.clock.advance(300)
    return found !== undefined
  })
  return answers
}

async function branches() {
  const { heads, pending, before } = await rig.repositories.read(project.id)
  return {
    heads: Object.fromEntries(heads),
    isSettled: pending.size === 0 && before.size === 0,
  }
}

describe('a push', () => {
  test('that fails takes the branch back, and the next one deploys', async () => {
    await ended(push(absent, first))
    rig.builder.buildFault = new DaemonError('unprocessable', 'the tests are red')
    const [answer] = await ended(push(first, second))
    expect(answer?.refusal).toBe('the tests are red')
    expect(await branches()).toEqual({ heads: { main: first }, isSettled: true })
    rig.builder.buildFault = undefined
    expect(await ended(push(first, second))).toEqual([{ ref: 'refs/heads/main' }])
    expect(await branches()).toEqual({ heads: { main: second }, isSettled: true })
  })

  test('of a stale branch is refused and queues nothing', async () => {
    await ended(push(absent, first))
    const [answer] = await ended(push(second, first))
    expect(answer?.refusal).toMatch(/another push has changed the branch/)
    expect(await rig.store.environments.list(project.id)).toHaveLength(1)
  })

  test('whose waiting deploy a person removes is refused, and the branch goes back', async () => {
    rig.git.gates.shut('fetch')
    const running = push(absent, first)
    await rig.until(async () => (await rig.store.queue.list())[0]?.state === 'running')
    const waiting = push(first, second)
    await rig.until(async () => (await rig.store.queue.list()).length === 2)
    const entries = await rig.store.queue.list()
    const entry = entries.find(({ state }) => state === 'waiting')
    await rig.app.useCases.queue.remove(entry?.id ?? 0, operator)
    const [answer] = await ended(waiting)
    expect(answer?.refusal).toBeDefined()
    rig.git.upstream.set('main', first)
    rig.git.gates.open('fetch')
    await ended(running)
    expect(await branches()).toEqual({ heads: { main: first }, isSettled: true })
  })

  test('to a project with a full queue leaves the branch where it was', async () => {
    await rig.close()
    await open({ isStarted: false })
    for (let at = 0; at < 1_000; at += 1) {
      await rig.store.queue.put({
        ...{ projectId: project.id, branch: `b${at}`, commitSha: null, operator: 'x' },
        ...{ requestId: 'x', requestedAt: 1 },
      })
    }
    const [answer] = await ended(push(absent, first))
    expect(answer?.refusal).toMatch(/1000 deploys of the project wait/)
    expect(await branches()).toEqual({ heads: {}, isSettled: true })
  })
})

describe('the start of a daemon', () => {
  const accept = () =>
    rig.repositories.update(project.id, [
      { branch: 'main', expected: null, head: first, pending: first },
    ])

  test('queues a push that was accepted and not queued before a kill', async () => {
    await accept()
    rig.git.upstream.set('main', first)
    await rig.restart()
    await rig.until(async () => {
      const live = await rig.store.environments.findLive(project.id, 'main')
      return live?.commitSha === first
    })
    await rig.until(async () => (await branches()).isSettled)
    expect((await branches()).heads).toEqual({ main: first })
  })

  test('settles a push whose deploy had ended before a kill', async () => {
    await accept()
    const draft = { projectId: project.id, branch: 'main', commitSha: first, hostPort: null }
    await rig.store.environments.create(environmentDraft({ ...draft, state: 'build_failed' }))
    await rig.restart()
    expect(await branches()).toEqual({ heads: {}, isSettled: true })
    expect(await rig.store.queue.list()).toEqual([])
  })
})

test('git itself reads the repository without a fault', async () => {
  await ended(push(absent, first))
  const path = rig.repositories.path(project.id)
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null' }
  expect(
    execFileSync('git', ['-C', path, 'fsck', '--strict'], { env, stdio: 'pipe' }),
  ).toBeDefined()
  expect(execFileSync('git', ['-C', path, 'rev-parse', 'HEAD'], { env }).toString().trim()).toBe(
    first,
  )
})
