import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { call } from './call.ts'
import { type Daemon, masterToken } from './daemon.ts'
import { createRepository, type Repository } from './plain-app.ts'
import type { Project } from './project.ts'

export interface GitRun {
  readonly code: number | null
  /** Standard output and error, in the order of arrival. */
  readonly text: string
}

/** A project whose repository the daemon hosts, with a clone of a user. */
export interface HostedProject extends Project {
  /** Returns the URL with a token as password; default: the master token. */
  url(token?: string): string
  /** Runs git in the clone, or in `folder`. */
  git(args: readonly string[], options?: GitOptions): Promise<GitRun>
  /** Starts git without waiting for its end. */
  start(args: readonly string[], options?: GitOptions): StartedGit
  /** Pushes refspecs; default: the checked-out branch. */
  push(refs?: readonly string[], options?: GitOptions): Promise<GitRun>
}

export interface GitOptions {
  readonly folder?: string
  readonly token?: string
}

export interface StartedGit {
  text(): string
  kill(signal: NodeJS.Signals): void
  ended: Promise<GitRun>
}

/** Registers a hosted project, and creates a repository with one commit. Pushes nothing. */
export async function createHostedProject(
  daemon: Daemon,
  name: string,
  files: Readonly<Record<string, string>>,
): Promise<HostedProject> {
  const answer = await call(daemon, 'POST', '/projects', { hosted: name })
  if (answer.status !== 201) throw new Error(`expected 201, got ${answer.status} ${answer.text}`)
  const repository: Repository = createRepository(join(daemon.dataDir, 'clones', name), files)
  const url = (token = masterToken) =>
    `http://ada:${token}@127.0.0.1:${daemon.port}/git/${name}.git`
  const start = (args: readonly string[], options: GitOptions = {}) =>
    startGit(args, options.folder ?? repository.folder)
  return {
    id: answer.body.id,
    name,
    remote: url(),
    repository,
    host: (branch = 'main') => `${branch}--${name}.localhost`,
    url,
    start,
    git: (args, options) => start(args, options).ended,
    push: (refs = ['HEAD'], options) =>
      start(['push', url(options?.token), ...refs], options).ended,
  }
}

function startGit(args: readonly string[], cwd: string): StartedGit {
  const child = spawn('git', [...args], {
    cwd,
    env: {
      ...process.env,
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_TERMINAL_PROMPT: '0',
      LC_ALL: 'C',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A terminal sends Ctrl-C to the whole group.
    detached: true,
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
  }
  const ended = new Promise<GitRun>((resolve) => {
    child.once('close', (code) => resolve({ code, text }))
  })
  return {
    text: () => text,
    kill: (signal) => void process.kill(-Number(child.pid), signal),
    ended,
  }
}
