import { join } from 'node:path'
import { eventually } from '../../apps/support/eventually.ts'
import { call, visit } from './call.ts'
import type { Daemon } from './daemon.ts'
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
