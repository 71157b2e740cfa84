import { randomBytes } from 'node:crypto'
import { Transform } from 'node:stream'
import { databaseName } from '../../domain/database-names.ts'
import type {
  BranchDatabase,
  Environment,
  Launch,
  Project,
  ServerKind,
} from '../../domain/records.ts'
import { redacted } from '../../domain/redacted.ts'
import { DaemonError } from '../../errors.ts'
import type {
  Clock,
  DatabaseAccess,
  DatabaseServer,
  DatabaseServers,
  Redacted,
  Store,
  Vault,
} from '../../ports.ts'
import type { DiskReserve } from '../ground/disk-reserve.ts'
import type { Failpoints } from '../ground/failpoints.ts'

type Branch = Pick<Environment, 'projectId' | 'branch'>
type Wished = Pick<Launch, 'env' | 'store'>

/** The databases that the daemon makes for branches. An app with a DATABASE_URL of its own gets none. */
export interface BranchDatabases {
  /**
   * Creates the database of a branch, with a copy of the default branch's data if the app wishes it. Idempotent: a
   * database that an earlier attempt left incomplete is made again. Throws `unprocessable` if no server is set.
   */
  provide(request: ProvideRequest): Promise<void>
  /** Returns the URL of the branch's database; undefined if the daemon makes none for the app. */
  urlOf(branch: Branch, launch: Wished): Promise<Redacted | undefined>
  /** Returns the access of a database, with its server. Throws `unprocessable` if the server is not set. */
  open(database: BranchDatabase): { server: DatabaseServer; access: DatabaseAccess }
  /**
   * Inserts an incomplete database under a new name and password, to replace a database later. Until then it belongs to
   * no branch: a kill leaves a row that `removeLeftovers` removes.
   */
  insertReplacement(known: BranchDatabase): Promise<BranchDatabase>
  /** Drops a database that no branch uses. */
  discard(database: BranchDatabase): Promise<void>
  /** Drops the replacements that a killed daemon left. */
  removeLeftovers(): Promise<void>
  /** Refuses to use a database, because its restore is not complete. `reason` is a sentence. */
  suspend(name: string, reason: string): void
  resume(name: string): void
  /** Fills an empty database with the data of another database of the same kind. */
  copy(from: BranchDatabase, to: BranchDatabase, options: Progress): Promise<void>
}

interface Progress {
  readonly signal: AbortSignal
  /** Tells the state of the work, a sentence without a line end. */
  say(line: string): void
}

export interface ProvideRequest extends Progress {
  readonly project: Project
  readonly branch: string
  readonly launch: Wished
}

/** Time limit of a copy. */
const copyMs = 15 * 60_000
/** Stands for the trash entry of a database that belongs to no branch yet. Real ids start at 1. */
const noEntry = 0
/** Interval of the progress lines of a copy. */
const progressMs = 5_000

/** Names of the settings with the administrators' URLs. */
const settings: Readonly<Partial<Record<ServerKind, string>>> = {
  postgres: 'SERVICE_POSTGRES_URL',
  mysql: 'SERVICE_MYSQL_URL',
}

export function createBranchDatabases(deps: {
  store: Store
  vault: Vault
  clock: Clock
  servers: DatabaseServers
  diskReserve: Pick<DiskReserve, 'guard'>
  failpoints: Failpoints
}): BranchDatabases {
  const { store, vault, clock, servers, diskReserve, failpoints } = deps
  /** Reasons by name of the database. */
  const suspended = new Map<string, string>()

  function serverOf(kind: ServerKind): DatabaseServer {
    const server = servers[kind]
    if (server) return server
    const setting = settings[kind]
    throw new DaemonError(
      'unprocessable',
      setting === undefined
        ? `the app needs a ${kind} database, and this stratad makes none: set the secret DATABASE_URL of the project`
        : `the app needs a ${kind} database, and the daemon has no server for it: set ${setting} of stratad, or the secret DATABASE_URL of the project`,
    )
  }

  function open({ kind, name, password }: BranchDatabase) {
    return { server: serverOf(kind), access: { name, password: vault.open(password) } }
  }

  /** Returns the kind of server on which the daemon makes the app's database; undefined if it makes none. */
  async function kindFor({ projectId, branch }: Branch, { env, store: wish }: Wished) {
    if (!wish || wish.kind === 'sqlite') return undefined
    if (env.DATABASE_URL !== undefined) return undefined
    const secrets = await store.secrets.listFor(projectId, branch)
    return secrets.some(({ name }) => name === 'DATABASE_URL') ? undefined : wish.kind
  }

  async function find({ projectId, branch }: Branch, kind: ServerKind) {
    const known = await store.branchDatabases.list({ projectId, branch, trashId: null })
    return known.find((database) => database.kind === kind)
  }

  function insert(
    { projectId, branch }: Branch,
    kind: ServerKind,
    trashId: number | null = null,
  ): Promise<BranchDatabase> {
    return store.branchDatabases.create({
      ...{ projectId, branch, kind, state: 'creating', trashId },
      name: databaseName(projectId, branch, randomBytes(4).toString('hex')),
      password: vault.seal(redacted(randomBytes(24).toString('hex'))),
      createdAt: clock.now(),
    })
  }

  async function requirePresent(database: BranchDatabase): Promise<void> {
    const { server, access } = open(database)
    if (!(await server.exists(database.name))) {
      throw new DaemonError(
        'unprocessable',
        `the database ${database.name} of branch ${database.branch} is missing on the server of ${settings[database.kind]}: bring it back there, or destroy the branch with its data (strata down --purge-data)`,
      )
    }
    // A restored daemon may know the database from before the trash or from another server.
    await server.create(access)
  }

  /** Returns the database whose data a new preview gets; undefined for an empty beginning. */
  async function sourceFor({ project, branch, launch, say }: ProvideRequest, kind: ServerKind) {
    const { defaultBranch } = project
    if (launch.store?.data !== 'copy' || defaultBranch === null || defaultBranch === branch) {
      return undefined
    }
    const source = await find({ projectId: project.id, branch: defaultBranch }, kind)
    if (source?.state === 'ready') return source
    say(`${defaultBranch} has no database to copy: the database of ${branch} begins empty`)
    return undefined
  }

  async function copy(from: BranchDatabase, to: BranchDatabase, { signal, say }: Progress) {
    const [source, target] = [open(from), open(to)]
    const total = await source.server.sizeOf(from.name)
    const limit = AbortSignal.timeout(copyMs)
    const timed = AbortSignal.any([signal, limit])
    let bytes = 0
    const meter = new Transform({
      transform(chunk: Buffer, _, done) {
        bytes += chunk.length
        done(null, chunk)
      },
    })
    const of = total === undefined ? '' : `, from a database of ${megabytes(total)}`
    const progress = setInterval(() => say(`copied ${megabytes(bytes)}${of}`), progressMs)
    try {
      await diskReserve.guard(timed, async (guarded) => {
        const options = { projectId: to.projectId, signal: guarded }
        const dump = await source.server.dump(source.access, options)
        dump.once('error', (error) => meter.destroy(error))
        await target.server.load(target.access, dump.pipe(meter), options)
      })
    } catch (error) {
      if (!limit.aborted || signal.aborted) throw error
      throw new DaemonError(
        'unprocessable',
        `the copy of the data of ${from.branch} took more than ${copyMs / 60_000} minutes: set deploy.store.data to "empty"`,
      )
    } finally {
      clearInterval(progress)
      meter.destroy()
    }
    say(`copied the data of ${from.branch} (${megabytes(bytes)} of dump${of})`)
  }

  async function discard(database: BranchDatabase): Promise<void> {
    await open(database).server.drop(database.name)
    await store.branchDatabases.remove(database.id)
  }

  /** Throws if a restore of the database is not complete: the app would run on other data. */
  function requireRestored({ name, branch }: BranchDatabase): void {
    const reason = suspended.get(name)
    if (reason === undefined) return
    throw new DaemonError(
      'unprocessable',
      `the database of ${branch} waits for the end of its restore (${reason}): restart stratad to try again`,
    )
  }

  /** Creates a database anew: a previous attempt may have left a part of it. */
  async function make(request: ProvideRequest, database: BranchDatabase): Promise<void> {
    const { server, access } = open(database)
    await server.drop(database.name)
    await failpoints.hit('database:dropped')
    await server.create(access)
    await failpoints.hit('database:created')
    request.signal.throwIfAborted()
    const source = await sourceFor(request, database.kind)
    if (source) await copy(source, database, request)
    await failpoints.hit('database:filled')
    await store.branchDatabases.update(database.id, { state: 'ready' })
    request.say(`${request.branch} has the ${database.kind} database ${database.name}`)
  }

  return {
    ...{ open, copy, discard },

    insertReplacement: (known) => insert(known, known.kind, noEntry),

    async removeLeftovers() {
      for (const database of await store.branchDatabases.list({ trashId: noEntry })) {
        await discard(database)
      }
    },

    suspend: (name, reason) => void suspended.set(name, reason),
    resume: (name) => void suspended.delete(name),

    async provide(request) {
      const branch = { projectId: request.project.id, branch: request.branch }
      const kind = await kindFor(branch, request.launch)
      if (kind === undefined) return
      serverOf(kind)
      const known = await find(branch, kind)
      if (known) requireRestored(known)
      if (known?.state === 'ready') return requirePresent(known)
      await make(request, known ?? (await insert(branch, kind)))
    },

    async urlOf(branch, launch) {
      const kind = await kindFor(branch, launch)
      const database = kind && (await find(branch, kind))
      if (!database) return undefined
      requireRestored(database)
      const { server, access } = open(database)
      return server.urlOf(access)
    },
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(bytes < 10 * 2 ** 20 ? 1 : 0)} MiB`
}
