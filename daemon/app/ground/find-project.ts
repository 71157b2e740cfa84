import type { Project } from '../../domain/records.ts'
import { DaemonError } from '../../errors.ts'
import type { Store } from '../../ports.ts'

/** Reads a project, also inside a transaction. Throws `not-found` if it does not exist. */
export async function findProject(store: Pick<Store, 'projects'>, id: number): Promise<Project> {
  const project = await store.projects.find(id)
  if (!project) throw new DaemonError('not-found', `no project ${id}`)
  return project
}
