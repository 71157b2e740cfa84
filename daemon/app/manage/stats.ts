import type { Fleet, Runtime, Store } from '../../ports.ts'
import type { UseCases } from '../ground/use-cases.ts'
import type { Admission } from '../run/admission.ts'
import type { DataUsage } from '../run/data-usage.ts'

export function createStats(deps: {
  store: Store
  runtime: Pick<Runtime, 'capacity'>
  fleet: Pick<Fleet, 'room'>
  admission: Admission
  dataUsage: DataUsage
}): UseCases['stats'] {
  const { store, runtime, fleet, admission, dataUsage } = deps
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
      const rooms = await Promise.all(
        nodes.map(async (node) => (node.state === 'down' ? undefined : fleet.room(node))),
      )
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
        nodes: nodes.map(({ id, name, state }, index) => ({
          id,
          name,
          state,
          memoryBytes: rooms[index]?.memoryBytes ?? null,
          cpuCount: rooms[index]?.cpuCount ?? null,
          committedMemoryMb: committed.get(id) ?? 0,
          environmentsLive: live.filter(({ nodeId }) => nodeId === id).length,
        })),
        trash,
      }
    },
  }
}
