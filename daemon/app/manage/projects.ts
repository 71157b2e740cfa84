import { realpath, stat } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { durationMs } from '../../domain/duration.ts'
import { hostedName, hostedSource, isHostedName } from '../../domain/hosted.ts'
import type { Project } from '../../domain/records.ts'
import { contextPath, projectName } from '../../domain/sources.ts'
import { DaemonError } from '../../errors.ts'
import { normalizeRemote } from '../../git/remote-url.ts'
import type { Clock, Redacted, Repositories, Store, Vault } from '../../ports.ts'
import { auditRow } from '../ground/audit-row.ts'
import type { AppGit } from '../ground/deps.ts'
import type { Actor, ProjectUseCases } from '../ground/use-cases.ts'
import { isReached } from '../ground/webhook-reach.ts'
import type { ProjectRemoval } from '../requests/remove-project.ts'

type Source = Pick<Project, 'repoDir' | 'repoUrl' | 'context' | 'remoteKey'>
type Rename = Parameters<ProjectUseCases['rename']>[0]
type Changes = Parameters<ProjectUseCases['update']>[1]

export function createProjects(deps: {
  store: Store
  clock: Clock
  vault: Vault
  git: Pick<AppGit, 'originOf' | 'checkHost'>
  repositories: Pick<Repositories, 'ensure'>
  projectRemoval: ProjectRemoval
  allowsManyProjects: boolean
}): ProjectUseCases {
  const { store, clock, vault, git, repositories, projectRemoval } = deps

  async function find(id: number): Promise<Project> {
    const project = await store.projects.find(id)
    if (!project) throw notFound(id)
    return project
  }

  async function register(
    input: Parameters<ProjectUseCases['register']>[0],
    actor: Actor,
  ): Promise<Project> {
    const source = await sourceOf(input, git)
    const project = await store.transaction(async (tx) => {
      const known = await tx.projects.findBySource(source)
      if (!known && hostedName(source) !== undefined) await requireFreeName(tx, source)
      if (known) return input.gitToken ? replaceToken(tx, known, input.gitToken, actor) : known
      if (!deps.allowsManyProjects && (await tx.projects.list(null)).length > 0) throw alone()
      const at = clock.now()
      const project = await tx.projects.create({
        ...source,
        name: projectName(source.repoDir ?? source.repoUrl ?? '', source.context),
        ...defaults,
        defaultBranch: null,
        gitToken: input.gitToken ? vault.seal(input.gitToken) : null,
        webhookSecret: null,
        webhookAt: null,
        createdAt: at,
      })
      const detail = `${project.name} was registered from ${source.repoDir ?? source.repoUrl}`
      await tx.audit.write(
        auditRow('project_created', { projectId: project.id }, detail, actor, at),
      )
      return project
    })
    if (hostedName(project) !== undefined) await repositories.ensure(project.id)
    return project
  }

  /** A hosted repository has one project: a push deploys all of it. */
  async function requireFreeName(tx: Store, source: Source): Promise<void> {
    const [other] = await tx.projects.listByRemote(source.remoteKey ?? '')
    if (!other) return
    throw new DaemonError(
      'conflict',
      `the hosted repository ${hostedName(source)} belongs to project ${other.id}, with another context: choose another name`,
    )
  }

  async function replaceToken(tx: Store, { id }: Project, token: Redacted, actor: Actor) {
    const project = await tx.projects.update(id, { gitToken: vault.seal(token) })
    if (!project) throw notFound(id)
    const row = auditRow('project_updated', { projectId: id }, 'git_token', actor, clock.now())
    await tx.audit.write(row)
    return project
  }

  async function update(id: number, changes: Changes, actor: Actor): Promise<Project> {
    for (const text of [changes.pauseAfter, changes.destroyAfter]) {
      if (text === undefined || text === null || durationMs(text) !== undefined) continue
      throw new DaemonError(
        'bad-request',
        `invalid duration ${JSON.stringify(text)}: expected a text such as 30s, 30m, 2h or 7d`,
      )
    }
    const { gitToken, ...plain } = changes
    const sealed =
      gitToken === undefined ? {} : { gitToken: gitToken === null ? null : vault.seal(gitToken) }
    return store.transaction(async (tx) => {
      const project = await tx.projects.update(id, { ...plain, ...sealed })
      if (!project) throw notFound(id)
      const detail = detailOf(changes)
      const row = auditRow('project_updated', { projectId: id }, detail, actor, clock.now())
      await tx.audit.write(row)
      return project
    })
  }

  async function rename(input: Rename, actor: Actor): Promise<number[]> {
    return store.transaction(async (tx) => {
      const renamed: number[] = []
      for (const project of await tx.projects.listByRemote(input.fromKey)) {
        if (!isReached(input, project)) continue
        const source = renamedSource(project, input)
        // Another project already has the new source: keep this project's source.
        const other = source.repoUrl && (await tx.projects.findBySource({ ...project, ...source }))
        if (other && other.id !== project.id) continue
        await tx.projects.update(project.id, source)
        const detail = `the repository moved to ${input.toKey}`
        const subject = { projectId: project.id }
        await tx.audit.write(auditRow('project_updated', subject, detail, actor, clock.now()))
        renamed.push(project.id)
      }
      return renamed
    })
  }

  return {
    register,
    find,
    rename,
    list: (ids) => store.projects.list(ids),
    update,
    async remove(id, input, actor) {
      await projectRemoval.remove(await find(id), input, actor)
    },
  }
}

function alone(): DaemonError {
  return new DaemonError(
    'conflict',
    'this daemon hosts one project only: no walls stand between users here, so nothing would keep apps of two projects from reading and changing each other; run stratad as root on Linux (GET /infra/status says what is missing), or set SERVICE_TRUST_APPS=1 if you trust all apps',
  )
}

/** Returns the source with the new path and unchanged scheme, user and host. */
function renamedSource({ repoUrl }: Project, { toKey, path }: Rename) {
  if (repoUrl === null) return { remoteKey: toKey }
  const url = new URL(repoUrl)
  url.pathname = `/${path}${url.pathname.endsWith('.git') ? '.git' : ''}`
  return { repoUrl: normalizeRemote(url.href).url, remoteKey: toKey }
}

const defaults = {
  pauseAfter: '30m',
  destroyAfter: '7d',
  branches: [],
  ignore: [],
  maxEnvironments: null,
} as const

async function sourceOf(
  input: { repoDir?: string; repoUrl?: string; hosted?: string; context?: string },
  git: Pick<AppGit, 'originOf' | 'checkHost'>,
): Promise<Source> {
  const { repoDir, repoUrl } = input
  const context = contextPath(input.context ?? '')
  if (context === undefined) {
    throw new DaemonError('bad-request', 'context must be a folder inside the repository')
  }
  const sources = [repoDir, repoUrl, input.hosted].filter((each) => each !== undefined)
  if (sources.length !== 1) {
    throw new DaemonError('bad-request', 'give exactly one of repo_dir, repo_url and hosted')
  }
  if (input.hosted !== undefined) {
    if (!isHostedName(input.hosted)) {
      throw new DaemonError('bad-request', 'hosted must be a name such as shop or blog-2')
    }
    return { repoDir: null, ...hostedSource(input.hosted), context }
  }
  if (repoUrl !== undefined) {
    const { url, key } = normalizeRemote(repoUrl)
    await git.checkHost(url)
    return { repoDir: null, repoUrl: url, remoteKey: key, context }
  }
  const folder = await repositoryFolder(repoDir ?? '')
  return { repoDir: folder, repoUrl: null, remoteKey: await git.originOf(folder), context }
}

/** Returns the real path of a git repository, bare or not. Throws `bad-request` if the path is not a repository. */
async function repositoryFolder(path: string): Promise<string> {
  if (!isAbsolute(path)) throw new DaemonError('bad-request', 'repo_dir must be an absolute path')
  const folder = await realpath(path).catch(() => undefined)
  if (folder === undefined) {
    throw new DaemonError('bad-request', `repo_dir ${path} does not exist on the daemon's host`)
  }
  const isRepository =
    (await exists(join(folder, '.git'))) ||
    ((await exists(join(folder, 'HEAD'))) && (await exists(join(folder, 'objects'))))
  if (isRepository) return folder
  throw new DaemonError(
    'bad-request',
    `repo_dir ${path} is not a git repository: run git init in it`,
  )
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

/** Returns the changes for the audit log, without the git token. */
function detailOf({ gitToken, ...plain }: Changes): string {
  const parts = Object.entries(plain).map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
  if (gitToken !== undefined) parts.push(gitToken === null ? 'gitToken: removed' : 'gitToken')
  return parts.join(', ')
}

function notFound(id: number): DaemonError {
  return new DaemonError('not-found', `no project ${id}`)
}
