import { parseInstanceName } from '../../domain/process-names.ts'
import type { Clock, Instance, InstanceExit } from '../../ports.ts'
import { exitOfStatus } from '../exit-reason.ts'
import type { ContainerLog } from './container-logs.ts'
import type { ContainerState } from './inspect.ts'

/** A running container of this daemon. */
export interface RunningContainer {
  readonly id: string
  readonly instance: Instance
  readonly memoryMb: number
  /** Process id of its first process on the engine's host. */
  readonly pid: number
  readonly log: ContainerLog
  /** Resolves when the container has ended and its output is in the log. */
  readonly ended: Promise<InstanceExit>
  /** True while a stop is in progress: the exit is no crash. */
  isStopping: boolean
}

/** Registry of the containers that run. Emits their exits. */
export interface Containers {
  find(name: string): RunningContainer | undefined
  list(): ReadonlyMap<string, RunningContainer>
  add(
    name: string,
    state: ContainerState,
    details: {
      environmentId: number
      memoryMb: number
      host: string
      log: ContainerLog
    },
  ): RunningContainer
  /** Records that a container ended, as `state` says; undefined if the engine no longer has it. Idempotent. */
  end(container: RunningContainer, state: ContainerState | undefined): Promise<void>
  onExit(listener: (exit: InstanceExit) => void): void
  /**
   * Returns true once if the app's last container ended by itself. Such a container is not started again: the engine may
   * have lost its network, and its files may be what made it end.
   */
  takeCrashed(name: string): boolean
}

export function createContainers({
  clock,
  report,
}: {
  clock: Clock
  report: (error: unknown) => void
}): Containers {
  const running = new Map<string, RunningContainer>()
  const resolvers = new Map<RunningContainer, (exit: InstanceExit) => void>()
  const ends = new Map<RunningContainer, Promise<void>>()
  const listeners: ((exit: InstanceExit) => void)[] = []
  const crashed = new Set<string>()

  function exitOf(
    { instance: { name, environmentId, process }, memoryMb }: RunningContainer,
    state: ContainerState | undefined,
  ): InstanceExit {
    const outcome = state ? exitOfStatus(state.exitCode) : { code: null, signal: null }
    const isOutOfMemory = state?.isOutOfMemory === true
    const subject = { name, environmentId, ...(process !== undefined && { process }) }
    return { ...subject, ...outcome, ...(isOutOfMemory && { outOfMemoryMb: memoryMb }) }
  }

  async function finish(
    container: RunningContainer,
    state: ContainerState | undefined,
  ): Promise<void> {
    const resolveEnd = resolvers.get(container)
    if (!resolveEnd) return
    resolvers.delete(container)
    await container.log.end().catch(report)
    const exit = exitOf(container, state)
    if (running.get(exit.name) === container) running.delete(exit.name)
    resolveEnd(exit)
    if (container.isStopping) return
    crashed.add(exit.name)
    for (const listener of listeners) listener(exit)
  }

  return {
    find: (name) => running.get(name),
    list: () => running,
    add(name, state, { environmentId, memoryMb, host, log }) {
      const process = parseInstanceName(name)?.process
      const instance: Instance = {
        name,
        environmentId,
        ...(process !== undefined && { process }),
        containerName: state.name,
        endpoints: [{ host, port: state.hostPort ?? 0 }],
        startedAt: state.startedAt || clock.now(),
      }
      let resolveEnd: (exit: InstanceExit) => void = () => {}
      const ended = new Promise<InstanceExit>((resolve) => {
        resolveEnd = resolve
      })
      const { id, pid } = state
      const container = { id, instance, memoryMb, pid, log, ended, isStopping: false }
      running.set(name, container)
      resolvers.set(container, resolveEnd)
      return container
    },
    end(container, state) {
      const current = ends.get(container)
      if (current) return current
      const work = finish(container, state).finally(() => ends.delete(container))
      ends.set(container, work)
      return work
    },
    onExit: (listener) => void listeners.push(listener),
    takeCrashed: (name) => crashed.delete(name),
  }
}
