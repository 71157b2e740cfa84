import type { Engine } from '../engine/engine.ts'
import { isUnreachable } from '../engine/engine-error.ts'
import { probeEngine } from '../engine/version.ts'
import { DaemonError } from '../errors.ts'
import type { Builder, Clock, NodeCapacity } from '../ports.ts'
import type { DockerRuntime } from '../runtime/docker/docker-runtime.ts'
import type { FateOf } from '../runtime/docker/engine-sync.ts'
import type { ContainerOneOffs } from '../runtime/docker/one-offs.ts'

/** One engine of the fleet. Nodes with the same endpoint share it. */
export interface Member {
  /** Name for messages. */
  readonly name: string
  readonly engine: Engine
  readonly runtime: DockerRuntime
  readonly builder: Builder
  readonly oneOffs: ContainerOneOffs
  /** True if containers of the engine see the folders of this host. */
  readonly seesFolders: boolean
  /** Reason why the engine does not respond; undefined if it does. What it runs is unknown then. */
  away(): string | undefined
  /** Runs `work`. An engine that does not respond is away from then on. */
  use<T>(work: () => Promise<T>): Promise<T>
  /** Probes the engine, and takes back what it runs. Throws the reason if it does not respond. */
  probe(timeoutMs?: number): Promise<NodeCapacity>
  /** The result of the last successful probe. */
  known(): NodeCapacity | undefined
  close(): Promise<void>
}

/** Connects the docker runtime of a member with the member. */
export interface MemberHooks {
  readonly fateOf: FateOf
  readonly compared: (fault: Error | undefined) => void
}

const probeTimeoutMs = 4_000
/** A result of a probe is used again for this time. */
const freshMs = 1_000

/**
 * Creates the member of an engine. A new member is away until its containers are known. `isOwn` is true for the engine of
 * the daemon's own settings: its containers are known from the start, and an outage of it is one of this host.
 */
export function createMember(
  { name, engine, seesFolders }: Pick<Member, 'name' | 'engine' | 'seesFolders'>,
  {
    clock,
    isOwn,
    changed,
    adapters,
    fateOf,
  }: {
    clock: Pick<Clock, 'monotonic'>
    isOwn: boolean
    changed: () => void
    adapters: (hooks: MemberHooks) => Pick<Member, 'runtime' | 'builder' | 'oneOffs'>
    fateOf: MemberHooks['fateOf']
  },
): Member {
  let fault: string | undefined = isOwn ? undefined : 'the daemon has not reached it yet'
  let engineId: string | undefined
  let last: { at: number; capacity: NodeCapacity } | undefined
  let probing: Promise<NodeCapacity> | undefined
  let isClosed = false

  function setFault(reason: string | undefined): void {
    if (isOwn || isClosed || fault === reason) return
    const hasChanged = (fault === undefined) !== (reason === undefined)
    fault = reason
    if (hasChanged) changed()
  }

  function compared(error: Error | undefined): void {
    if (error === undefined) setFault(undefined)
    else setFault(error.message)
  }

  const { runtime, builder, oneOffs } = adapters({ fateOf, compared })

  async function probe(timeoutMs: number): Promise<NodeCapacity> {
    try {
      const { id, memoryBytes, cpuCount } = await probeEngine(engine, timeoutMs)
      if (engineId !== undefined && id !== engineId) {
        throw new DaemonError('unavailable', `another engine answers at ${engine.name}`)
      }
      engineId = id
      if (fault !== undefined) {
        await runtime.compare()
        // Commands that a killed daemon left on a node have no caller any more.
        await oneOffs.endLeftovers()
      }
      const capacity = { memoryBytes, cpuCount }
      last = { at: clock.monotonic(), capacity }
      return capacity
    } catch (error) {
      if (fault === undefined && !isOwn) runtime.setAway()
      setFault(error instanceof Error ? error.message : String(error))
      throw error
    }
  }

  return {
    ...{ name, engine, runtime, builder, oneOffs, seesFolders },
    away: () => fault,
    known: () => last?.capacity,

    async use(work) {
      if (fault !== undefined) throw unreachable(name, fault)
      try {
        return await work()
      } catch (error) {
        if (isUnreachable(error)) {
          runtime.setAway()
          setFault(error.message)
        }
        throw error
      }
    },

    async probe(timeoutMs = probeTimeoutMs) {
      if (last && fault === undefined && clock.monotonic() - last.at < freshMs) return last.capacity
      probing ??= probe(timeoutMs).finally(() => {
        probing = undefined
      })
      return probing
    },

    async close() {
      isClosed = true
      await runtime.close()
    },
  }
}

function unreachable(name: string, reason: string): DaemonError {
  return new DaemonError('transient', `node ${name} does not respond: ${reason}`)
}
