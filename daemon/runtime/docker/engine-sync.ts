import type { Locks } from '../../async/locks.ts'
import { type LogKey, logKey, parseInstanceName } from '../../domain/process-names.ts'
import type { Engine } from '../../engine/engine.ts'
import { isUnreachable } from '../../engine/engine-error.ts'
import type { Ownership } from '../../engine/ownership.ts'
import type { Clock } from '../../ports.ts'
import { followContainer, type LineLogs } from './container-logs.ts'
import type { Containers } from './containers.ts'
import { endContainer } from './end-container.ts'
import { watchEngine } from './engine-watch.ts'
import { inspectContainer, type ListedContainer, listContainers } from './inspect.ts'
import type { VolumeUsers } from './volume-users.ts'

/** `stop` keeps the container for the next start; `remove` does not. */
export type ContainerFate = 'run' | 'stop' | 'remove'

/** Returns what to do with a container that an engine brings back. `app` is undefined for a one-off program. */
export type FateOf = (
  environmentId: number,
  app: { readonly process?: string } | undefined,
) => Promise<ContainerFate>

/** Keeps the registry of containers equal to what the engine runs. */
export interface EngineSync {
  /** Resolves when the containers of the previous daemon are adopted. Every operation waits for it. */
  ensureAdopted(): Promise<void>
  /** Compares with the engine now. Throws EngineError if the engine does not respond. */
  compare(): Promise<void>
  /** Call when the engine was found away: unwanted containers end at the next comparison. */
  unfence(): void
  /** Returns the number of times that the engine went away. */
  interruptions(): number
  /** Stops the watch. */
  close(): void
}

export interface EngineSyncOptions {
  readonly engine: Engine
  readonly ownership: Ownership
  readonly clock: Clock
  readonly logs: LineLogs
  readonly containers: Containers
  readonly volumeUsers: VolumeUsers
  readonly locks: Locks
  /** Address at which the gateway reaches apps. */
  readonly host: string
  readonly fateOf: FateOf
  readonly compared: (fault: Error | undefined) => void
  readonly wasAway: boolean
  readonly report: { note(text: string): void; fault(error: unknown): void }
}

export function createEngineSync(options: EngineSyncOptions): EngineSync {
  const { engine, ownership, clock, containers, volumeUsers, locks, host } = options
  const { compared, wasAway, report } = options
  const follow = (key: LogKey, id: string) =>
    followContainer({ id, key, isNew: false }, { ...options, report: report.fault })
  let adopting: Promise<void> | undefined
  let watch: { close(): void } | undefined
  let isFenced = !wasAway
  let interruptions = 0

  function ensureAdopted(): Promise<void> {
    adopting ??= sync(true)
      .then(() => {
        watch = watchEngine(engine, ownership.filter, {
          clock,
          ended: (id) => void handleEnd(id).catch(report.fault),
          resync: () => sync(false),
          away: setAway,
          report: report.fault,
        })
      })
      .catch((error) => {
        adopting = undefined
        throw error
      })
    return adopting
  }

  async function handleEnd(id: string): Promise<void> {
    const container = [...containers.list().values()].find((each) => each.id === id)
    if (!container) return
    const state = await inspectContainer(engine, id)
    if (!state?.isRunning) await containers.end(container, state)
  }

  function setAway(error: unknown): void {
    isFenced = false
    interruptions += 1
    compared(error instanceof Error ? error : new Error(String(error)))
  }

  async function sync(isFirst: boolean): Promise<void> {
    try {
      await compare(isFirst)
    } catch (error) {
      if (isUnreachable(error)) setAway(error)
      throw error
    }
    compared(undefined)
  }

  /** Compares the registry with the engine: adopts what runs, and ends what does not. */
  async function compare(isFirst: boolean): Promise<void> {
    const before = new Set(containers.list().values())
    if (!isFenced) {
      await endUnwanted(await listContainers(engine, ownership.filter), options)
      isFenced = true
    }
    const listed = await listContainers(engine, ownership.filter)
    await volumeUsers.thaw(listed.filter(({ name, labels }) => isApp(name, labels)))
    const runningIds = new Set(listed.filter(({ isRunning }) => isRunning).map(({ id }) => id))
    await Promise.all(
      [...before].filter(({ id }) => !runningIds.has(id)).map(({ id }) => handleEnd(id)),
    )
    for (const { id, name, labels, isRunning } of listed) {
      const fields = ownership.read(name, labels)
      if (fields?.role !== 'app') continue
      const { environmentId } = fields
      const appName = name.replace(`strata-${ownership.instance}-`, 'strata-')
      const parsed = parseInstanceName(appName)
      if (parsed?.environmentId !== environmentId) continue
      const key = logKey(environmentId, parsed.process)
      if (isRunning) await locks.run(appName, () => adopt(appName, environmentId, key, id))
      else if (isFirst) await catchUp(key, id)
    }
  }

  async function adopt(
    appName: string,
    environmentId: number,
    key: LogKey,
    id: string,
  ): Promise<void> {
    const known = containers.find(appName)
    const state = await inspectContainer(engine, id)
    if (!state?.isRunning || state.hostPort === null) return
    if (known?.id === id && known.instance.endpoints[0].port === state.hostPort) return
    // A restart of the engine may have given the container another port.
    if (known) await known.log.leave()
    const log = follow(key, id)
    containers.add(appName, state, { environmentId, memoryMb: state.memoryMb, host, log })
  }

  /** Reads the output that a container wrote before its end, while no daemon ran. */
  async function catchUp(key: LogKey, id: string): Promise<void> {
    await follow(key, id).end()
  }

  const isApp = (name: string, labels: Readonly<Record<string, string>>) =>
    ownership.read(name, labels)?.role === 'app'

  return {
    ensureAdopted,
    async compare() {
      if (watch) await sync(false)
      else await ensureAdopted()
    },
    unfence() {
      isFenced = false
    },
    interruptions: () => interruptions,
    close: () => watch?.close(),
  }
}

/** Ends what an engine that was away still runs of paused, moved and destroyed environments. */
async function endUnwanted(
  listed: readonly ListedContainer[],
  { engine, ownership, fateOf, report }: EngineSyncOptions,
): Promise<void> {
  await Promise.all(
    listed.map(async ({ id, name, labels, isRunning }) => {
      const fields = ownership.read(name, labels)
      if (fields?.role !== 'app') return
      const app = parseInstanceName(name.replace(`strata-${ownership.instance}-`, 'strata-'))
      const fate = await fateOf(fields.environmentId, app)
      if (fate === 'run' || (fate === 'stop' && !isRunning)) return
      report.note(`the engine ${engine.name} came back with ${name}: it is ended (${fate})`)
      await endContainer(engine, id, fate)
    }),
  )
}
