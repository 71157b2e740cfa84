import type { Project } from '../../domain/records.ts'
import type { Logger, Store } from '../../ports.ts'

/** Warns of each project that an older daemon registered for a remote and context that an older project has. */
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
      logger.warn(fields, 'two projects have the same remote: delete the one that you do not need')
    } else {
      oldest.set(key, project)
    }
  }
}
