import type { Runtime, Store } from '../../ports.ts'
import type { UseCases } from '../ground/use-cases.ts'
import type { Admission } from '../run/admission.ts'
import type { DataUsage } from '../run/data-usage.ts'

export function createStats(deps: {
  store: Store
  runtime: Pick<Runtime, 'capacity'>
  admission: Admission
  dataUsage: DataUsage
}): UseCases['stats'] {
  const { store, runtime, admission, dataUsage } = deps
  return {
    async read() {
      const [projects, environments, queue, host, nodes, committed, live, trash] =
        await Promise.all([
          store.projects.list(),
          store.environments.count(),
          store.queue.list(),
          runtime.capacity(),
          store.nodes.list(),
          admission.committed(),
          store.environments.listLive(),
          store.trash.usage(),
        ])
      return {
        projects: projects.length,
        data: projects.map(({ id: projectId }) => ({
          projectId,
          bytes: dataUsage.bytesOf(projectId) ?? null,
          quotaBytes: dataUsage.quotaBytes,
        })),
        environments,
        queueLength: queue.length,
        host,
        nodes: nodes.map(({ id, name, state }) => ({
          id,
          name,
          state,
          memoryBytes: state === 'down' ? null : host.memoryBytes,
          cpuCount: state === 'down' ? null : host.cpuCount,
          committedMemoryMb: committed.get(id) ?? 0,
          environmentsLive: live.filter(({ nodeId }) => nodeId === id).length,
        })),
        trash,
      }
    },
  }
}
