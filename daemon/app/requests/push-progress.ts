import { appAddress, type PublicPort } from '../../domain/public-port.ts'
import type { Environment, QueueEntry } from '../../domain/records.ts'
import type { Clock, LogLine, Logs, Store, Vault } from '../../ports.ts'
import { createLogMasks } from '../ground/log-masks.ts'

/** Tells a pusher about the deploy of a branch. */
export interface PushProgress {
  /** Says each step and the output of the build, until `signal` aborts. Then says the rest of the output. Never throws. */
  show(deploy: ShownDeploy, say: (line: string) => void, signal: AbortSignal): Promise<void>
  addressOf(environment: Environment): string
}

interface ShownDeploy {
  readonly projectId: number
  readonly branch: string
  readonly commitSha: string
  readonly entryId: number
}

const pollMs = 250
/** Lines of the build that a pusher gets at the end at most. */
const maxLines = 2_000

export function createPushProgress(deps: {
  store: Store
  logs: Pick<Logs, 'tail'>
  vault: Vault
  clock: Clock
  publicPort: PublicPort
}): PushProgress {
  const { store, logs, clock, publicPort } = deps
  const maskFor = createLogMasks(deps)

  async function environmentOf(deploy: ShownDeploy, entry: QueueEntry | undefined) {
    if (entry && entry.environmentId !== null) return store.environments.find(entry.environmentId)
    const rows = await store.environments.list(deploy.projectId, deploy.branch)
    return rows.findLast(
      ({ commitSha, state }) => commitSha === deploy.commitSha && state !== 'destroyed',
    )
  }

  /** Returns the next step of a deploy, and the environment whose build runs. */
  async function look(deploy: ShownDeploy): Promise<{ text: string; environment?: Environment }> {
    const entries = await store.queue.list()
    const entry = entries.find(({ id }) => id === deploy.entryId)
    if (entry?.state === 'waiting') {
      const ahead = entries.filter(({ state }) => state === 'waiting').indexOf(entry)
      const why = entry.lastError ? `: ${entry.lastError}` : ''
      return { text: `queued (${ahead} before it)${why}` }
    }
    const environment = await environmentOf(deploy, entry)
    if (!environment || (entry && entry.environmentId === null)) return { text: 'fetching' }
    const isStarting = environment.hostPort !== null
    const text = isStarting ? 'starting' : `building environment ${environment.id}`
    return { text, environment }
  }

  return {
    async show(deploy, say, signal) {
      const label = `${deploy.branch}: `
      let shown = ''
      let environment: Environment | undefined
      let lastId = -1
      const mask = createMask()

      /** One mask for each environment: a retry builds in another one. */
      function createMask() {
        const masks = new Map<number, (line: LogLine) => Promise<LogLine>>()
        return (of: Environment, line: LogLine) => {
          const known = masks.get(of.id) ?? maskFor(of)
          masks.set(of.id, known)
          return known(line)
        }
      }

      async function sayOutput(): Promise<void> {
        if (!environment) return
        for (const line of await logs.tail(environment.id, maxLines)) {
          if (line.id <= lastId || line.stream !== 'build') continue
          lastId = line.id
          say(`  ${(await mask(environment, line)).line}`)
        }
      }

      async function step(): Promise<void> {
        const seen = await look(deploy)
        if (seen.environment && seen.environment.id !== environment?.id) {
          environment = seen.environment
          lastId = -1
        }
        if (seen.text !== shown && !signal.aborted) say(`${label}${seen.text}`)
        shown = seen.text
        await sayOutput()
      }

      while (!signal.aborted) {
        await step().catch(() => undefined)
        await clock.wait(pollMs, signal).catch(() => undefined)
      }
      environment ??= await environmentOf(deploy, undefined).catch(() => undefined)
      await sayOutput().catch(() => undefined)
    },

    addressOf: ({ hostname }) => appAddress(hostname, publicPort(hostname)),
  }
}
