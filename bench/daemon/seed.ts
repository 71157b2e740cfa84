import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { branchHostname } from '../../daemon/domain/hostnames.ts'
import type { Environment, Launch, Project } from '../../daemon/domain/records.ts'
import type { Store } from '../../daemon/ports.ts'
import { createStore } from '../../daemon/store/store.ts'

export interface SeedSize {
  readonly projects: number
  readonly environments: number
  readonly auditRows: number
}

/** The seeded records, ordered by id. */
export interface Seeded {
  readonly projects: readonly Project[]
  readonly environments: readonly Environment[]
}

const launch: Launch = {
  root: '',
  start: ['node', 'server.js'],
  health: null,
  healthTimeoutMs: 30_000,
  port: null,
  cpus: null,
  pids: 512,
  memoryMb: 256,
  env: {},
  keepReleases: 3,
}

/**
 * Creates the data folder of a daemon, before the daemon runs: sleeping environments, spread over the projects, and audit
 * rows. Uses the store of the daemon, so that the rows equal those that the daemon writes.
 */
export async function seed(dataDir: string, size: SeedSize): Promise<Seeded> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const now = Date.now()
  const store = await createStore({ file: join(dataDir, 'strata.db'), now: () => now })
  try {
    return await store.transaction((tx) => write(tx, size, now))
  } finally {
    await store.close()
  }
}

async function write(store: Store, size: SeedSize, now: number): Promise<Seeded> {
  const node = await store.nodes.put({
    name: 'local',
    endpoint: 'local',
    address: null,
    tls: null,
    reservedMemoryMb: 0,
    state: 'active',
    stateBeforeDown: 'active',
    reason: null,
    createdAt: now,
  })
  const projects: Project[] = []
  for (let index = 0; index < size.projects; index += 1) {
    projects.push(await store.projects.create(projectDraft(index, now)))
  }
  const environments: Environment[] = []
  for (let index = 0; index < size.environments; index += 1) {
    const draft = environmentDraft(itemInTurn(projects, index), index, { nodeId: node.id, now })
    await store.environments.claimHostname(draft.hostname, draft.projectId, draft.branch)
    environments.push(await store.environments.create(draft))
  }
  for (let index = 0; index < size.auditRows; index += 1) {
    const { id, projectId, branch } = itemInTurn(environments, index)
    await store.audit.write({
      environmentId: id,
      projectId,
      branch,
      kind: index % 2 === 0 ? 'paused' : 'woken',
      detail: auditDetail(index),
      occurredAt: now - (size.auditRows - index) * 1_000,
      operator: 'master',
      requestId: null,
    })
  }
  return { projects, environments }
}

/** Returns the detail text of the audit row with this index, from 0. */
export function auditDetail(index: number): string {
  return `audit row ${index} of the benchmark`
}

function projectDraft(index: number, now: number): Omit<Project, 'id'> {
  const name = `project-${index}`
  return {
    repoDir: null,
    repoUrl: `https://git.example.com/team/${name}.git`,
    context: '',
    remoteKey: `git.example.com/team/${name}`,
    name,
    pauseAfter: '30m',
    destroyAfter: '7d',
    defaultBranch: null,
    branches: [],
    ignore: [],
    maxEnvironments: null,
    gitToken: null,
    webhookSecret: null,
    webhookAt: null,
    createdAt: now,
  }
}

function environmentDraft(
  project: Project,
  index: number,
  { nodeId, now }: { nodeId: number; now: number },
): Omit<Environment, 'id'> {
  const branch = `feature/number-${index}`
  return {
    projectId: project.id,
    branch,
    commitSha: index.toString(16).padStart(40, '0'),
    state: 'paused',
    hostname: branchHostname({ branch, project: project.name, baseDomain: 'localhost' }),
    reason: null,
    operator: 'master',
    hostPort: null,
    hostAddress: null,
    containerName: null,
    nodeId,
    memoryMb: launch.memoryMb,
    release: null,
    launch,
    createdAt: now,
    updatedAt: now,
    lastAccessedAt: now,
  }
}

function itemInTurn<T>(list: readonly T[], index: number): T {
  const item = list[index % list.length]
  if (item === undefined) throw new Error('the list is empty')
  return item
}
