import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '../apps/eventually.ts'
import { call, visit } from './call.ts'
import { type Daemon, webhookSecret } from './daemon.ts'
import { createRepository, plainApp, type Repository } from './plain-app.ts'

/** A project registered at a daemon, with its repository. */
export interface Project {
  readonly id: number
  readonly name: string
  /** Remote URL, as in webhooks. */
  readonly remote: string
  readonly repository: Repository
  host(branch?: string): string
}

// biome-ignore lint/suspicious/noExplicitAny: tests assert on the members of a row.
export type Row = any

/** Creates a repository in the daemon's data folder and registers it. */
export async function createProject(
  daemon: Daemon,
  name = 'shop',
  files: Readonly<Record<string, string>> = plainApp,
): Promise<Project> {
  const repository = createRepository(join(daemon.dataDir, 'repositories', name), files)
  const remote = `https://git.example.com/team/${name}.git`
  repository.git('remote', 'add', 'origin', remote)
  const { status, body, text } = await call(daemon, 'POST', '/projects', {
    repo_dir: repository.folder,
  })
  if (status !== 201)
    throw new Error(`expected POST /projects to answer 201, got ${status} ${text}`)
  const host = (branch = 'main') => `${branch}--${name}.localhost`
  return { id: body.id, name, remote, repository, host }
}

/** Creates a project with a bare repository and the post-receive hook of the documentation, which deploys each push. */
export async function createPushedProject(
  daemon: Daemon,
  name: string,
): Promise<Project & { push(): string }> {
  const folder = join(daemon.dataDir, 'repositories')
  const bare = join(folder, `${name}.git`)
  const repository = createRepository(join(folder, name), {})
  repository.git('clone', '--quiet', '--bare', '.', bare)
  repository.git('remote', 'add', 'origin', bare)
  const remote = `https://git.example.com/team/${name}.git`
  repository.git('--git-dir', bare, 'remote', 'set-url', 'origin', remote)
  const hook = join(bare, 'hooks/post-receive')
  writeFileSync(hook, hookFor(daemon), { mode: 0o755 })
  const { status, body, text } = await call(daemon, 'POST', '/projects', { repo_dir: bare })
  if (status !== 201)
    throw new Error(`expected POST /projects to answer 201, got ${status} ${text}`)
  const host = (branch = 'main') => `${branch}--${name}.localhost`
  const push = () => repository.git('push', '--quiet', 'origin', 'HEAD')
  return { id: body.id, name, remote, repository, host, push }
}

/** Returns the documented hook with the daemon's address and secret. */
function hookFor(daemon: Daemon): string {
  const text = readFileSync(new URL('../../../docs/daemon.md', import.meta.url), 'utf8')
  const [, hook] = /```js\n(#![\s\S]*?)```/.exec(text) ?? []
  if (hook === undefined) throw new Error('docs/daemon.md has no hook')
  return hook
    .replace('http://127.0.0.1:9000/api/v1', daemon.url)
    .replace(/readFileSync\(`.*`, 'utf8'\)/, JSON.stringify(webhookSecret))
}

export function deploy(daemon: Daemon, project: Project, branch = 'main') {
  return call(daemon, 'POST', `/projects/${project.id}/deploy`, { branch })
}

/** Returns all environment rows of a project, oldest first. */
export async function rowsOf(daemon: Daemon, project: Project): Promise<Row[]> {
  return (await call(daemon, 'GET', `/projects/${project.id}/environments`)).body
}

/** Returns the newest environment row of a branch. */
export async function rowOf(daemon: Daemon, project: Project, branch = 'main'): Promise<Row> {
  const path = `/projects/${project.id}/environments?branch=${encodeURIComponent(branch)}`
  return (await call(daemon, 'GET', path)).body.at(-1)
}

/** Resolves with true when the branch's host serves the commit, or with false after 120 s. */
export function servesCommit(
  daemon: Daemon,
  project: Project,
  sha: string,
  branch = 'main',
): Promise<boolean> {
  const isThere = async () => (await visit(daemon, project.host(branch))).body?.commit === sha
  return eventually(isThere, 120_000)
}

/** Resolves with true when the queue is empty, or with false after 180 s. */
export function queueBecomesEmpty(daemon: Daemon): Promise<boolean> {
  return eventually(async () => (await call(daemon, 'GET', '/queue')).body.length === 0, 180_000)
}
