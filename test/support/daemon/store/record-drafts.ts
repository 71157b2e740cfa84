import { localNode } from '../../../../daemon/app/manage/node-health.ts'
import type {
  AuditEntry,
  Environment,
  Node,
  Project,
  QueueEntry,
  TrashEntry,
} from '../../../../daemon/domain/records.ts'

/* Records to insert, with defaults for every field that a test does not set. */

export function projectDraft(changes: Partial<Project> = {}): Omit<Project, 'id'> {
  return {
    repoDir: null,
    repoUrl: 'https://git.example.com/acme/shop',
    context: '',
    remoteKey: 'git.example.com/acme/shop',
    name: 'shop',
    pauseAfter: '30m',
    destroyAfter: '7d',
    defaultBranch: null,
    branches: [],
    ignore: [],
    maxEnvironments: null,
    gitToken: null,
    webhookSecret: null,
    webhookAt: null,
    createdAt: 1_000,
    ...changes,
  }
}

export function nodeDraft(changes: Partial<Node> = {}): Omit<Node, 'id'> {
  return {
    ...localNode,
    createdAt: 1_000,
    ...changes,
  }
}

export function environmentDraft(changes: Partial<Environment> = {}): Omit<Environment, 'id'> {
  return {
    projectId: 1,
    branch: 'main',
    commitSha: 'a'.repeat(40),
    state: 'running',
    hostname: 'main--shop.localhost',
    reason: null,
    operator: 'master',
    hostPort: 40_000,
    hostAddress: null,
    containerName: 'strata-1',
    nodeId: 1,
    memoryMb: 256,
    release: 'releases/1',
    launch: {
      root: '',
      start: ['npm', 'start'],
      health: '/health',
      cpus: null,
      pids: 512,
      healthTimeoutMs: 30_000,
      port: null,
      memoryMb: 256,
      env: { GREETING: 'hello' },
      keepReleases: 3,
    },
    createdAt: 1_000,
    updatedAt: 1_000,
    lastAccessedAt: 1_000,
    ...changes,
  }
}

type QueueDraft = Pick<
  QueueEntry,
  'projectId' | 'branch' | 'commitSha' | 'operator' | 'requestId' | 'requestedAt'
>

export function queueDraft(changes: Partial<QueueDraft> = {}): QueueDraft {
  return {
    projectId: 1,
    branch: 'main',
    commitSha: null,
    operator: 'master',
    requestId: 'request-1',
    requestedAt: 1_000,
    ...changes,
  }
}

export function auditDraft(changes: Partial<AuditEntry> = {}): Omit<AuditEntry, 'id'> {
  return {
    environmentId: null,
    projectId: null,
    branch: null,
    kind: 'project_updated',
    detail: 'a detail',
    occurredAt: 1_000,
    operator: 'master',
    requestId: null,
    ...changes,
  }
}

export function trashDraft(changes: Partial<TrashEntry> = {}): Omit<TrashEntry, 'id'> {
  return {
    projectId: 1,
    project: 'shop',
    source: '/srv/shop.git',
    branch: 'old',
    volume: '1/old-0123456789ab',
    state: 'kept',
    sizeBytes: 4096,
    trashedAt: 1,
    expiresAt: 4_102_444_800_000,
    operator: 'master',
    reason: 'destroyed',
    ...changes,
  }
}
