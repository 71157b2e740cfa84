import { strictEqual } from 'node:assert'
import { join } from 'node:path'
import * as z from 'zod'
import { type Answer, mustAsk } from './ask.ts'
import { createEmittedRepository } from './emitted-app.ts'
import { createPlainRepository, type PlainRepository } from './plain-app.ts'
import { type Stratad, type StratadOptions, startStratad } from './stratad.ts'

/** A daemon, and the repositories and apps that scenarios deploy on it. */
export interface Hosting {
  readonly daemon: Stratad
  /** Creates and registers a repository of the plain app with these branches. */
  register(name: string, branches: readonly string[]): Promise<Registered>
  /** Returns the plain app; the first call deploys it. */
  plain(): Promise<Deployed>
  /** Returns the emitted app with 20 users. The first call installs, builds and deploys it, which takes minutes. */
  emitted(): Promise<Deployed>
  /** Wakes an app and returns its current state: after each wake, it has another process and another port. */
  awake(app: Deployed): Promise<Deployed>
  stop(): Promise<void>
}

export interface Registered extends PlainRepository {
  readonly name: string
  readonly projectId: number
}

/** A running environment and its expected response. */
export interface Deployed {
  readonly environmentId: number
  readonly host: string
  readonly port: number
  readonly branch: string
  readonly commit: string
  /** A path and the response to it. The response of the plain app contains its process id. */
  readonly path: string
  readonly text: string
}

const environment = z.object({
  id: z.int(),
  state: z.literal('running'),
  url: z.string(),
  host_port: z.int(),
  branch: z.object({ name: z.string(), commit_sha: z.string() }),
})

/** Starts a daemon. `folder` holds its data and the repositories; `executable` is the default build's if absent. */
export async function startHosting(folder: string, options: StratadOptions = {}): Promise<Hosting> {
  const daemon = await startStratad(join(folder, 'hosting'), options)
  const repositories = join(folder, 'repositories')
  let plain: Promise<Deployed> | undefined
  let emitted: Promise<Deployed> | undefined

  async function registerFolder(repository: string): Promise<number> {
    const path = '/api/v1/projects'
    const answer = await daemon.call(201, post(path, { repo_dir: repository }))
    return z.object({ id: z.int() }).parse(JSON.parse(answer.text)).id
  }

  async function register(name: string, branches: readonly string[]): Promise<Registered> {
    const repository = createPlainRepository(repositories, name, branches)
    return { ...repository, name, projectId: await registerFolder(repository.folder) }
  }

  async function deploy(projectId: number, path: string): Promise<Deployed> {
    const request = post(`/api/v1/projects/${projectId}/deploy`, { branch: 'main' })
    return describe((await daemon.call(201, request)).text, path)
  }

  /** Parses the API's JSON of an environment, and requests the app once. */
  async function describe(json: string, path: string): Promise<Deployed> {
    const { id, url: host, host_port: port, branch } = environment.parse(JSON.parse(json))
    const { name, commit_sha: commit } = branch
    const { text } = await visit(daemon, { host, path })
    return { environmentId: id, host, port, branch: name, commit, path, text }
  }

  async function deployPlain(): Promise<Deployed> {
    const { projectId, commits } = await register('plain', ['main'])
    const deployed = await deploy(projectId, '/')
    strictEqual(deployed.commit, commits.get('main'))
    return deployed
  }

  async function deployEmitted(): Promise<Deployed> {
    const projectId = await registerFolder(createEmittedRepository(join(repositories, 'emitted')))
    const { host, ...deployed } = await deploy(projectId, '/api/v1/users')
    for (let index = 0; index < 20; index += 1) {
      const user = { name: `Ada ${index}`, email: `ada${index}@example.com`, age: 20 + index }
      const request = post(deployed.path, user)
      await mustAsk(daemon.gatewayPort, 201, {
        ...request,
        headers: { ...request.headers, host },
      })
    }
    const { text } = await visit(daemon, { host, path: deployed.path })
    strictEqual(z.object({ total: z.int() }).parse(JSON.parse(text)).total, 20)
    return { ...deployed, host, text }
  }

  return {
    daemon,
    register,
    plain: () => (plain ??= deployPlain()),
    emitted: () => (emitted ??= deployEmitted()),
    async awake({ environmentId, host, path }) {
      await visit(daemon, { host, path })
      const { text } = await daemon.call(200, { path: `/api/v1/environments/${environmentId}` })
      return describe(text, path)
    },
    stop: () => daemon.stop(),
  }
}

/** Sends a request through the gateway. Throws unless the status is 200. */
export function visit(
  { gatewayPort }: Stratad,
  { host, path }: { host: string; path: string },
): Promise<Answer> {
  return mustAsk(gatewayPort, 200, { path, headers: { host } })
}

export function post(path: string, body: unknown) {
  const headers = { 'content-type': 'application/json' }
  return { method: 'POST', path, headers, body: JSON.stringify(body) }
}
