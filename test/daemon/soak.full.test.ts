import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Answer, call, push, visit } from '../support/stratad/call.ts'
import { cleanUp, type Daemon, startDaemon } from '../support/stratad/daemon.ts'
import { expectConsistent } from '../support/stratad/expect-consistent.ts'
import { startLoad } from '../support/stratad/load.ts'
import {
  createProject,
  deploy,
  type Project,
  rowOf,
  servesCommit,
} from '../support/stratad/project.ts'

let daemon: Daemon
let untouched: Project

beforeEach(async () => {
  daemon = await startDaemon({ env: { SERVICE_GC_INTERVAL: '1s' } })
  untouched = await createProject(daemon, 'untouched')
  expect((await deploy(daemon, untouched)).status).toBe(201)
})
afterEach(async () => {
  await daemon.stop('SIGKILL')
  cleanUp(daemon.dataDir)
})

const branches = ['a', 'b', 'c']
const rounds = 80

test.each([1, 2])('the daemon stays consistent under random operations (seed %i)', async (seed) => {
  const traffic = startLoad(daemon, untouched.host())
  const project = await createProject(daemon)
  for (const branch of branches) project.repository.git('branch', branch)
  const random = createRandom(seed)
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T
  const answers: Promise<Answer | undefined>[] = []
  const statuses = new Set<number>()

  for (let round = 0; round < rounds; round += 1) {
    if (round % 20 === 19) {
      await daemon.stop(pick(['SIGKILL', 'SIGTERM'] as const))
      daemon = await daemon.restart()
    }
    const { repository, id } = project
    const branch = pick(branches)
    const row = await rowOf(daemon, project, branch)
    const actions: readonly (() => Promise<Answer>)[] = [
      () => {
        const sha = repository.commit({ 'note.txt': String(round) })
        repository.git('branch', '--force', branch, sha)
        return push(daemon, { url: project.remote, branch, sha, delivery: `d-${round}` })
      },
      () => deploy(daemon, project, branch),
      () => call(daemon, 'POST', `/projects/${id}/rollback`, { branch }),
      () => call(daemon, 'POST', `/environments/${row?.id ?? 1}/pause`),
      () => call(daemon, 'POST', `/environments/${row?.id ?? 1}/wake`),
      () => visit(daemon, project.host(branch)),
      () => call(daemon, 'DELETE', `/environments/${row?.id ?? 1_000}`),
    ]
    // A request gets no response if the daemon is killed meanwhile.
    const answer = pick(actions)().catch(() => undefined)
    answers.push(answer)
    if (random() < 0.3) await answer
    else await pause(random() * 100)
  }
  for (const answer of await Promise.all(answers)) {
    if (answer) statuses.add(answer.status)
  }
  expect([...statuses].filter((status) => status === 500)).toEqual([])

  await expectConsistent(daemon, project)
  for (const branch of branches) {
    const sha = project.repository.git('rev-parse', branch)
    expect((await deploy(daemon, project, branch)).status).toBe(201)
    expect(await servesCommit(daemon, project, sha, branch)).toBe(true)
  }
  await expectConsistent(daemon, project)
  expect((await traffic.stop()).failures).toEqual([])
})

/** Mulberry32: a pseudorandom generator with a seed. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
