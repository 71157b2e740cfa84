import type { Environment, Node } from '../../domain/records.ts'
import type { Store } from '../../ports.ts'
import type { Waiters } from '../deploy/waiters.ts'
import type { Actor, DeployOutcome } from '../ground/use-cases.ts'
import type { Deploys } from './deploys.ts'

export interface Evacuation {
  /**
   * Redeploys each live branch of a node on another node, at its current commit. Returns the ids of the old
   * environments.
   */
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

  /** Waits for a queued deploy of the branch instead of replacing it with the older commit. */
  async function redeploy(row: Environment, actor: Actor): Promise<DeployOutcome> {
    const { projectId, branch, commitSha } = row
    const entries = await store.queue.list([projectId])
    const waiting = entries.find((one) => one.branch === branch && one.state === 'waiting')
    if (waiting) return waiters.wait(waiting.id)
    return deploys.request(projectId, { branch, commitSha, wait: true }, actor)
  }

  /** Returns the reason why the environment is stuck; undefined if it was moved. */
  async function move(row: Environment, actor: Actor): Promise<string | undefined> {
    try {
      const outcome = await redeploy(row, actor)
      if (outcome.kind === 'running') return undefined
      return outcome.kind === 'failed'
        ? outcome.reason
        : 'no other node has enough free memory: the deploy waits in the queue'
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
        const reason = 'no other active node: register one'
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
