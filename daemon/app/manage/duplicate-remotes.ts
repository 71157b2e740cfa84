import type { Project } from '../../domain/records.ts'
import type { Logger, Store } from '../../ports.ts'

/**
 * Logs a warning for each project whose remote and context an older project already has. Older daemons allowed this.
 */
export async function warnOfDuplicateRemotes({
  store,
  logger,
}: {
  store: Pick<Store, 'projects'>
  logger: Pick<Logger, 'warn'>
}): Promise<void> {
  const oldest = new Map<string, Project>()
  for (const project of await store.projects.list()) {
    if (project.repoUrl === null || project.remoteKey === null) continue
    const key = JSON.stringify([project.remoteKey, project.context])
    const first = oldest.get(key)
    if (first) {
      const fields = { projectId: project.id, repoUrl: project.repoUrl, oldestId: first.id }
      logger.warn(
        fields,
        'two projects have the same remote: delete the project that you do not need',
      )
    } else {
      oldest.set(key, project)
    }
  }
}
