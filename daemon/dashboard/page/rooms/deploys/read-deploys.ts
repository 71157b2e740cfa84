import type { AuditEntry, Environment, Project, QueueEntry } from '../../../../client/contract.ts'
import { api } from '../../state/api.ts'

export interface RunningDeploy {
  readonly id: number
  readonly entry: QueueEntry
  readonly project: Project | undefined
  /** The environment that is being built; undefined before it exists. */
  readonly environment: Environment | undefined
}

export interface WaitingDeploy {
  readonly id: number
  readonly entry: QueueEntry
  readonly project: Project | undefined
  /** 1 for the entry that is next. */
  readonly position: number
}

export interface DeploysData {
  readonly running: readonly RunningDeploy[]
  readonly waiting: readonly WaitingDeploy[]
  readonly recent: readonly AuditEntry[]
  readonly projects: readonly Project[]
}

const recentDeploys = 50

/** Reads the queue, the environments that are being built, and the newest finished deploys. */
export async function readDeploys(signal: AbortSignal): Promise<DeploysData> {
  const newest = (kind: AuditEntry['kind']) =>
    api.call('listAudit', { query: { kind, limit: recentDeploys } }, { signal })
  const [queue, projects, succeeded, failed] = await Promise.all([
    api.call('listQueue', {}, { signal }),
    api.call('listProjects', {}, { signal }),
    newest('build_succeeded'),
    newest('build_failed'),
  ])
  const byId = new Map(projects.body.map((project) => [project.id, project]))
  const running = queue.body.filter(({ state }) => state === 'running')
  const building = await readBuilding(running, signal)
  return {
    running: running.map((entry) => ({
      id: entry.id,
      entry,
      project: byId.get(entry.project_id),
      environment: building.findLast(
        ({ project_id, branch }) => project_id === entry.project_id && branch.name === entry.branch,
      ),
    })),
    waiting: queue.body
      .filter(({ state }) => state === 'waiting')
      .map((entry, at) => ({
        id: entry.id,
        entry,
        project: byId.get(entry.project_id),
        position: at + 1,
      })),
    recent: [...succeeded.body, ...failed.body]
      .sort((one, other) => Date.parse(other.occurred_at) - Date.parse(one.occurred_at))
      .slice(0, recentDeploys),
    projects: projects.body,
  }
}

/** Reads the environments in state `building` of the projects that deploy now. */
async function readBuilding(
  running: readonly QueueEntry[],
  signal: AbortSignal,
): Promise<Environment[]> {
  const ids = [...new Set(running.map(({ project_id }) => project_id))]
  const lists = await Promise.all(
    ids.map((id) => api.call('listProjectEnvironments', { params: { id } }, { signal })),
  )
  return lists.flatMap(({ body }) => body.filter(({ state }) => state === 'building'))
}
