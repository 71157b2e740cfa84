import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createBackupUseCases } from '../../../../daemon/app/manage/backups.ts'
import { createEventUseCases } from '../../../../daemon/app/manage/events.ts'
import { createKeyUseCases } from '../../../../daemon/app/manage/rotate-key.ts'
import { createSecretUseCases } from '../../../../daemon/app/manage/secrets.ts'
import { createTokenUseCases } from '../../../../daemon/app/manage/tokens.ts'
import type { Environment, Project, QueueEntry } from '../../../../daemon/domain/records.ts'
import { redacted } from '../../../../daemon/domain/redacted.ts'
import {
  createHttp,
  type Http,
  type HttpConfig,
  type HttpDeps,
} from '../../../../daemon/http/http.ts'
import type { Archives } from '../../../../daemon/ports.ts'
import { createArchives } from '../../../../daemon/store/backup/archives.ts'
import { createProxyConfig } from '../../../../daemon/traefik/config-response.ts'
import { routeSourceOf } from '../../../../daemon/traefik/route-source.ts'
import { fakeInstance } from '../app/fake-runtime.ts'
import { createRig, operator, type Rig } from '../app/rig.ts'
import { environmentDraft, projectDraft, queueDraft } from '../store/record-drafts.ts'
import { volumeReader } from '../store/volume-reader.ts'
import { recordCalls, type UseCaseCall } from './use-case-calls.ts'

export const masterToken = 'm'.repeat(64)

/** The HTTP server over the real use-cases, store and vault. The rig fakes the other ports and the clock. */
export interface TestServer {
  readonly rig: Rig
  readonly archives: Archives
  readonly http: Http
  readonly url: string
  readonly port: number
  readonly logged: Logged[]
  /** Every call of a use-case, oldest first. */
  readonly calls: UseCaseCall[]
  /** The readers of `/proxy/config`. */
  readonly proxyReaders: readonly string[]
  /** The calls that may change something. */
  changes(): UseCaseCall[]
  /** Sends the master token unless `token` is given; `null` sends none. */
  call(method: string, path: string, options?: CallOptions): Promise<Called>
  addProject(name: string): Promise<Project>
  /** Registers a project with a hosted repository of this name. */
  addHostedProject(name: string): Promise<Project>
  /** Adds an environment and, if its state is `running`, a process. Builds nothing. */
  addEnvironment(changes: Partial<Environment>): Promise<Environment>
  /** Adds a queue entry that the worker ignores for a day. */
  addQueueEntry(projectId: number, branch: string): Promise<QueueEntry>
  stop(): Promise<void>
}

export interface CallOptions {
  readonly token?: string | null
  readonly body?: unknown
  readonly raw?: string | Uint8Array<ArrayBuffer>
  readonly headers?: Readonly<Record<string, string>>
}

export interface Called {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Undefined if the response is not JSON. */
  readonly json: unknown
}

export interface Logged {
  readonly level: string
  readonly message: string
  readonly [field: string]: unknown
}

const dayMs = 86_400_000

/** Starts a server on a free port. */
export async function startServer({
  config: changes = {},
  pages,
  host = '127.0.0.1',
}: {
  config?: Partial<HttpConfig>
  pages?: HttpDeps['pages']
  host?: string
} = {}): Promise<TestServer> {
  const config = { ...defaultConfig, ...changes }
  // Housekeeping would stop environments that were never deployed.
  const rig = await createRig({
    memoryMb: 10_000_000,
    config: { gcIntervalMs: 365 * dayMs, hasWebhookSecret: config.webhookSecret !== null },
  })
  const { store, vault, clock, dataDir, app } = rig
  const { restoreMaxBytes } = config
  const archives = createArchives({
    database: store,
    databaseFile: join(dataDir, 'database.sqlite'),
    vault,
    reader: volumeReader,
    dataDir,
    restoreMaxBytes,
    diskReserveMb: null,
    now: clock.now,
  })
  const calls: UseCaseCall[] = []
  const proxyReaders: string[] = []
  const logged: Logged[] = []
  const log = (level: string) => (fields: object, message: string) =>
    void logged.push({ ...fields, level, message })
  const http = createHttp({
    useCases: recordCalls(
      {
        ...app.useCases,
        secrets: createSecretUseCases({ store, vault, clock }),
        tokens: createTokenUseCases({ store, clock }),
        events: createEventUseCases({ store, ids: () => 'e90c4a11' }),
        keys: createKeyUseCases({ database: store, vault, clock }),
        backups: createBackupUseCases({ archives, store, clock }),
      },
      calls,
    ),
    gitService: {
      async serve({ service, res }) {
        res.setHeader('Content-Type', `application/x-${service}-result`)
        res.end('0000')
      },
    },
    proxyConfig: createProxyConfig({
      source: routeSourceOf(store),
      config: { gatewayUrl: 'http://127.0.0.1:9080', entryPoints: ['web'], tls: null },
    }),
    proxyPolls: { note: (reader) => void proxyReaders.push(reader) },
    config,
    logger: { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') },
    clock,
    ...(pages && { pages }),
  })
  await new Promise<void>((resolve) => http.server.listen(0, host, resolve))
  const { port } = http.server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  return {
    rig,
    archives,
    http,
    url,
    port,
    logged,
    calls,
    proxyReaders,
    changes: () => calls.filter(({ actor }) => actor !== undefined),
    call: (method, path, options) => call(url, method, path, options),
    ...rowsOf(rig),
    async stop() {
      const closed = Promise.all([http.close(0), rig.close()])
      // Ends the grace periods of connections and deploys.
      await clock.advance(10_000)
      await closed
    },
  }
}

function rowsOf({ store, vault, clock, runtime, app }: Rig) {
  let count = 0
  return {
    addProject(name: string): Promise<Project> {
      count += 1
      const remoteKey = `git.example.com/acme/${name}`
      const source = { remoteKey, repoUrl: `https://${remoteKey}`, context: `folder-${count}` }
      const gitToken = vault.seal(redacted('git-token'))
      return store.projects.create(projectDraft({ name, ...source, gitToken }))
    },

    addHostedProject: (hosted: string) => app.useCases.projects.register({ hosted }, operator),

    async addEnvironment(changes: Partial<Environment>): Promise<Environment> {
      const { branch = 'main', projectId = 1 } = changes
      const hostname = `${branch}--p${projectId}.localhost`
      const hostPort = (changes.state ?? 'running') === 'running' ? 40_000 : null
      const row = await store.environments.create(
        environmentDraft({ hostname, hostPort, release: null, ...changes }),
      )
      const { id, state } = row
      const name = `strata-${id}`
      if (state === 'running') {
        runtime.running.set(name, fakeInstance(id, 40_000))
      }
      return row
    },

    async addQueueEntry(projectId: number, branch: string): Promise<QueueEntry> {
      const entry = await store.queue.put(queueDraft({ projectId, branch }))
      const until = clock.now() + dayMs
      await store.queue.claim(entry.id, { owner: 'test', until })
      const held = { notBefore: until, attempts: 1, lastError: null }
      await store.queue.release(entry.id, 'test', held)
      return entry
    },
  }
}

export const defaultConfig: HttpConfig = {
  version: '1.2.3',
  token: { kind: 'explicit', value: redacted(masterToken) },
  bootstrapAccess: 'loopback',
  allowOpenApi: false,
  allowRestore: true,
  restoreMaxBytes: 2 ** 20,
  webhookSecret: redacted('webhook-secret'),
  publicPort: () => 9080,
  trashKeepMs: 30 * 86_400_000,
  rateLimit: null,
  tls: null,
}

/** Sends a request. Paths are relative to `/api/v1`; `//metrics` stands for `/metrics`. */
async function call(
  url: string,
  method: string,
  path: string,
  { token = masterToken, body, raw, headers }: CallOptions = {},
): Promise<Called> {
  const response = await fetch(
    `${url}${path.startsWith('//') ? path.slice(1) : `/api/v1${path}`}`,
    {
      method,
      redirect: 'manual',
      headers: {
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      // As bytes: fetch labels a string as text/plain.
      ...(raw !== undefined && {
        body: typeof raw === 'string' ? new TextEncoder().encode(raw) : raw,
      }),
    },
  )
  const text = await textOf(response)
  const isJson = response.headers.get('content-type')?.startsWith('application/json') && text !== ''
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson ? JSON.parse(text) : undefined,
  }
}

/** Reads a response. Of an event stream, which may last, reads the first chunk. */
async function textOf(response: Response): Promise<string> {
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
  if (!isStream || !response.body) return response.text()
  const reader = response.body.getReader()
  const { value } = await reader.read()
  await reader.cancel()
  return new TextDecoder().decode(value)
}
