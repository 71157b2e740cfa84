import type { Environment, Project } from '../../../../daemon/client/contract.ts'
import { isLive } from '../../../../daemon/client/states.ts'
import type { Session } from '../connection/session.ts'
import { addressOf } from './environments.ts'

/** Reads the environments that `strata status` lists for a project. */
export async function readEnvironmentsToShow(
  { client, signal }: Session,
  { id }: Pick<Project, 'id'>,
): Promise<Environment[]> {
  const { body } = await client.call('listProjectEnvironments', { params: { id } }, { signal })
  return environmentsToShow(body)
}

/** Selects for each branch the live environment, and the newest environment if that one is building or failed. */
export function environmentsToShow(environments: readonly Environment[]): Environment[] {
  const branches = [...new Set(environments.map(({ branch }) => branch.name))].toSorted()
  return branches.flatMap((name) => {
    const ofBranch = environments.filter(({ branch }) => branch.name === name)
    const live = ofBranch.filter(({ state }) => isLive(state)).at(-1)
    const newest = ofBranch.at(-1)
    const isUnfinished = newest?.state === 'building' || newest?.state === 'build_failed'
    return [live, isUnfinished ? newest : undefined].filter((each) => each !== undefined)
  })
}

/** Adds the address of each environment, for JSON output. */
export function withAddresses(environments: readonly Environment[]) {
  return environments.map((each) => ({ ...each, address: addressOf(each) ?? null }))
}
