import { type LogKey, logKey, scheduleProcess, webProcess } from '../../domain/process-names.ts'
import type { Environment } from '../../domain/records.ts'
import { isLive, statesBefore } from '../../domain/states.ts'
import { DaemonError } from '../../errors.ts'
import type { Clock, LogLine, Logs, Store, Vault } from '../../ports.ts'
import type { Worker } from '../deploy/worker.ts'
import { createLogMasks } from '../ground/log-masks.ts'
import type { EnvironmentUseCases } from '../ground/use-cases.ts'
import type { Destruction } from '../run/destroy.ts'
import type { LastAccesses } from '../run/last-accesses.ts'
import type { Pausing } from '../run/pause.ts'
import type { Waking } from '../run/wake.ts'

export function createEnvironments(deps: {
  store: Store
  logs: Logs
  pausing: Pausing
  waking: Waking
  destruction: Destruction
  worker: Worker
  accesses: Pick<LastAccesses, 'last'>
  vault: Vault
  clock: Clock
}): EnvironmentUseCases {
  const maskFor = createLogMasks(deps)
  const { store, logs, pausing, waking, destruction, worker, accesses } = deps

  /** Adds an access that the database does not have yet: it is written at most every 15 s. */
  const withLastAccess = (environment: Environment): Environment => ({
    ...environment,
    lastAccessedAt: accesses.last(environment),
  })

  async function find(id: number): Promise<Environment> {
    const environment = await store.environments.find(id)
    if (!environment) throw new DaemonError('not-found', `no environment ${id}`)
    return withLastAccess(environment)
  }

  return {
    find,

    async list(projectId, branch) {
      if (branch === undefined) {
        return (await store.environments.list(projectId)).map(withLastAccess)
      }
      const live = await store.environments.findLive(projectId, branch)
      const newest = live ?? (await store.environments.list(projectId, branch)).at(-1)
      return newest ? [withLastAccess(newest)] : []
    },

    async listLive(nodeId) {
      const rows = await store.environments.listLive(nodeId === undefined ? {} : { nodeId })
      return rows.map(withLastAccess)
    },

    async destroy(id, { purgeSecrets, purgeData = false }, actor) {
      const environment = await find(id)
      const detail = `destroyed by ${actor.operator}`
      const row = await store.transaction(async (tx) => {
        const before = await tx.environments.find(id)
        if (!before || !statesBefore('destroyed').includes(before.state)) {
          if (before && purgeData) await destruction.planPurge(tx, before, actor)
          return undefined
        }
        const cause = { kind: 'destroy', detail, actor, purgeSecrets, purgeData } as const
        return (await destruction.mark(tx, before, cause)) ? before : undefined
      })
      if (!row) {
        if (purgeData) await destruction.clear(environment)
        return
      }
      if (row.state === 'building') await worker.abort(row, destroyedDuringDeploy(id))
      await destruction.finish(row)
    },

    pause: (id, actor) => pausing.pause(id, actor),

    async wake(id, actor) {
      await waking.wake(id, actor)
    },

    logOf: async (id, process) => logOf(await find(id), process),

    async logs(id, lines, process) {
      const environment = await find(id)
      const found = await logs.tail(logOf(environment, process), lines)
      return Promise.all(found.map(maskFor(environment)))
    },

    async *followLogs(id, afterId, signal, { newest = 50, process } = {}): AsyncIterable<LogLine> {
      const environment = await find(id)
      const key = logOf(environment, process)
      const { state } = environment
      const mask = maskFor(environment)
      if (isLive(state) || state === 'building') {
        for await (const line of logs.follow(key, afterId, signal, newest)) yield await mask(line)
        return
      }
      // The log has ended: send the rest and close the stream.
      const lines = await logs.tail(key, afterId === null ? newest : 10_000)
      for (const line of lines) {
        if (afterId === null || line.id > afterId) yield await mask(line)
      }
    },
  }
}

function destroyedDuringDeploy(id: number): DaemonError {
  return new DaemonError('unprocessable', `environment ${id} was destroyed during its deploy`)
}

/** Returns the log of a process. Throws `not-found` if the environment has no process of this name. */
function logOf({ id, launch }: Environment, process: string | undefined): LogKey {
  if (process === undefined || process === webProcess) return id
  const names = (launch?.processes ?? []).map(({ name }) => name)
  if (names.includes(process)) return logKey(id, process)
  const schedules = (launch?.schedules ?? []).map(({ name }) => name)
  if (schedules.includes(process)) return logKey(id, scheduleProcess(process))
  throw new DaemonError(
    'not-found',
    `environment ${id} has no process ${process}: known are ${[webProcess, ...names, ...schedules].join(', ')}`,
  )
}
