import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '../apps/eventually.ts'
import { call, visit } from './call.ts'
import { type Daemon, webhookSecret } from './daemon.ts'
import { createRepository, plainApp, type Repository } from './plain-app.ts'

/** A registered repository of a daemon, and what tests ask about it. */
export interface Project {
  readonly id: number
  readonly name: string
  /** Its address as a git host tells it. */
  readonly remote: string
  readonly repository: Repository
  host(branch?: string): string
}

// biome-ignore lint/suspicious/noExplicitAny: rows are asserted on, member by member.
export type Row = any

/** Makes a repository beside the daemon's data and registers it. */
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
  if (status !== 201) throw new Error(`it was not registered: ${status} ${text}`)
  const host = (branch = 'main') => `${branch}--${name}.localhost`
  return { id: body.id, name, remote, repository, host }
}

/** A project whose repository is bare, with the hook of docs/daemon.md: what is pushed to it is deployed. */
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
  if (status !== 201) throw new Error(`it was not registered: ${status} ${text}`)
  const host = (branch = 'main') => `${branch}--${name}.localhost`
  const push = () => repository.git('push', '--quiet', 'origin', 'HEAD')
  return { id: body.id, name, remote, repository, host, push }
}

/** The hook as it is documented, for a daemon at another address and with another secret. */
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

/** All rows of a project, oldest first. */
export async function rowsOf(daemon: Daemon, project: Project): Promise<Row[]> {
  return (await call(daemon, 'GET', `/projects/${project.id}/environments`)).body
}

/** The live row of a branch, else its newest. */
export async function rowOf(daemon: Daemon, project: Project, branch = 'main'): Promise<Row> {
  const path = `/projects/${project.id}/environments?branch=${encodeURIComponent(branch)}`
  return (await call(daemon, 'GET', path)).body.at(-1)
}

/** True when a commit answers on the branch's host name within half a minute. */
export function answersWith(
  daemon: Daemon,
  project: Project,
  sha: string,
  branch = 'main',
): Promise<boolean> {
  const isThere = async () => (await visit(daemon, project.host(branch))).body?.commit === sha
  return eventually(isThere, 30_000)
}

/** True when the queue is empty within a minute. */
export function drains(daemon: Daemon): Promise<boolean> {
  return eventually(async () => (await call(daemon, 'GET', '/queue')).body.length === 0, 60_000)
}
