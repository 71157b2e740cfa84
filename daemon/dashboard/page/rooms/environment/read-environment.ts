import type { Environment, Project, Schedule } from '../../../../client/contract.ts'
import { api } from '../../state/api.ts'

export interface EnvironmentData {
  readonly environment: Environment
  readonly project: Project
  /** The environment that serves the branch now, or the newest one if none serves it. */
  readonly newest: Environment | undefined
  /** Names of its schedules. */
  readonly schedules: readonly Schedule['name'][]
}

export async function readEnvironment(id: number, signal: AbortSignal): Promise<EnvironmentData> {
  const { body: environment } = await api.call('findEnvironment', { params: { id } }, { signal })
  const params = { id: environment.project_id }
  const query = { branch: environment.branch.name }
  const [project, list, schedules] = await Promise.all([
    api.call('findProject', { params }, { signal }),
    api.call('listProjectEnvironments', { params, query }, { signal }),
    api.call('listSchedules', { params: { id } }, { signal }),
  ])
  return {
    environment,
    project: project.body,
    newest: list.body[0],
    schedules: schedules.body.map(({ name }) => name),
  }
}
