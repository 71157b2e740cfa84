import type { Environment, Project } from '../../../client/contract.ts'
import { api } from './api.ts'
import { session } from './session.ts'
import { type Loaded, useData } from './use-data.ts'

/** The projects that the token may see. */
export function useProjects(): Loaded<readonly Project[]> {
  return useData(
    'projects',
    async (signal) => (await api.call('listProjects', {}, { signal })).body,
    ['projects'],
  )
}

/** The live environments of all projects that the token may see, one per branch. */
export function useLiveEnvironments(): Loaded<readonly Environment[]> {
  return useData('live-environments', loadLiveEnvironments, ['environments'])
}

/** A token of some projects may not list all environments: its projects are asked one after the other. */
async function loadLiveEnvironments(signal: AbortSignal): Promise<readonly Environment[]> {
  const current = session.peek()
  const projects = current.kind === 'signed-in' ? current.identity.projects : null
  if (projects === null) return (await api.call('listLiveEnvironments', {}, { signal })).body
  const live: Environment[] = []
  for (const id of projects) {
    const { body } = await api.call('listProjectEnvironments', { params: { id } }, { signal })
    const newest = new Map<string, Environment>()
    for (const row of body) if (row.public_port !== null) newest.set(row.branch.name, row)
    live.push(...newest.values())
  }
  return live
}
