import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Actor, DeployOutcome, UseCases } from '../../../../daemon/app/ground/use-cases.ts'
import type {
  AuditEntry,
  Environment,
  EnvironmentState,
  Node,
  Project,
  QueueEntry,
  Sealed,
  SecretScope,
  Token,
} from '../../../../daemon/domain/records.ts'
import { redacted } from '../../../../daemon/domain/redacted.ts'
import { DaemonError } from '../../../../daemon/errors.ts'
import type { Clock, LogLine } from '../../../../daemon/ports.ts'

/** What a test sees of the use-cases behind the server: their state, and every change that was asked for. */
export interface MemoryUseCases {
  readonly useCases: UseCases
  /** `verb: detail`, in the order they came. */
  readonly changes: string[]
  readonly actors: Actor[]
  readonly environments: Map<number, Environment>
  readonly queue: Map<number, QueueEntry>
  readonly heartbeats: string[]
  /** What deploys come to; by default they run at once. */
  deployWith(outcome: (branch: string, wait: boolean) => Promise<DeployOutcome>): void
  followWith(lines: (afterId: number | null, signal: AbortSignal) => AsyncIterable<LogLine>): void
  addProject(name: string): Project
  addEnvironment(projectId: number, branch: string, state?: EnvironmentState): Environment
  addQueueEntry(projectId: number, branch: string): QueueEntry
}

/** The use-cases in memory, as plain as HTTP needs them: no git, no processes, no database. */
export function createMemoryUseCases(clock: Clock): MemoryUseCases {
  const projects = new Map<number, Project>()
  const environments = new Map<number, Environment>()
  const queue = new Map<number, QueueEntry>()
  const tokens = new Map<number, Token>()
  const nodes = new Map<number, Node>()
  const secrets = new Map<string, { name: string; scope: SecretScope }>()
  const audit: AuditEntry[] = []
  const changes: string[] = []
  const actors: Actor[] = []
  const heartbeats: string[] = []
  let lastId = 0
  const nextId = () => {
    lastId += 1
    return lastId
  }
  let outcome: (branch: string, wait: boolean) => Promise<DeployOutcome> = async (branch) => {
    const environment = addEnvironment(1, branch)
    return { kind: 'running', environment, durationMs: 12 }
  }
  let follow = (_afterId: number | null, _signal: AbortSignal): AsyncIterable<LogLine> =>
    Readable.from([])

  function changed(verb: string, detail: unknown, actor: Actor): void {
    changes.push(`${verb}: ${JSON.stringify(detail)}`)
    actors.push(actor)
  }

  function addProject(name: string): Project {
    const project: Project = {
      id: nextId(),
      repoDir: null,
      repoUrl: `https://git.example.com/acme/${name}`,
      context: '',
      remoteKey: `git.example.com/acme/${name}`,
      name,
      pauseAfter: '30m',
      destroyAfter: '7d',
      branches: [],
      ignore: [],
      maxEnvironments: null,
      gitToken: 'v1.sealed' as Sealed,
      createdAt: clock.now(),
    }
    projects.set(project.id, project)
    return project
  }

  function addEnvironment(
    projectId: number,
    branch: string,
    state: EnvironmentState = 'running',
  ): Environment {
    const id = nextId()
    const environment: Environment = {
      id,
      projectId,
      branch,
      commitSha: 'a'.repeat(40),
      state,
      hostname: `${branch}--p${projectId}.localhost`,
      reason: null,
      operator: 'master',
      hostPort: state === 'running' ? 40_000 : null,
      containerName: `strata-${id}`,
      nodeId: 1,
      memoryMb: 256,
      release: null,
      launch: null,
      createdAt: clock.now(),
      updatedAt: clock.now(),
      lastAccessedAt: clock.now(),
    }
    environments.set(id, environment)
    return environment
  }

  function addQueueEntry(projectId: number, branch: string): QueueEntry {
    const entry: QueueEntry = {
      id: nextId(),
      projectId,
      branch,
      commitSha: null,
      operator: 'master',
      requestId: 'r',
      requestedAt: clock.now(),
      attempts: 0,
      state: 'waiting',
      notBefore: 0,
      lease: null,
      environmentId: null,
      lastError: null,
    }
    queue.set(entry.id, entry)
    return entry
  }

  function found<T>(value: T | undefined, what: string): T {
    if (value === undefined) throw new DaemonError('not-found', `there is no ${what} of this id`)
    return value
  }
  const live = () => [...environments.values()].filter(({ state }) => state === 'running')
  const keyOf = (name: string, scope: SecretScope) => JSON.stringify([name, scope])

  const useCases: UseCases = {
    projects: {
      async register(input, actor) {
        changed('project', { ...input, gitToken: input.gitToken && 'set' }, actor)
        const known = [...projects.values()].find(({ repoUrl }) => repoUrl === input.repoUrl)
        return known ?? addProject(`p${lastId + 1}`)
      },
      find: async (id) => found(projects.get(id), 'project'),
      rename: async () => [],
      list: async (ids) => [...projects.values()].filter(({ id }) => ids?.includes(id) ?? true),
      async update(id, update, actor) {
        const { gitToken, ...rest } = update
        const project = { ...found(projects.get(id), 'project'), ...rest }
        changed('project', rest, actor)
        projects.set(id, gitToken === null ? { ...project, gitToken } : project)
        return found(projects.get(id), 'project')
      },
      async remove(id, actor) {
        found(projects.get(id), 'project')
        changed('remove project', id, actor)
        projects.delete(id)
      },
    },
    deploys: {
      async deploy(id, { branch, wait }, actor) {
        found(projects.get(id), 'project')
        changed('deploy', { id, branch, wait }, actor)
        return outcome(branch, wait)
      },
      async rollback(id, input, actor) {
        found(projects.get(id), 'project')
        changed('rollback', { id, ...input }, actor)
        return outcome(input.branch, input.wait)
      },
      async push({ remoteKey, branch, isDeleted, host, deliveryId, actor }) {
        const known = [...projects.values()].filter((project) => project.remoteKey === remoteKey)
        if (known.length === 0) return { kind: 'unknown-repository' }
        changed('push', { remoteKey, branch, isDeleted, host, deliveryId }, actor)
        return isDeleted
          ? { kind: 'destroyed', environmentIds: [] }
          : { kind: 'queued', projectIds: known.map(({ id }) => id) }
      },
    },
    environments: {
      find: async (id) => found(environments.get(id), 'environment'),
      list: async (projectId, branch) =>
        [...environments.values()].filter(
          (one) => one.projectId === projectId && (branch === undefined || one.branch === branch),
        ),
      listLive: async () => live(),
      async destroy(id, input, actor) {
        found(environments.get(id), 'environment')
        changed('destroy', { id, ...input }, actor)
      },
      async pause(id, actor) {
        found(environments.get(id), 'environment')
        changed('pause', id, actor)
      },
      async wake(id, actor) {
        found(environments.get(id), 'environment')
        changed('wake', id, actor)
      },
      async logs(id, lines) {
        found(environments.get(id), 'environment')
        const text = ['one', 'two', 'three'].slice(-lines)
        return text.map((line, index) => ({ id: index, ts: '', stream: 'stdout', line }))
      },
      followLogs: (_id, afterId, signal) => follow(afterId, signal),
    },
    activity: {
      heartbeat: (hostname) => void heartbeats.push(hostname),
      async wakeByHost(hostname) {
        const match = [...environments.values()].find((one) => one.hostname === hostname)
        return match && { branch: match.branch, state: match.state }
      },
    },
    secrets: {
      list: async (scope) =>
        [...secrets.values()]
          .filter((secret) => JSON.stringify(secret.scope) === JSON.stringify(scope))
          .map(({ name }) => ({ name, scope: scope.kind })),
      async set({ name, scope }, actor) {
        changed('secret', { name, scope }, actor)
        secrets.set(keyOf(name, scope), { name, scope })
      },
      async remove(name, scope, actor) {
        found(secrets.get(keyOf(name, scope)), 'secret')
        changed('remove secret', { name, scope }, actor)
        secrets.delete(keyOf(name, scope))
      },
    },
    tokens: {
      async create({ name, projects, role, expiresInMs }, actor) {
        const secret = randomBytes(32).toString('hex')
        const token: Token = {
          id: nextId(),
          name,
          hash: createHash('sha256').update(secret).digest('hex'),
          projects,
          role: role ?? (projects ? 'maintainer' : 'admin'),
          expiresAt: expiresInMs === null ? null : clock.now() + expiresInMs,
          revokedAt: null,
          createdAt: clock.now(),
        }
        changed('token', { name, projects, role, expiresInMs }, actor)
        tokens.set(token.id, token)
        return { token, secret: redacted(secret) }
      },
      list: async () => [...tokens.values()],
      async revoke(id, actor) {
        const token = found(tokens.get(id), 'token')
        changed('revoke token', id, actor)
        tokens.set(id, { ...token, revokedAt: clock.now() })
      },
      async authenticate(secret) {
        const hash = createHash('sha256').update(secret).digest('hex')
        const token = [...tokens.values()].find((one) => one.hash === hash)
        const isOver = token?.expiresAt != null && token.expiresAt <= clock.now()
        if (!token || token.revokedAt !== null || isOver) return undefined
        const { id, name, role, projects } = token
        return { kind: 'token', id, name, role, projects }
      },
    },
    nodes: {
      async register({ name, endpoint, address, reservedMemoryMb }, actor) {
        changed('node', { name, endpoint, address, reservedMemoryMb }, actor)
        const node: Node = {
          id: nextId(),
          name,
          endpoint,
          address,
          tls: null,
          reservedMemoryMb,
          state: 'active',
          stateBeforeDown: 'active',
          reason: null,
          createdAt: clock.now(),
        }
        nodes.set(node.id, node)
        return node
      },
      list: async () => [...nodes.values()],
      async update(id, input, actor) {
        const node = found(nodes.get(id), 'node')
        changed('update node', { id, ...input }, actor)
        return { node, moved: [], stuck: [] }
      },
      async remove(id, actor) {
        found(nodes.get(id), 'node')
        changed('remove node', id, actor)
      },
    },
    audit: { list: async ({ limit }) => audit.slice(0, limit) },
    queue: {
      list: async (ids) =>
        [...queue.values()].filter(({ projectId }) => ids?.includes(projectId) ?? true),
      async remove(id, actor) {
        found(queue.get(id), 'queue entry')
        changed('remove from queue', id, actor)
        queue.delete(id)
      },
    },
    stats: {
      read: async () => ({
        projects: projects.size,
        environments: {
          building: 0,
          build_failed: 0,
          running: live().length,
          paused: 0,
          hibernating: 0,
          destroyed: 0,
        },
        queueLength: queue.size,
        host: { memoryBytes: 2 ** 33, memoryFreeBytes: 2 ** 32, cpuCount: 2 },
        nodes: [
          {
            id: 1,
            name: 'local "one"',
            state: 'active',
            memoryBytes: null,
            cpuCount: null,
            committedMemoryMb: 256,
            environmentsLive: live().length,
          },
        ],
      }),
    },
    infra: {
      status: async () => ({ checks: [{ name: 'git', ok: true, detail: 'found' }], nextSteps: [] }),
      async bootstrap(actor) {
        changed('bootstrap', {}, actor)
        return { checks: [], nextSteps: ['set a base domain'] }
      },
    },
    keys: {
      async rotate(actor) {
        changed('rotate', {}, actor)
        return { values: 3 }
      },
    },
    backups: {
      async create(actor) {
        changed('backup', {}, actor)
        return { fileName: 'strata-backup.tar', body: Readable.from([Buffer.alloc(10_240)]) }
      },
      async stageRestore(body, actor) {
        let size = 0
        for await (const chunk of body) size += chunk.length
        changed('restore', { size }, actor)
      },
    },
  }

  return {
    useCases,
    changes,
    actors,
    environments,
    queue,
    heartbeats,
    deployWith: (next) => {
      outcome = next
    },
    followWith: (next) => {
      follow = next
    },
    addProject,
    addEnvironment,
    addQueueEntry,
  }
}
