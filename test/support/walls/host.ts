import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { accessSync, constants, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { readHierarchies } from '../../../daemon/walls/hierarchies.ts'
import { eventually } from '../apps/eventually.ts'
import { type Answer, call } from '../stratad/call.ts'
import { cleanUp, type Daemon, startDaemon } from '../stratad/daemon.ts'
import { createRepository, type Repository } from '../stratad/plain-app.ts'

/** The reason that the walls can't be tested here; undefined if they can. */
export const noWalls =
  process.platform !== 'linux'
    ? 'the walls need Linux'
    : process.getuid?.() !== 0
      ? 'the walls need root'
      : spawnSync('unshare', ['--mount', '--ipc', 'true']).status !== 0
        ? 'this host refuses namespaces'
        : undefined

/** The reason that limits can't be tested here; undefined if they can. */
export const noLimits = noWalls ?? limitProblem()

function limitProblem(): string | undefined {
  const isUsable = readHierarchies().some(({ version, controllers, own }) => {
    const names = version === 1 ? controllers : namesIn(join(own, 'cgroup.controllers'))
    return names.includes('memory') && isWritable(own)
  })
  return isUsable ? undefined : 'this host lets root write no control group'
}

function namesIn(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').trim().split(' ')
  } catch {
    return []
  }
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Random values, one for each kind of secret. No tenant may ever read any of them. */
export interface Canaries {
  readonly apiToken: string
  readonly webhookSecret: string
  readonly masterKey: string
  /** Secret of the victim project. */
  readonly secret: string
  /** Text in the victim's data, in its release and in its log. */
  readonly data: string
  readonly release: string
  readonly log: string
}

/** A daemon that runs as root, with canaries as its secrets. */
export interface Host {
  readonly daemon: Daemon
  readonly canaries: Canaries
  call(method: string, path: string, body?: unknown, token?: string): Promise<Answer>
  /** Creates a repository that only root can read, and registers it. */
  createProject(name: string, files: Readonly<Record<string, string>>): Promise<HostedProject>
  /** Stops everything and removes all files. */
  remove(): Promise<void>
}

export interface HostedProject {
  readonly id: number
  readonly name: string
  readonly repository: Repository
  host(branch?: string): string
  deploy(branch?: string): Promise<Answer>
}

export async function startHost(env: Readonly<Record<string, string>> = {}): Promise<Host> {
  const hex = (bytes = 16) => randomBytes(bytes).toString('hex')
  const canaries: Canaries = {
    apiToken: hex(),
    webhookSecret: hex(),
    masterKey: hex(32),
    secret: hex(),
    data: hex(),
    release: hex(),
    log: hex(),
  }
  const daemon = await startDaemon({
    env: {
      SERVICE_API_TOKEN: canaries.apiToken,
      SERVICE_WEBHOOK_SECRET: canaries.webhookSecret,
      SERVICE_MASTER_KEY: canaries.masterKey,
      ...env,
    },
  })
  const repositories = mkdtempSync(join(tmpdir(), 'strata-walls-'))
  const send: Host['call'] = (method, path, body, token = canaries.apiToken) =>
    call(daemon, method, path, body, { token })
  return {
    daemon,
    canaries,
    call: send,
    async createProject(name, files) {
      const repository = createRepository(join(repositories, name), files)
      repository.git('remote', 'add', 'origin', remoteOf(name))
      const { status, body, text } = await send('POST', '/projects', {
        repo_dir: repository.folder,
      })
      if (status !== 201) throw new Error(`POST /projects answered ${status} ${text}`)
      const { id } = body
      return {
        id,
        name,
        repository,
        host: (branch = 'main') => `${branch}--${basename(name)}.localhost`,
        deploy: (branch = 'main') => send('POST', `/projects/${id}/deploy`, { branch }),
      }
    },
    async remove() {
      const projects = await send('GET', '/projects').catch(() => undefined)
      for (const { id } of projects?.body ?? []) await send('DELETE', `/projects/${id}`)
      await daemon.stop('SIGKILL')
      cleanUp(daemon.dataDir)
      rmSync(repositories, { recursive: true, force: true })
    },
  }
}

/** Returns the remote URL of a project, as in webhooks. Only compared, never contacted. */
export function remoteOf(name: string): string {
  return `https://git.example.com/walls/${name}.git`
}

/** Returns the ids of all processes of a user. */
export function processesOfUser(uid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/status`, 'utf8').includes(`\nUid:\t${uid}\t`)
      } catch {
        return false
      }
    })
    .map(Number)
}

/** Resolves with true when the user has no process, or with false after a timeout. */
export function everythingEnds(uid: number, withinMs = 15_000): Promise<boolean> {
  return eventually(() => processesOfUser(uid).length === 0, withinMs)
}
