import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { settled } from '../../../test/support/daemon/app/fake-clock.ts'
import { createRig, operator, type Rig } from '../../../test/support/daemon/app/rig.ts'
import { redacted } from '../../domain/redacted.ts'
import { DaemonError } from '../../errors.ts'

let rig: Rig
beforeEach(async () => {
  rig = await createRig()
})
afterEach(async () => {
  await rig.close()
})

describe('a deploy', () => {
  test('runs the head of its branch under the host name of the branch', async () => {
    const sha = rig.commit('main')
    const environment = await rig.deployed('main')
    expect(environment).toMatchObject({
      state: 'running',
      commitSha: sha,
      hostname: 'main--repository.localhost',
      hostPort: 20_001,
      containerName: `strata-${environment.id}`,
      operator: 'master',
    })
    expect(rig.gateway.routes.get('main--repository.localhost')).toMatchObject({ port: 20_001 })
    expect(await rig.auditKinds(environment.id)).toEqual(['build_succeeded'])
    expect(await rig.store.queue.list()).toEqual([])
    expect(rig.errors).toEqual([])
  })

  test('replaces the old version, which is drained and stopped', async () => {
    rig.commit('main')
    const old = await rig.deployed('main')
    const sha = rig.commit('main')
    rig.gateway.gates.shut('drained')
    const environment = await rig.deployed('main')
    expect(environment.commitSha).toBe(sha)
    expect(rig.gateway.routes.get(old.hostname)).toMatchObject({
      environmentId: environment.id,
      port: environment.hostPort,
    })
    expect((await rig.row(old.id)).state).toBe('destroyed')
    expect([...rig.runtime.running.keys()]).toContain(`strata-${old.id}`)
    rig.gateway.gates.open('drained')
    await settled()
    expect(rig.runtime.stopped).toEqual([`strata-${old.id}`])
    expect(await rig.store.environments.listLive()).toHaveLength(1)
  })

  test('of an absent branch is not found and inserts no environment', async () => {
    const error = await rig.deploy('absent').catch((thrown) => thrown)
    expect(error).toMatchObject({ kind: 'not-found', message: 'repository has no branch absent' })
    expect(await rig.store.environments.list(rig.project.id)).toEqual([])
    expect(await rig.store.queue.list()).toEqual([])
  })

  test('of an invalid branch name is refused', async () => {
    for (const branch of ['-x', 'a..b', '', 'a b', '@{-1}']) {
      await expect(rig.deploy(branch)).rejects.toMatchObject({ kind: 'bad-request' })
    }
    expect(rig.git.fetches).toBe(0)
  })

  test('with a host name of another branch is a conflict that names the other branch', async () => {
    rig.commit('Feature/A')
    rig.commit('feature-a')
    await rig.deployed('Feature/A')
    const error = await rig.deploy('feature-a').catch((thrown) => thrown)
    expect(error).toMatchObject({ kind: 'conflict' })
    expect(error.message).toContain('Feature/A of repository')
    const [refusal] = await rig.store.audit.list({ branch: 'feature-a', limit: 5 })
    expect(refusal).toMatchObject({ kind: 'build_failed', environmentId: null })
  })

  test('over max_environments is refused, but not for an existing branch', async () => {
    const { projects } = rig.app.useCases
    await projects.update(rig.project.id, { maxEnvironments: 1 }, operator)
    rig.commit('one')
    rig.commit('two')
    const one = await rig.deployed('one')
    await expect(rig.deploy('two')).rejects.toMatchObject({ kind: 'unprocessable' })
    await rig.deployed('one')
    const live = await rig.store.environments.findLive(rig.project.id, 'one')
    await rig.app.useCases.environments.destroy(
      live?.id ?? one.id,
      { purgeSecrets: false },
      operator,
    )
    await rig.deployed('two')
  })

  test('with a failing build records the reason and keeps the old version', async () => {
    rig.commit('main')
    const old = await rig.deployed('main')
    rig.builder.buildFault = new DaemonError('unprocessable', 'npm run build exited with 1')
    const outcome = await rig.deploy('main')
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'npm run build exited with 1' })
    const id = outcome.kind === 'failed' ? outcome.environmentId : null
    const failed = await rig.row(id ?? 0)
    expect(failed).toMatchObject({ state: 'build_failed', operator: 'master', release: null })
    expect(await rig.auditKinds(failed.id)).toEqual(['build_failed'])
    expect(rig.logs.lines.get(failed.id)?.map(({ line }) => line)).toEqual(['built'])
    expect(await rig.store.environments.findLive(rig.project.id, 'main')).toMatchObject({
      id: old.id,
    })
    expect(rig.gateway.routes.get(old.hostname)).toMatchObject({ environmentId: old.id })
    expect(rig.builder.builds).toBe(2)
    expect(await readdir(join(rig.dataDir, 'releases', '1'))).toHaveLength(1)
  })

  test('with an invalid strata.json inserts a failed environment', async () => {
    rig.commit('main')
    rig.builder.planFault = new DaemonError('unprocessable', 'strata.json: start must be a command')
    const outcome = await rig.deploy('main')
    expect(outcome).toMatchObject({
      kind: 'failed',
      reason: 'strata.json: start must be a command',
    })
    const [row] = await rig.store.environments.list(rig.project.id)
    expect(row).toMatchObject({ state: 'build_failed', branch: 'main' })
  })

  test('of an unhealthy app stops the app and quotes the end of its log', async () => {
    rig.commit('main')
    const old = await rig.deployed('main')
    const id = old.id + 1
    rig.runtime.unhealthy.set(id, 'it exited with code 1')
    const scope = { kind: 'project', projectId: rig.project.id } as const
    const value = rig.vault.seal(redacted('hunter22'))
    await rig.store.secrets.set({ name: 'DB_PASSWORD', scope, value }, 0)
    const say = rig.logs.sink(id, 'stderr').write
    say(Buffer.from('Error: bad settings: JWT_SECRET is required, not hunter22'), 'stderr')
    const outcome = await rig.deploy('main')
    expect(outcome).toMatchObject({ kind: 'failed', environmentId: id })
    const reason = outcome.kind === 'failed' ? outcome.reason : ''
    expect(reason).toBe(
      'it exited with code 1; Error: bad settings: JWT_SECRET is required, not [redacted]; set it as a secret: strata env set JWT_SECRET',
    )
    expect([...rig.runtime.running.keys()]).toEqual([`strata-${old.id}`])
  })

  test('ends without leftovers if its environment is destroyed meanwhile', async () => {
    rig.commit('main')
    const old = await rig.deployed('main')
    rig.builder.gates.shut('build')
    const deploy = rig.deploy('main')
    await rig.builder.gates.reached('build')
    const { environments } = rig.app.useCases
    await environments.destroy(old.id + 1, { purgeSecrets: false }, operator)
    expect(await deploy).toMatchObject({ kind: 'failed', environmentId: old.id + 1 })
    expect((await rig.row(old.id + 1)).state).toBe('destroyed')
    expect(rig.gateway.routes.get(old.hostname)).toMatchObject({ environmentId: old.id })
    expect([...rig.runtime.running.keys()]).toEqual([`strata-${old.id}`])
    expect(await rig.auditKinds(old.id + 1)).toEqual(['destroy'])
    expect(rig.errors).toEqual([])
  })

  test('logs an internal error and hides its details from the caller', async () => {
    rig.commit('main')
    rig.builder.buildFault = new TypeError('undefined is no function')
    const outcome = await rig.deploy('main')
    expect(outcome).toMatchObject({ kind: 'failed' })
    expect(JSON.stringify(outcome)).not.toContain('undefined is no function')
    expect(rig.errors).toHaveLength(1)
  })
})

describe('a deployed app', () => {
  test('gets variables of its commit, overridden by secrets, overridden by STRATA_ variables', async () => {
    const sha = rig.commit('feature/x')
    const { projectId, branch } = { projectId: rig.project.id, branch: 'feature/x' }
    const set = (name: string, text: string, scope: Parameters<typeof rig.store.secrets.list>[0]) =>
      rig.store.secrets.set({ name, scope, value: rig.vault.seal(redacted(text)) }, 0)
    await set('A', 'global', { kind: 'global' })
    await set('B', 'global', { kind: 'global' })
    await set('B', 'project', { kind: 'project', projectId })
    await set('C', 'project', { kind: 'project', projectId })
    await set('C', 'branch', { kind: 'branch', projectId, branch })
    await set('STRATA_BRANCH', 'lies', { kind: 'branch', projectId, branch })
    rig.builder.launch = { ...rig.builder.launch, env: { A: 'plain', D: 'plain' } }
    await rig.deployed(branch)
    const env = Object.fromEntries(
      Object.entries(rig.runtime.started[0]?.env ?? {}).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : value.reveal(),
      ]),
    )
    expect(env).toMatchObject({
      A: 'global',
      B: 'project',
      C: 'branch',
      D: 'plain',
      STRATA_BRANCH: branch,
      STRATA_COMMIT: sha,
      STRATA_URL: 'http://feature-x--repository.localhost:9080',
    })
    expect(env.STRATA_DATA).toContain(join(rig.dataDir, 'volumes', String(projectId)))
  })

  test('keeps the files under ./data across deploys', async () => {
    const { writeFile } = await import('node:fs/promises')
    rig.commit('main')
    await rig.deployed('main')
    const first = rig.runtime.started[0]?.folder ?? ''
    await writeFile(join(first, 'data', 'app.db'), 'rows')
    await rig.deployed('main')
    const second = rig.runtime.started[1]?.folder ?? ''
    expect(second).not.toBe(first)
    expect(await readFile(join(second, 'data', 'app.db'), 'utf8')).toBe('rows')
  })
})

describe('a rollback', () => {
  test('deploys the newest other commit with its kept release', async () => {
    const first = rig.commit('main')
    await rig.deployed('main')
    rig.commit('main')
    await rig.deployed('main')
    rig.commit('main')
    rig.builder.buildFault = new DaemonError('unprocessable', 'no')
    await rig.deploy('main')
    rig.builder.buildFault = undefined
    const { builds } = rig.builder
    const { fetches } = rig.git
    const { deploys } = rig.app.useCases
    const outcome = await deploys.rollback(rig.project.id, { branch: 'main', wait: true }, operator)
    expect(outcome).toMatchObject({ kind: 'running', environment: { commitSha: first } })
    expect(rig.builder.builds).toBe(builds)
    expect(rig.git.fetches).toBe(fetches)
  })

  test('builds again if the release was pruned', async () => {
    rig.builder.launch = { ...rig.builder.launch, keepReleases: 1 }
    const first = rig.commit('main')
    await rig.deployed('main')
    rig.commit('main')
    await rig.deployed('main')
    const rows = await rig.store.environments.listSuccessful(rig.project.id, 'main')
    expect(rows.map(({ release }) => release !== null)).toEqual([true, false])
    const { deploys } = rig.app.useCases
    const input = { branch: 'main', toSha: first.slice(0, 6), wait: true }
    const outcome = await deploys.rollback(rig.project.id, input, operator)
    expect(outcome).toMatchObject({ kind: 'running', environment: { commitSha: first } })
    expect(rig.builder.builds).toBe(3)
  })

  test('keeps its release while the previous deploy prunes releases', async () => {
    rig.builder.launch = { ...rig.builder.launch, keepReleases: 1 }
    const first = rig.commit('main')
    await rig.deployed('main')
    rig.commit('main')
    rig.failpoints.shut('deploy:prune')
    await rig.deployed('main')
    await rig.failpoints.reached('deploy:prune')
    rig.failpoints.shut('deploy:start')
    const { deploys } = rig.app.useCases
    const back = deploys.rollback(rig.project.id, { branch: 'main', wait: true }, operator)
    await rig.failpoints.reached('deploy:start')
    rig.failpoints.open('deploy:prune')
    await settled()
    rig.failpoints.open('deploy:start')
    expect(await back).toMatchObject({ kind: 'running', environment: { commitSha: first } })
    expect(rig.builder.builds).toBe(2)
    expect(await readdir(rig.runtime.started.at(-1)?.folder ?? '')).toContain('commit')
  })

  test('to a commit that never ran, or without an earlier commit, is not found', async () => {
    rig.commit('main')
    await rig.deployed('main')
    const { deploys } = rig.app.useCases
    const back = (input: { toSha?: string }) =>
      deploys.rollback(rig.project.id, { branch: 'main', wait: true, ...input }, operator)
    await expect(back({})).rejects.toMatchObject({ kind: 'not-found' })
    await expect(back({ toSha: 'ffff' })).rejects.toMatchObject({ kind: 'not-found' })
  })

  test('with an ambiguous prefix asks for more characters', async () => {
    for (let count = 0; count < 2; count += 1) {
      rig.commit('main')
      await rig.deployed('main')
    }
    const { deploys } = rig.app.useCases
    const back = deploys.rollback(
      rig.project.id,
      { branch: 'main', toSha: '000', wait: true },
      operator,
    )
    await expect(back).rejects.toMatchObject({ kind: 'bad-request' })
  })
})
