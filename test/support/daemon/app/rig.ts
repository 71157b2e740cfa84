import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type App, createApp } from '../../../../daemon/app/app.ts'
import type { AppConfig, DomainPorts, ProxyPorts } from '../../../../daemon/app/ground/deps.ts'
import type { Actor, DeployOutcome } from '../../../../daemon/app/ground/use-cases.ts'
import { appTrees } from '../../../../daemon/app-trees.ts'
import type { Environment, Project } from '../../../../daemon/domain/records.ts'
import { createGitProgram } from '../../../../daemon/git/git-program.ts'
import { hostProbe } from '../../../../daemon/host-probe.ts'
import { createRepositories } from '../../../../daemon/hosted/repositories.ts'
import { createSender } from '../../../../daemon/outgoing/sender.ts'
import type {
  AppUsage,
  Database,
  DatabaseServers,
  KeyVault,
  Repositories,
  Store,
} from '../../../../daemon/ports.ts'
import { copyDatabases } from '../../../../daemon/store/backup/copy-databases.ts'
import { createStore } from '../../../../daemon/store/store.ts'
import { createVault } from '../../../../daemon/vault/vault.ts'
import { createOpenWalls } from '../../../../daemon/walls/open-walls.ts'
import { eventually } from '../../apps/eventually.ts'
import { volumeReader } from '../store/volume-reader.ts'
import { createFakeBuilder, type FakeBuilder } from './fake-builder.ts'
import { createFakeClock, type FakeClock, settled } from './fake-clock.ts'
import { createFakeGateway, type FakeGateway } from './fake-gateway.ts'
import { createFakeGit, type FakeGit } from './fake-git.ts'
import { createFakeLogs, type FakeLogs } from './fake-logs.ts'
import { createFakeOneOffs, type FakeOneOffs } from './fake-one-offs.ts'
import { createFakeRuntime, type FakeRuntime } from './fake-runtime.ts'
import { createGates, type Gates } from './gates.ts'

/** The app with a real database and real folders; git, builds, processes, gateway and clock are fakes. */
export interface Rig {
  readonly app: App
  readonly store: Database
  readonly vault: KeyVault
  readonly clock: FakeClock
  readonly git: FakeGit
  readonly builder: FakeBuilder
  readonly runtime: FakeRuntime
  readonly oneOffs: FakeOneOffs
  readonly gateway: FakeGateway
  readonly logs: FakeLogs
  /** Real repositories, with the git program. */
  readonly repositories: Repositories
  readonly dataDir: string
  /** Gates at the failpoints of the app. */
  readonly failpoints: Gates
  /** Fields of all logged errors. */
  readonly errors: object[]
  /** Results of the usage probe, by environment id. */
  readonly usages: Map<number, AppUsage>
  /** Messages of all logged warnings. */
  readonly warnings: string[]
  readonly project: Project
  /** Adds an upstream commit to a branch and returns its SHA. */
  commit(branch: string): string
  deploy(branch: string, project?: Project): Promise<DeployOutcome>
  /** Deploys a branch and returns the running environment. Throws if the deploy fails. */
  deployed(branch: string, project?: Project): Promise<Environment>
  addProject(name: string): Promise<Project>
  row(id: number): Promise<Environment>
  /** Waits for a condition. Throws after ten seconds. */
  until(condition: () => boolean | Promise<boolean>): Promise<void>
  /** Returns the kinds of an environment's audit rows, oldest first. */
  auditKinds(environmentId: number): Promise<string[]>
  /**
   * Simulates `kill -9` and a start: the old app can no longer act, and a new app starts on the
   * same data.
   */
  restart(): Promise<App>
  close(): Promise<void>
}

export const operator: Actor = {
  principal: { kind: 'master' },
  operator: 'master',
  requestId: 'request-1',
}

export async function createRig(
  options: {
    memoryMb?: number
    config?: Partial<AppConfig>
    isStarted?: boolean
    databaseServers?: DatabaseServers
    domains?: Partial<DomainPorts>
    proxy?: ProxyPorts
  } = {},
): Promise<Rig> {
  const dataDir = await mkdtemp(join(tmpdir(), 'strata-core-'))
  await mkdir(join(dataDir, 'repository/.git'), { recursive: true })
  const clock = createFakeClock()
  const store = await createStore({ file: join(dataDir, 'strata.db'), now: clock.now })
  const vault = await createVault(
    { keyFile: join(dataDir, 'master.key') },
    { sealed: store.sealed },
  )
  const parts = {
    git: createFakeGit(),
    builder: createFakeBuilder(),
    runtime: createFakeRuntime(options.memoryMb),
    oneOffs: createFakeOneOffs(),
    gateway: createFakeGateway(),
    logs: createFakeLogs(),
    repositories: createRepositories({
      volumes: join(dataDir, 'volumes'),
      git: createGitProgram({ folder: join(dataDir, 'git'), env: process.env, timeoutMs: 60_000 }),
      cell: () => createOpenWalls('git runs as the user of the tests').cell(0),
    }),
  }
  const errors: object[] = []
  const usages = new Map<number, AppUsage>()
  const warnings: string[] = []
  const failpoints = createGates()
  let lastId = 0
  let generation = 0

  function createGeneration(): App {
    generation += 1
    const own = generation
    const isDead = () => own !== generation
    return createApp({
      ...parts,
      store: killable(store, isDead),
      vault,
      clock,
      domains: { publicAddresses: [], ...options.domains },
      sender: createSender({ privateHosts: ['127.0.0.1'], version: '1.0.0' }),
      usageProbe: { read: async () => new Map(usages) },
      hostProbe,
      walls: () => [],
      trees: appTrees,
      cells: createOpenWalls('the runtime is a fake'),
      databaseServers: options.databaseServers ?? {},
      ...(options.proxy && { proxy: options.proxy }),
      copyDatabases: (copy) => copyDatabases([...volumeReader, '0'], copy),
      ids: () => {
        lastId += 1
        return `id${lastId}`
      },
      logger: {
        debug: () => undefined,
        info: () => undefined,
        warn: (_fields, message) => void warnings.push(message),
        error: (fields) => void (isDead() || errors.push(fields)),
      },
      // A killed daemon never continues.
      failpoint: (step) => (isDead() ? new Promise(() => undefined) : failpoints.pass(step)),
      publicPort: () => 9080,
      config: {
        version: '1.0.0',
        baseDomain: 'localhost',
        gatewayPort: 9080,
        dataDir,
        deployConcurrency: 2,
        reservedMemoryMb: 0,
        gcIntervalMs: 30_000,
        diskReserveMb: 0,
        dataQuotaMb: null,
        sweepGraceMs: 600_000,
        pollIntervalMs: null,
        allowsManyProjects: true,
        trashKeepMs: 30 * 86_400_000,
        hasWebhookSecret: true,
        hasTls: false,
        ...options.config,
      },
    })
  }

  let app = createGeneration()
  let commits = 0
  const rig: Rig = {
    ...parts,
    get app() {
      return app
    },
    store,
    vault,
    clock,
    dataDir,
    failpoints,
    errors,
    usages,
    warnings,
    project: await app.useCases.projects.register(
      { repoDir: join(dataDir, 'repository') },
      operator,
    ),
    commit(branch) {
      commits += 1
      const sha = commits.toString(16).padStart(4, '0').repeat(10)
      parts.git.upstream.set(branch, sha)
      return sha
    },
    deploy: (branch, project = rig.project) =>
      app.useCases.deploys.deploy(project.id, { branch, wait: true }, operator),
    async deployed(branch, project) {
      const outcome = await rig.deploy(branch, project)
      if (outcome.kind !== 'running') throw new Error(JSON.stringify(outcome))
      await settled()
      return outcome.environment
    },
    async addProject(name) {
      await mkdir(join(dataDir, name, '.git'), { recursive: true })
      return app.useCases.projects.register({ repoDir: join(dataDir, name) }, operator)
    },
    async row(id) {
      const row = await store.environments.find(id)
      if (!row) throw new Error(`no row ${id}`)
      return row
    },
    async until(condition) {
      if (!(await eventually(condition, 10_000, 2)))
        throw new Error(`still false after 10 s: ${condition}`)
    },
    async auditKinds(environmentId) {
      const entries = await store.audit.list({ environmentId, limit: 100 })
      return entries.map(({ kind }) => kind).reverse()
    },
    async restart() {
      failpoints.abandon()
      app = createGeneration()
      await app.start()
      await settled()
      return app
    },
    async close() {
      await app.stop()
      await store.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
  if (options.isStarted !== false) await app.start()
  await settled()
  return rig
}

/** Wraps a store: calls of a killed daemon do nothing and never resolve. */
function killable(store: Store, isDead: () => boolean): Store {
  const guard = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(of, key) {
        const value: unknown = Reflect.get(of, key)
        if (typeof value === 'function') {
          return (...args: unknown[]) =>
            isDead() ? new Promise(() => undefined) : Reflect.apply(value, of, args)
        }
        return typeof value === 'object' && value !== null ? guard(value) : value
      },
    })
  return guard(store)
}
