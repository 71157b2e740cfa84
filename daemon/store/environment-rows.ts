import type { Selectable } from 'kysely'
import type { Environment, Launch } from '../domain/records.ts'
import { fromJson, withoutNul } from './rows.ts'
import type { Changes, EnvironmentTable } from './schema.ts'

export function toEnvironment(row: Selectable<EnvironmentTable>): Environment {
  return {
    id: row.id,
    projectId: row.project_id,
    branch: row.branch,
    commitSha: row.commit_sha,
    state: row.state,
    hostname: row.hostname,
    reason: row.reason,
    operator: row.operator,
    hostPort: row.host_port,
    hostAddress: row.host_address,
    containerName: row.container_name,
    nodeId: row.node_id,
    memoryMb: row.memory_mb,
    release: row.release,
    launch: row.launch_json === null ? null : toLaunch(row.launch_json),
    processFaults: row.process_faults === null ? {} : fromJson<Faults>(row.process_faults),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    lastAccessedAt: row.last_accessed_at,
  }
}

type Faults = NonNullable<Environment['processFaults']>

/** Limits of apps that were deployed before these limits existed. */
const earlierLimits = { cpus: null, pids: 512 }

function toLaunch(json: string): Launch {
  return { ...earlierLimits, ...fromJson<Launch>(json) }
}

export function toEnvironmentRow(
  environment: Partial<Omit<Environment, 'id'>>,
): Changes<EnvironmentTable> {
  const { launch, state, processFaults } = environment
  return {
    project_id: environment.projectId,
    branch: environment.branch,
    commit_sha: environment.commitSha,
    state,
    hostname: environment.hostname,
    reason: withoutNul(environment.reason),
    operator: environment.operator,
    host_port: environment.hostPort,
    host_address: environment.hostAddress,
    container_name: environment.containerName,
    node_id: environment.nodeId,
    memory_mb: environment.memoryMb,
    release: environment.release,
    launch_json: launch && JSON.stringify(launch),
    process_faults: processFaults && withoutNul(JSON.stringify(processFaults)),
    has_run: state === 'running' ? 1 : undefined,
    created_at: environment.createdAt,
    updated_at: environment.updatedAt,
    last_accessed_at: environment.lastAccessedAt,
  }
}
