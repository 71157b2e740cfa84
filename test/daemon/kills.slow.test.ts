import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { deploySteps } from '../../daemon/domain/deploy-steps.ts'
import { eventually } from '../support/apps/eventually.ts'
import { type Answer, call, push, restore, visit } from '../support/stratad/call.ts'
import { cleanUp, type Daemon } from '../support/stratad/daemon.ts'
import { expectConsistent } from '../support/stratad/expect-consistent.ts'
import { createGatedBuild } from '../support/stratad/gated-build.ts'
import {
  buildKillable,
  type KillableDaemon,
  type KillableProgram,
} from '../support/stratad/killable.ts'
import { startLoad } from '../support/stratad/load.ts'
import {
  createProject,
  deploy,
  type Project,
  rowOf,
  rowsOf,
  servesCommit,
} from '../support/stratad/project.ts'

const secret = 'a greeting of the tests'

let program: KillableProgram
let killable: KillableDaemon
let daemon: Daemon
let project: Project
let firstCommit: string
let traffic: ReturnType<typeof startLoad>

beforeAll(async () => {
  program = await buildKillable()
})
afterAll(() => program.remove())

/** Deploys `main` and `other`, and sends continuous requests to `other`. */
beforeEach(async () => {
  killable = await program.start({ SERVICE_ALLOW_RESTORE: '1' })
  daemon = killable.daemon()
  project = await createProject(daemon)
  await setGreeting(secret)
  project.repository.git('branch', 'other')
  firstCommit = project.repository.git('rev-parse', 'HEAD')
  for (const branch of ['main', 'other']) {
    expect((await deploy(daemon, project, branch)).status).toBe(201)
  }
  await awaitPrunes(2)
  traffic = startLoad(daemon, project.host('other'))
})
afterEach(async () => {
  await traffic.stop()
  await killable.daemon().stop('SIGKILL')
  cleanUp(daemon.dataDir)
})

/**
 * Waits until `deploys` deploys have finished their clean-up, so that a kill step set now applies to the next deploy.
 */
async function awaitPrunes(deploys: number): Promise<void> {
  expect(await killable.hasPassed('deploy:prune', deploys)).toBe(true)
}

/** A daemon killed during a request gives no response, which is no failure here. */
function ignoreDisconnect(answer: Promise<Answer>): Promise<Answer | undefined> {
  return answer.catch(() => undefined)
}

async function expectServed(...more: (typeof traffic)[]): Promise<void> {
  for (const { stop } of [traffic, ...more]) {
    const { failures, served } = await stop()
    expect(failures).toEqual([])
    expect(served).toBeGreaterThan(0)
  }
}

const steps = deploySteps.flatMap((step) =>
  step === 'drain' ? ['deploy:switched', 'deploy:drain'] : [`deploy:${step}`],
)

describe('a daemon killed in a deploy', () => {
  test.each(steps)('at %s loses no push, deploys once and fails no request', async (step) => {
    const own = startLoad(daemon, project.host())
    const sha = project.repository.commit({ 'note.txt': 'second' })
    killable.killAt(step)
    await ignoreDisconnect(
      push(daemon, { url: project.remote, branch: 'main', sha, delivery: 'd-2' }),
    )
    daemon = await killable.awaitRestart()
    expect(await servesCommit(daemon, project, sha)).toBe(true)
    await expectConsistent(daemon, project)
    expect(await successesOf('main')).toEqual([firstCommit, sha])
    expect((await visit(daemon, project.host())).body).toMatchObject({ greeting: secret })
    await expectServed(own)
  })

  test('at each step in turn completes the deploy after its last restart', async () => {
    const own = startLoad(daemon, project.host())
    const sha = project.repository.commit({ 'note.txt': 'second' })
    const stepsBeforeDrain = steps.slice(0, steps.indexOf('deploy:drain'))
    killable.killAt(...stepsBeforeDrain)
    await ignoreDisconnect(push(daemon, { url: project.remote, branch: 'main', sha }))
    daemon = await killable.awaitRestart(stepsBeforeDrain.length)
    expect(await servesCommit(daemon, project, sha)).toBe(true)
    await expectConsistent(daemon, project)
    await expectServed(own)
  })

  test('also deploys the branches that waited in the queue', async () => {
    const branches = ['a', 'b', 'c', 'd', 'e']
    for (const branch of branches) project.repository.git('branch', branch)
    killable.killAt('deploy:await-healthy')
    const pushed = (branch: string) =>
      push(daemon, { url: project.remote, branch, sha: firstCommit, delivery: branch })
    const answers = await Promise.all(branches.map((branch) => ignoreDisconnect(pushed(branch))))
    const accepted = branches.filter((_, at) => answers[at]?.status === 202)
    daemon = await killable.awaitRestart()
    for (const branch of accepted) {
      expect(await servesCommit(daemon, project, firstCommit, branch)).toBe(true)
    }
    await expectConsistent(daemon, project)
    await expectServed()
  })
})

test('a daemon killed during a build ends that build after its restart, and builds again', async () => {
  const build = await createGatedBuild(daemon, project.id)
  const sha = project.repository.commit(build.files)
  await push(daemon, { url: project.remote, branch: 'main', sha })
  expect(await build.begun()).toBe(true)
  await daemon.stop('SIGKILL')
  daemon = await killable.awaitRestart()
  expect(await build.begun(2)).toBe(true)
  expect(build.running()).toBe(1)
  build.open()
  expect(await servesCommit(daemon, project, sha)).toBe(true)
  await expectConsistent(daemon, project)
  expect(await successesOf('main')).toEqual([firstCommit, sha])
  await expectServed()
  build.close()
})

describe('a daemon killed in a rollback', () => {
  const rollbackSteps = steps.filter((step) => !/fetch|checkout|build/.test(step))

  test.each(rollbackSteps)('at %s completes the rollback once', async (step) => {
    const second = project.repository.commit({ 'note.txt': 'second' })
    expect((await deploy(daemon, project)).status).toBe(201)
    await awaitPrunes(3)
    const own = startLoad(daemon, project.host())
    killable.killAt(step)
    const headers = { prefer: 'respond-async' }
    const path = `/projects/${project.id}/rollback`
    await ignoreDisconnect(call(daemon, 'POST', path, { branch: 'main' }, { headers }))
    daemon = await killable.awaitRestart()
    expect(await servesCommit(daemon, project, firstCommit)).toBe(true)
    await expectConsistent(daemon, project)
    expect(await successesOf('main')).toEqual([firstCommit, second, firstCommit])
    expect((await visit(daemon, project.host())).body).toMatchObject({ greeting: secret })
    await expectServed(own)
  })
})

describe('a daemon killed in a pause', () => {
  test.each(['pause:hold', 'pause:row', 'pause:stop'])(
    'at %s completes the pause or leaves the app running, and a request gets an answer',
    async (step) => {
      const { id } = await rowOf(daemon, project)
      killable.killAt(step)
      await ignoreDisconnect(call(daemon, 'POST', `/environments/${id}/pause`))
      daemon = await killable.awaitRestart()
      await expectConsistent(daemon, project)
      const state = step === 'pause:stop' ? 'paused' : 'running'
      expect(await rowOf(daemon, project)).toMatchObject({ id, state })
      const { status, body } = await visit(daemon, project.host())
      expect({ status, ...body }).toMatchObject({
        status: 200,
        greeting: secret,
        commit: firstCommit,
      })
      expect(await rowOf(daemon, project)).toMatchObject({ id, state: 'running' })
      await expectConsistent(daemon, project)
      await expectServed()
    },
  )
})

describe('a daemon killed in a wake', () => {
  test.each(['wake:start', 'wake:running', 'wake:route'])(
    'at %s answers all held requests and starts the app once',
    async (step) => {
      const { id } = await rowOf(daemon, project)
      expect((await call(daemon, 'POST', `/environments/${id}/pause`)).status).toBe(204)
      killable.killAt(step)
      const visits = Promise.all(Array.from({ length: 5 }, () => visit(daemon, project.host())))
      daemon = await killable.awaitRestart()
      const answers = await visits
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
      expect(answers[0]?.body).toMatchObject({ greeting: secret, commit: firstCommit })
      await expectConsistent(daemon, project)
      expect(await rowOf(daemon, project)).toMatchObject({ id, state: 'running' })
      await expectServed()
    },
  )
})

describe('a daemon killed while it destroys an environment', () => {
  test.each(['destroy:unroute', 'destroy:stop', 'destroy:clear'])(
    'at %s completes the removal after its restart',
    async (step) => {
      const { id } = await rowOf(daemon, project)
      killable.killAt(step)
      await ignoreDisconnect(call(daemon, 'DELETE', `/environments/${id}`))
      daemon = await killable.awaitRestart()
      await expectConsistent(daemon, project)
      expect(await rowOf(daemon, project)).toMatchObject({ id, state: 'destroyed' })
      expect((await visit(daemon, project.host())).status).toBe(404)
      for (const folder of ['releases', 'volumes']) {
        const names = () => readdirSync(join(daemon.dataDir, folder, String(project.id)))
        expect(await eventually(() => names().length === 1, 20_000), folder).toBe(true)
      }
      await expectServed()
    },
  )
})

describe('a daemon killed while it rotates its key', () => {
  test.each(['next-key-kept', 'values-sealed', 'committed', 'key-in-place'])(
    'at %s can decrypt every secret, and can rotate again',
    async (step) => {
      killable.killAt(step)
      await ignoreDisconnect(call(daemon, 'POST', '/rotate-key'))
      daemon = await killable.awaitRestart()
      const isDone = ['committed', 'key-in-place'].includes(step)
      const rotated = () => call(daemon, 'GET', '/audit?kind=key_rotated')
      expect((await rotated()).body).toHaveLength(isDone ? 1 : 0)
      expect((await deploy(daemon, project)).status).toBe(201)
      expect((await visit(daemon, project.host())).body).toMatchObject({ greeting: secret })
      expect(await call(daemon, 'POST', '/rotate-key')).toMatchObject({ status: 200 })
      expect(existsSync(join(daemon.dataDir, 'master.key.next'))).toBe(false)
      expect((await deploy(daemon, project)).status).toBe(201)
      expect((await visit(daemon, project.host())).body).toMatchObject({ greeting: secret })
      await expectConsistent(daemon, project)
      await expectServed()
    },
  )
})

describe('a daemon killed while it makes a backup', () => {
  test.each(['backup:snapshot', 'backup:manifest', 'backup:pack'])(
    'at %s removes its partial files, and makes the next backup',
    async (step) => {
      const backups = join(daemon.dataDir, 'backups')
      killable.killAt(step)
      await ignoreDisconnect(call(daemon, 'GET', '/backup'))
      expect(readdirSync(backups)).toHaveLength(1)
      daemon = await killable.awaitRestart()
      expect(readdirSync(backups)).toEqual([])
      await backup()
      expect(await eventually(() => readdirSync(backups).length === 0, 20_000)).toBe(true)
      await expectConsistent(daemon, project)
      await expectServed()
    },
  )
})

describe('a daemon killed while it replaces a staged restore', () => {
  test.each(['stage:unpack', 'stage:validate', 'stage:set-aside', 'stage:put', 'stage:clear'])(
    'at %s applies one of the two backups',
    async (step) => {
      const one = await backup()
      await setGreeting('another')
      const other = await backup()
      await setGreeting('a third')
      expect((await restore(daemon, one)).status).toBe(202)
      killable.killAt(step)
      await ignoreDisconnect(restore(daemon, other))
      daemon = await killable.awaitRestart()
      expect((await call(daemon, 'GET', '/audit?kind=restore_applied')).body).toHaveLength(1)
      expect((await deploy(daemon, project)).status).toBe(201)
      const greeting = step === 'stage:clear' ? 'another' : secret
      expect((await visit(daemon, project.host())).body).toMatchObject({ greeting })
      await expectConsistent(daemon, project)
      await expectServed()
    },
  )
})

describe('a daemon killed while it applies a restore', () => {
  /** `restore-kills.full.test.ts` tests each step alone, and a database on another disk. */
  const applied = [
    'validated',
    'journal-written',
    'moved-out:database-wal',
    'moved-out:database',
    'moved-out:key',
    'moved-in:key',
    'moved-in:database',
    'journal-closed',
  ]

  test('at each step in turn applies the backup once, and deploys the commit of the backup', async () => {
    const tar = await backup()
    await setGreeting('another')
    await call(daemon, 'POST', '/rotate-key')
    project.repository.commit({ 'note.txt': 'second' })
    expect((await deploy(daemon, project)).status).toBe(201)
    expect((await restore(daemon, tar)).status).toBe(202)
    killable.killAt(...applied)
    await daemon.stop('SIGKILL')
    daemon = await killable.awaitRestart(applied.length + 1)
    expect((await call(daemon, 'GET', '/audit?kind=restore_applied')).body).toHaveLength(1)
    expect(await servesCommit(daemon, project, firstCommit)).toBe(true)
    expect((await visit(daemon, project.host())).body).toMatchObject({ greeting: secret })
    await expectConsistent(daemon, project)
    await expectServed()
  })
})

async function backup(): Promise<Buffer> {
  const { status, bytes } = await call(daemon, 'GET', '/backup')
  expect(status).toBe(200)
  return bytes
}

/** Returns the successfully deployed commits of a branch, oldest first. */
async function successesOf(name: string): Promise<string[]> {
  const rows = await rowsOf(daemon, project)
  return rows
    .filter(({ state, branch }) => branch.name === name && state !== 'build_failed')
    .map(({ branch }) => branch.commit_sha)
}

async function setGreeting(value: string): Promise<void> {
  const path = `/projects/${project.id}/secrets`
  const { status } = await call(daemon, 'POST', path, { name: 'GREETING', value, scope: 'project' })
  expect(status).toBe(204)
}
