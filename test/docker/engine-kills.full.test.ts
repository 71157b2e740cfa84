import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { deploySteps } from '../../daemon/domain/deploy-steps.ts'
import { eventually } from '../support/apps/eventually.ts'
import {
  missingEngine,
  startTestEngine,
  type TestEngine,
} from '../support/daemon/docker/test-engine.ts'
import { call, push, visit } from '../support/stratad/call.ts'
import { commandLineOf } from '../support/stratad/command-lines.ts'
import { cleanUp, type Daemon, processesOf } from '../support/stratad/daemon.ts'
import { expectConsistent } from '../support/stratad/expect-consistent.ts'
import {
  buildKillable,
  type KillableDaemon,
  type KillableProgram,
} from '../support/stratad/killable.ts'
import {
  createProject,
  deploy,
  type Project,
  rowOf,
  rowsOf,
  servesCommit,
} from '../support/stratad/project.ts'
import { useEngine } from '../support/stratad/test-runtime.ts'

const skip = missingEngine()

/** The engine is killed at a step, and started again. Its containers end with it. */
describe.skipIf(skip !== undefined)('an engine killed', () => {
  let engine: TestEngine
  let program: KillableProgram
  let killable: KillableDaemon
  let daemon: Daemon
  let project: Project
  let first: string

  beforeAll(async () => {
    engine = await startTestEngine()
    useEngine(engine)
    program = await buildKillable()
  })
  afterAll(async () => {
    program?.remove()
    await engine?.remove()
  })

  beforeEach(async () => {
    killable = await program.start()
    daemon = killable.daemon()
    project = await createProject(daemon)
    first = project.repository.git('rev-parse', 'HEAD')
    expect((await deploy(daemon, project)).status).toBe(201)
    expect(await killable.hasPassed('deploy:prune', 1)).toBe(true)
  })
  afterEach(async () => {
    await daemon.stop('SIGKILL')
    cleanUp(daemon.dataDir)
  })

  /** Kills the engine at a step of an operation, and starts it again. Returns the answer to the operation. */
  async function killDuring<T>(step: string, operation: () => Promise<T>): Promise<T> {
    killable.killOtherAt(step, engine.pid())
    const answer = operation()
    await engine.ended()
    await engine.start()
    return answer
  }

  const serves = () =>
    eventually(async () => {
      const answer = await visit(daemon, project.host()).catch(() => undefined)
      return answer?.status === 200
    }, 60_000)

  async function successes(): Promise<string[]> {
    const rows = await rowsOf(daemon, project)
    return rows
      .filter(({ state }) => state !== 'build_failed')
      .map(({ branch }) => branch.commit_sha)
  }

  test.each(deploySteps.map((step) => `deploy:${step}`))(
    'at %s loses no push and deploys it once',
    async (step) => {
      const sha = project.repository.commit({ 'note.txt': 'second' })
      const pushed = { url: project.remote, branch: 'main', sha, delivery: 'd-2' }
      await killDuring(step, async () => expect((await push(daemon, pushed)).status).toBe(202))
      expect(await servesCommit(daemon, project, sha)).toBe(true)
      await expectConsistent(daemon, project)
      expect(await successes()).toEqual([first, sha])
    },
  )

  test.each(['deploy:start', 'deploy:await-healthy', 'deploy:switch-route', 'deploy:stop-old'])(
    'at %s of a rollback rolls back once',
    async (step) => {
      const second = project.repository.commit({ 'note.txt': 'second' })
      expect((await deploy(daemon, project)).status).toBe(201)
      expect(await killable.hasPassed('deploy:prune', 2)).toBe(true)
      const headers = { prefer: 'respond-async' }
      const path = `/projects/${project.id}/rollback`
      await killDuring(step, () => call(daemon, 'POST', path, { branch: 'main' }, { headers }))
      expect(await servesCommit(daemon, project, first)).toBe(true)
      await expectConsistent(daemon, project)
      expect(await successes()).toEqual([first, second, first])
    },
  )

  test.each(['pause:hold', 'pause:row', 'pause:stop'])(
    'at %s leaves the app running or paused, and a request gets an answer',
    async (step) => {
      const { id } = await rowOf(daemon, project)
      await killDuring(step, () => call(daemon, 'POST', `/environments/${id}/pause`))
      await expectConsistent(daemon, project)
      expect(['running', 'paused']).toContain((await rowOf(daemon, project)).state)
      expect(await serves()).toBe(true)
      await expectConsistent(daemon, project)
    },
  )

  test.each(['wake:start', 'wake:running', 'wake:route'])(
    'at %s starts the app once it is back',
    async (step) => {
      const { id } = await rowOf(daemon, project)
      expect((await call(daemon, 'POST', `/environments/${id}/pause`)).status).toBe(204)
      const answer = await killDuring(step, () =>
        visit(daemon, project.host()).catch(() => undefined),
      )
      if (answer) expect([200, 502, 503]).toContain(answer.status)
      expect(await serves()).toBe(true)
      await expectConsistent(daemon, project)
      expect(await rowOf(daemon, project)).toMatchObject({ id, state: 'running' })
    },
  )

  test.each(['destroy:unroute', 'destroy:stop', 'destroy:clear'])(
    'at %s leaves nothing of the environment',
    async (step) => {
      const { id } = await rowOf(daemon, project)
      const path = `/environments/${id}`
      const { status } = await killDuring(step, () => call(daemon, 'DELETE', path))
      if (status !== 204) {
        expect((await rowOf(daemon, project)).state).not.toBe('building')
        expect([204, 404]).toContain((await call(daemon, 'DELETE', path)).status)
      }
      await expectConsistent(daemon, project)
      expect(await rowOf(daemon, project)).toMatchObject({ id, state: 'destroyed' })
      expect((await visit(daemon, project.host())).status).toBe(404)
      const containers = () => engine.docker('ps', '--all', '--quiet', '--filter', 'name=strata-')
      expect(await eventually(() => containers() === '', 60_000)).toBe(true)
    },
  )
})

describe.skipIf(skip !== undefined)('a gateway killed', () => {
  let engine: TestEngine
  let program: KillableProgram

  beforeAll(async () => {
    engine = await startTestEngine()
    useEngine(engine)
    program = await buildKillable()
  })
  afterAll(async () => {
    program?.remove()
    await engine?.remove()
  })

  test.each(['deploy:start', 'deploy:switch-route', 'deploy:drain', 'wake:running', 'wake:route'])(
    'at %s is started again, and serves the new version',
    async (step) => {
      const killable = await program.start()
      const daemon = killable.daemon()
      try {
        const project = await createProject(daemon)
        const { body } = await deploy(daemon, project)
        expect(await killable.hasPassed('deploy:prune', 1)).toBe(true)
        const gateway = processesOf(daemon.dataDir).find((pid) =>
          commandLineOf(pid).includes('gateway'),
        )
        if (step.startsWith('wake')) {
          expect((await call(daemon, 'POST', `/environments/${body.id}/pause`)).status).toBe(204)
        }
        killable.killOtherAt(step, gateway ?? 0)
        const sha = step.startsWith('wake')
          ? body.branch.commit_sha
          : project.repository.commit({ 'note.txt': 'second' })
        if (step.startsWith('wake')) await visit(daemon, project.host()).catch(() => undefined)
        else await push(daemon, { url: project.remote, branch: 'main', sha })
        const serves = async () =>
          (await visit(daemon, project.host()).catch(() => undefined))?.body?.commit === sha
        expect(await eventually(serves, 60_000)).toBe(true)
        expect(processesOf(daemon.dataDir)).not.toContain(gateway)
        await expectConsistent(daemon, project)
      } finally {
        await daemon.stop('SIGKILL')
        cleanUp(daemon.dataDir)
      }
    },
  )
})
