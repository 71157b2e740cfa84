import { existsSync } from 'node:fs'
import { mkdir, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createRig, operator, type Rig } from '../../../test/support/daemon/app/rig.ts'
import { redacted } from '../../domain/redacted.ts'
import { DaemonError } from '../../errors.ts'
import { warnOfDuplicateRemotes } from './duplicate-remotes.ts'

let rig: Rig
beforeEach(async () => {
  rig = await createRig()
})
afterEach(async () => {
  await rig.close()
})

test('registering one repository under different spellings yields one project', async () => {
  const { projects } = rig.app.useCases
  const folder = join(rig.dataDir, 'repository')
  await symlink(folder, join(rig.dataDir, 'link'))
  const again = await projects.register({ repoDir: `${folder}/` }, operator)
  const linked = await projects.register({ repoDir: join(rig.dataDir, 'link') }, operator)
  expect([again.id, linked.id]).toEqual([rig.project.id, rig.project.id])
  const url = await projects.register({ repoUrl: 'git@Example.com:team/shop.git' }, operator)
  const same = await projects.register({ repoUrl: 'ssh://git@example.com/team/shop.git' }, operator)
  expect(same.id).toBe(url.id)
  expect(rig.git.fetches).toBe(0)
  const part = await projects.register({ repoDir: folder, context: 'apps//web/' }, operator)
  expect(part).toMatchObject({ context: 'apps/web', name: 'repository-web' })
  const kinds = (await rig.store.audit.list({ limit: 10 })).map(({ kind }) => kind)
  expect(kinds).toEqual(['project_created', 'project_created', 'project_created'])
})

test('one remote is one project per context, however its URL is spelled', async () => {
  const { projects } = rig.app.useCases
  const spellings = [
    'https://example.com/Team/Shop',
    'https://example.com/team/shop.git',
    'https://EXAMPLE.com:443/team/shop/',
    'git@example.com:team/shop.git',
    'ssh://git@example.com:22/Team/shop',
  ]
  for (const context of ['', 'web']) {
    const ids = await Promise.all(
      spellings.map(
        async (repoUrl) => (await projects.register({ repoUrl, context }, operator)).id,
      ),
    )
    expect(new Set(ids).size, context).toBe(1)
    // git fetches the spelling that was registered first: a host may care about case.
    expect((await projects.find(ids[0] ?? 0)).repoUrl).toBe('https://example.com/Team/Shop')
  }
  const other = await projects.register({ repoUrl: 'https://example.com:8443/team/shop' }, operator)
  expect(other.repoUrl).toBe('https://example.com:8443/team/shop')
  expect(await rig.store.projects.listByRemote('example.com/team/shop')).toHaveLength(2)
})

test('a start warns of projects for one remote that an older daemon has registered', async () => {
  const warnings: object[] = []
  const list = async () =>
    [1, 2, 3].map((id) => ({
      ...rig.project,
      id,
      repoDir: null,
      repoUrl: `https://h/a${id === 2 ? '.git' : ''}`,
      remoteKey: id === 3 ? 'h/b' : 'h/a',
    }))
  const store = { projects: { ...rig.store.projects, list } }
  await warnOfDuplicateRemotes({ store, logger: { warn: (fields) => void warnings.push(fields) } })
  expect(warnings).toEqual([{ projectId: 2, repoUrl: 'https://h/a.git', oldestId: 1 }])
})

test('registering a path without a repository, or a context outside it, is refused', async () => {
  const { projects } = rig.app.useCases
  await mkdir(join(rig.dataDir, 'plain'))
  const repoDir = join(rig.dataDir, 'repository')
  const wrong = [
    { repoDir: 'repository' },
    { repoDir: join(rig.dataDir, 'absent') },
    { repoDir: join(rig.dataDir, 'plain') },
    { repoDir, context: '../..' },
    { repoDir, context: '/etc' },
    { repoDir, context: 'a/../../b' },
    { repoDir, context: '.git/hooks' },
    { repoUrl: 'file:///etc' },
    { repoUrl: '--upload-pack=x' },
    { repoDir, repoUrl: 'https://example.com/a/b' },
    {},
  ]
  for (const input of wrong) {
    const error = await projects.register(input, operator).catch((thrown) => thrown)
    expect(error, JSON.stringify(input)).toMatchObject({ kind: 'bad-request' })
  }
})

test('a repository renamed at its host keeps its project', async () => {
  const { projects } = rig.app.useCases
  const ssh = await projects.register({ repoUrl: 'git@example.com:Team/shop.git' }, operator)
  const part = { repoUrl: 'https://example.com/team/shop', context: 'web' }
  const web = await projects.register(part, operator)
  const rename = {
    fromKey: ssh.remoteKey ?? '',
    toKey: 'example.com/team/store',
    path: 'Team/Store',
    projectIds: null,
  }
  expect(await projects.rename(rename, operator)).toEqual([ssh.id, web.id])
  expect(await projects.find(ssh.id)).toMatchObject({
    repoUrl: 'ssh://git@example.com/Team/Store.git',
    remoteKey: 'example.com/team/store',
    name: 'shop',
  })
  expect((await projects.find(web.id)).repoUrl).toBe('https://example.com/Team/Store')
  expect(await projects.rename(rename, operator)).toEqual([])
})

test('a rename to the source of another project is ignored', async () => {
  const { projects } = rig.app.useCases
  const old = await projects.register({ repoUrl: 'https://example.com/team/shop' }, operator)
  await projects.register({ repoUrl: 'https://example.com/team/store' }, operator)
  const rename = {
    fromKey: 'example.com/team/shop',
    toKey: 'example.com/team/store',
    path: 'team/store',
    projectIds: null,
  }
  expect(await projects.rename(rename, operator)).toEqual([])
  expect((await projects.find(old.id)).repoUrl).toBe('https://example.com/team/shop')
})

test('a git token is stored encrypted and never audited', async () => {
  const { projects } = rig.app.useCases
  const input = { repoUrl: 'https://example.com/a/b', gitToken: redacted('ghp_verysecret') }
  const { id } = await projects.register(input, operator)
  await projects.update(id, { gitToken: redacted('ghp_othersecret'), pauseAfter: '2h' }, operator)
  const project = await projects.update(id, { gitToken: null }, operator)
  expect(project).toMatchObject({ gitToken: null, pauseAfter: '2h' })
  const entries = await rig.store.audit.list({ projectId: id, limit: 10 })
  expect(entries).toHaveLength(3)
  expect(JSON.stringify(entries)).not.toContain('secret')
})

test('removing a project removes its environments, deploys, data and folders', async () => {
  rig.commit('main')
  const { id } = await rig.deployed('main')
  rig.builder.gates.shut('build')
  rig.commit('other')
  const going = rig.deploy('other').catch((error) => error)
  await rig.builder.gates.reached('build')
  const { projects } = rig.app.useCases
  await projects.remove(rig.project.id, { purgeData: false }, operator)
  expect(await going).toMatchObject({ kind: 'not-found' })
  expect(rig.runtime.running.size).toBe(0)
  expect(rig.gateway.routes.size).toBe(0)
  expect(await rig.store.environments.find(id)).toBeUndefined()
  expect(existsSync(join(rig.dataDir, 'releases', String(rig.project.id)))).toBe(false)
  expect(existsSync(join(rig.dataDir, 'volumes', String(rig.project.id)))).toBe(false)
  await expect(projects.find(rig.project.id)).rejects.toMatchObject({ kind: 'not-found' })
  await expect(
    projects.remove(rig.project.id, { purgeData: false }, operator),
  ).rejects.toMatchObject({
    kind: 'not-found',
  })
  const [last] = await rig.store.audit.list({ kind: 'project_deleted', limit: 1 })
  expect(last).toMatchObject({ operator: 'master', requestId: 'request-1' })
  expect(rig.errors).toEqual([])
})

test('destroying an environment releases its host name, its data and, on request, its secrets', async () => {
  rig.commit('Feature/A')
  rig.commit('feature-a')
  const { id } = await rig.deployed('Feature/A')
  const scope = { kind: 'branch', projectId: rig.project.id, branch: 'Feature/A' } as const
  const value = rig.vault.seal(redacted('value'))
  await rig.store.secrets.set({ name: 'A', scope, value }, 0)
  const env = rig.runtime.started[0]?.env
  const { environments } = rig.app.useCases
  await environments.destroy(id, { purgeSecrets: true }, operator)
  await environments.destroy(id, { purgeSecrets: true }, operator)
  expect(await rig.store.secrets.list(scope)).toEqual([])
  expect(existsSync(String(env?.STRATA_DATA))).toBe(false)
  expect(await rig.auditKinds(id)).toEqual(['build_succeeded', 'destroy'])
  expect(rig.logs.ended).toContain(id)
  await rig.deployed('feature-a')
})

test('destroying a failed environment leaves the live version untouched', async () => {
  rig.commit('Feature/A')
  rig.commit('feature-a')
  const live = await rig.deployed('Feature/A')
  const scope = { kind: 'branch', projectId: rig.project.id, branch: 'Feature/A' } as const
  await rig.store.secrets.set({ name: 'A', scope, value: rig.vault.seal(redacted('v')) }, 0)
  rig.builder.buildFault = new DaemonError('unprocessable', 'no')
  const failed = await rig.deploy('Feature/A')
  rig.builder.buildFault = undefined
  const id = failed.kind === 'failed' ? (failed.environmentId ?? 0) : 0
  const { environments } = rig.app.useCases
  await environments.destroy(id, { purgeSecrets: true }, operator)
  expect(await rig.store.secrets.list(scope)).toHaveLength(1)
  expect(rig.gateway.routes.get(live.hostname)).toMatchObject({ environmentId: live.id })
  expect(existsSync(String(rig.runtime.started[0]?.env.STRATA_DATA))).toBe(true)
  expect(existsSync(String(rig.runtime.started[0]?.folder))).toBe(true)
  await expect(rig.deploy('feature-a')).rejects.toMatchObject({ kind: 'conflict' })
})

test('following the log of a failed or destroyed environment ends after its last line', async () => {
  rig.commit('main')
  const { id } = await rig.deployed('main')
  const { environments } = rig.app.useCases
  const read = async () => {
    const lines: string[] = []
    const signal = new AbortController().signal
    for await (const { line } of environments.followLogs(id, null, signal)) lines.push(line)
    return lines
  }
  expect(await read()).toEqual(['built'])
  await environments.destroy(id, { purgeSecrets: false }, operator)
  expect(await read()).toEqual(['built'])
  await expect(environments.logs(99, 10)).rejects.toMatchObject({ kind: 'not-found' })
})

test('listing a branch returns its live environment, or its newest if none is live', async () => {
  rig.commit('main')
  await rig.deployed('main')
  const live = await rig.deployed('main')
  rig.builder.planFault = new Error('no')
  await rig.deploy('main')
  const { environments } = rig.app.useCases
  expect((await environments.list(rig.project.id)).map(({ state }) => state)).toEqual([
    'destroyed',
    'running',
    'build_failed',
  ])
  expect(await environments.list(rig.project.id, 'main')).toMatchObject([{ id: live.id }])
  await environments.destroy(live.id, { purgeSecrets: false }, operator)
  expect(await environments.list(rig.project.id, 'main')).toMatchObject([{ id: live.id + 1 }])
  expect(await environments.list(rig.project.id, 'absent')).toEqual([])
  await rm(join(rig.dataDir, 'releases'), { recursive: true, force: true })
})
