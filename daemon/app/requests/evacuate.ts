import type { Environment, Node } from '../../domain/records.ts'
import type { Store } from '../../ports.ts'
import type { Waiters } from '../deploy/waiters.ts'
import type { Actor, DeployOutcome } from '../ground/use-cases.ts'
import type { Deploys } from './deploys.ts'

export interface Evacuation {
  /** Deploys every live branch of a node elsewhere at the commit it runs; ids are those of the rows that were there. */
  run(
    node: Node,
    actor: Actor,
  ): Promise<{ moved: number[]; stuck: { environmentId: number; reason: string }[] }>
}

export function createEvacuation(deps: {
  store: Store
  deploys: Deploys
  waiters: Waiters
}): Evacuation {
  const { store, deploys, waiters } = deps

  /** A push that waits already goes elsewhere by itself; nothing may take its place. */
  async function redeploy(row: Environment, actor: Actor): Promise<DeployOutcome> {
    const { projectId, branch, commitSha } = row
    const entries = await store.queue.list([projectId])
    const waiting = entries.find((one) => one.branch === branch && one.state === 'waiting')
    if (waiting) return waiters.wait(waiting.id)
    return deploys.request(projectId, { branch, commitSha, wait: true }, actor)
  }

  /** Why it could not be moved; undefined when it was. */
  async function move(row: Environment, actor: Actor): Promise<string | undefined> {
    try {
      const outcome = await redeploy(row, actor)
      if (outcome.kind === 'running') return undefined
      return outcome.kind === 'failed'
        ? outcome.reason
        : 'no other node has room for it now: its deploy waits in the queue'
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  }

  return {
    async run(node, actor) {
      const rows = await store.environments.listLive({ nodeId: node.id })
      const others = (await store.nodes.list()).filter(
        ({ id, state }) => id !== node.id && state === 'active',
      )
      if (others.length === 0) {
        const reason = 'there is no other active node: register one'
        return { moved: [], stuck: rows.map(({ id }) => ({ environmentId: id, reason })) }
      }
      const results = await Promise.all(
        rows.map(async (row) => ({ id: row.id, reason: await move(row, actor) })),
      )
      return {
        moved: results.flatMap(({ id, reason }) => (reason === undefined ? [id] : [])),
        stuck: results.flatMap(({ id, reason }) =>
          reason === undefined ? [] : [{ environmentId: id, reason }],
        ),
      }
    },
  }
}
