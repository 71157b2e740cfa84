import type * as z from 'zod'
import type { InfraStatus, Stats, UsageSample, UsageUseCases } from '../app/ground/use-cases.ts'
import { durationText } from '../domain/duration.ts'
import { hostedName } from '../domain/hosted.ts'
import { expiryOf } from '../domain/lifetimes.ts'
import { processesOf } from '../domain/process-states.ts'
import type { PublicPort } from '../domain/public-port.ts'
import type {
  AuditEntry,
  Environment,
  Node,
  Project,
  QueueEntry,
  Token,
  TrashEntry,
} from '../domain/records.ts'
import { isLive } from '../domain/states.ts'
import { latencyQuantile } from '../domain/traffic.ts'
import type * as environments from './environments.ts'
import type * as nodes from './nodes.ts'
import type * as operations from './operations.ts'
import type * as projects from './projects.ts'
import type * as tokens from './tokens.ts'
import type * as trash from './trash.ts'

type UsageHistory = Awaited<ReturnType<UsageUseCases['history']>>
type UsageWeek = Awaited<ReturnType<UsageUseCases['week']>>
type Usage = Awaited<ReturnType<UsageUseCases['newest']>>[number]

/* Converts records to JSON: snake_case keys, RFC 3339 times in UTC, no sealed values. */

export function projectWire(
  project: Project,
  trashKeepMs: number,
): z.output<typeof projects.project> {
  return {
    id: project.id,
    name: project.name,
    repo_dir: project.repoDir,
    repo_url: hostedName(project) === undefined ? project.repoUrl : null,
    hosted: hostedName(project) ?? null,
    context: project.context,
    pause_after: project.pauseAfter,
    destroy_after: project.destroyAfter,
    default_branch: project.defaultBranch,
    trash_keep: durationText(trashKeepMs),
    branches: [...project.branches],
    ignore: [...project.ignore],
    max_environments: project.maxEnvironments,
    has_git_token: project.gitToken !== null,
    has_webhook_secret: project.webhookSecret !== null,
    created_at: time(project.createdAt),
  }
}

/** `project` is undefined if it was removed meanwhile. */
export function environmentWire(
  environment: Environment,
  project: Project | undefined,
  publicPort: PublicPort,
): z.output<typeof environments.environment> {
  const expiry = project ? expiryOf(environment, project) : null
  return {
    id: environment.id,
    project_id: environment.projectId,
    branch: { name: environment.branch, commit_sha: environment.commitSha },
    state: environment.state,
    url: environment.hostname,
    created_at: time(environment.createdAt),
    updated_at: time(environment.updatedAt),
    last_accessed_at: time(environment.lastAccessedAt),
    expires_at: expiry === null ? null : time(expiry),
    host_port: environment.hostPort,
    public_port: isLive(environment.state) ? publicPort(environment.hostname) : null,
    container_name: environment.containerName,
    node_id: environment.nodeId,
    reason: environment.reason,
    processes: processesOf(environment).map((each) => ({ ...each })),
  }
}

export function usageHistoryWire({
  environment,
  intervalMs,
  samples,
}: UsageHistory): z.output<typeof environments.usageHistory> {
  return {
    environment_id: environment.id,
    ...limitsWire(environment),
    interval_seconds: intervalMs / 1000,
    samples: samples.map(sampleWire),
  }
}

export function usageWeekWire({
  environment,
  slotMs,
  slots,
}: UsageWeek): z.output<typeof environments.usageWeek> {
  return {
    environment_id: environment.id,
    slot_seconds: slotMs / 1000,
    slots: slots.map(({ at, memoryBytes, cpu, traffic }) => ({
      at: time(at),
      memory_bytes: memoryBytes,
      cpu,
      requests: traffic.requests,
      errors: traffic.errors,
      p50_ms: latencyQuantile(traffic, 0.5),
      p95_ms: latencyQuantile(traffic, 0.95),
    })),
  }
}

export function usageWire({ environment, sample }: Usage): z.output<typeof environments.usage> {
  return {
    environment_id: environment.id,
    project_id: environment.projectId,
    ...limitsWire(environment),
    ...sampleWire(sample),
  }
}

function limitsWire({ memoryMb, launch }: Environment) {
  return { memory_limit_bytes: memoryMb * 2 ** 20, cpus_limit: launch?.cpus ?? null }
}

function sampleWire({ at, memoryBytes, cpu }: UsageSample) {
  return { at: time(at), memory_bytes: memoryBytes, cpu }
}

export function auditWire(entry: AuditEntry): z.output<typeof environments.auditEntry> {
  return {
    id: entry.id,
    environment_id: entry.environmentId,
    project_id: entry.projectId,
    branch: entry.branch,
    kind: entry.kind,
    detail: entry.detail,
    occurred_at: time(entry.occurredAt),
    operator: entry.operator,
    request_id: entry.requestId,
  }
}

export function queueWire(entry: QueueEntry): z.output<typeof environments.queueEntry> {
  return {
    id: entry.id,
    project_id: entry.projectId,
    branch: entry.branch,
    commit_sha: entry.commitSha,
    operator: entry.operator,
    requested_at: time(entry.requestedAt),
    attempts: entry.attempts,
    state: entry.state,
    reason: entry.lastError,
  }
}

export function tokenWire(token: Token): z.output<typeof tokens.token> {
  return {
    id: token.id,
    name: token.name,
    projects: token.projects && [...token.projects],
    role: token.role,
    expires_at: token.expiresAt === null ? null : time(token.expiresAt),
    created_at: time(token.createdAt),
    revoked_at: token.revokedAt === null ? null : time(token.revokedAt),
  }
}

export function trashWire(entry: TrashEntry): z.output<typeof trash.trashEntry> {
  return {
    id: entry.id,
    project_id: entry.projectId,
    project: entry.project,
    source: entry.source,
    branch: entry.branch,
    size_bytes: entry.sizeBytes,
    trashed_at: time(entry.trashedAt),
    expires_at: time(entry.expiresAt),
    operator: entry.operator,
    reason: entry.reason,
  }
}

export function nodeWire(node: Node): z.output<typeof nodes.node> {
  return {
    id: node.id,
    name: node.name,
    endpoint: node.endpoint,
    address: node.address,
    has_tls: node.tls !== null,
    reserved_memory_mb: node.reservedMemoryMb,
    state: node.state,
    reason: node.reason,
    created_at: time(node.createdAt),
  }
}

export function statsWire(stats: Stats): z.output<typeof operations.stats> {
  return {
    projects: stats.projects,
    environments: { ...stats.environments },
    queue_length: stats.queueLength,
    data: stats.data.map(({ projectId, bytes, quotaBytes }) => ({
      project_id: projectId,
      bytes,
      quota_bytes: quotaBytes,
    })),
    host: {
      memory_bytes: stats.host.memoryBytes,
      memory_free_bytes: stats.host.memoryFreeBytes,
      cpu_count: stats.host.cpuCount,
    },
    nodes: stats.nodes.map((node) => ({
      id: node.id,
      name: node.name,
      state: node.state,
      memory_bytes: node.memoryBytes,
      cpu_count: node.cpuCount,
      committed_memory_mb: node.committedMemoryMb,
      environments_live: node.environmentsLive,
    })),
    trash: { ...stats.trash },
  }
}

export function infraWire(status: InfraStatus): z.output<typeof operations.infraStatus> {
  return {
    checks: status.checks.map(({ name, ok, detail }) => ({ name, ok, detail })),
    next_steps: [...status.nextSteps],
    walls: [...status.walls],
  }
}

function time(ms: number): string {
  return new Date(ms).toISOString()
}
