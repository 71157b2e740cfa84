import * as z from 'zod'
import type { Engine } from '../../engine/engine.ts'
import { hasStatus } from '../../engine/engine-error.ts'

const portBinding = z.object({ HostIp: z.string(), HostPort: z.string() })

const schema = z.object({
  Id: z.string(),
  Name: z.string(),
  Created: z.string(),
  Config: z.object({ Labels: z.record(z.string(), z.string()).nullish() }),
  State: z.object({
    Running: z.boolean(),
    Pid: z.number().default(0),
    ExitCode: z.number(),
    OOMKilled: z.boolean().default(false),
    Error: z.string().default(''),
    StartedAt: z.string(),
  }),
  HostConfig: z.object({ Memory: z.number().default(0) }),
  NetworkSettings: z.object({
    Ports: z.record(z.string(), z.array(portBinding).nullish()).nullish(),
  }),
})

/** A container as the engine describes it. */
export interface ContainerState {
  readonly id: string
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly isRunning: boolean
  /** Process id of the container's first process on the engine's host; 0 if it does not run. */
  readonly pid: number
  readonly exitCode: number
  readonly isOutOfMemory: boolean
  /** The engine's reason for a start that failed; '' without one. */
  readonly error: string
  readonly startedAt: number
  readonly memoryMb: number
  /** Published host port; null if the container does not run. */
  readonly hostPort: number | null
}

/** Returns the state of a container; undefined if it does not exist. */
export async function inspectContainer(
  engine: Engine,
  name: string,
): Promise<ContainerState | undefined> {
  const path = `/containers/${encodeURIComponent(name)}/json`
  const answer = await engine.call({ path }).catch((error: unknown) => {
    if (hasStatus(error, 404)) return undefined
    throw error
  })
  if (answer === undefined) return undefined
  const { Id, Name, Config, State, HostConfig, NetworkSettings } = schema.parse(answer)
  const bindings = Object.values(NetworkSettings.Ports ?? {}).flatMap((each) => each ?? [])
  const port = Number(bindings[0]?.HostPort ?? 0)
  return {
    id: Id,
    name: Name.replace(/^\//, ''),
    labels: Config.Labels ?? {},
    isRunning: State.Running,
    pid: State.Pid,
    exitCode: State.ExitCode,
    isOutOfMemory: State.OOMKilled,
    error: State.Error,
    startedAt: Date.parse(State.StartedAt) || 0,
    memoryMb: Math.round(HostConfig.Memory / 2 ** 20),
    hostPort: port > 0 ? port : null,
  }
}

const listSchema = z.array(
  z.object({
    Id: z.string(),
    Names: z.array(z.string()),
    State: z.string(),
    Labels: z.record(z.string(), z.string()).nullish(),
  }),
)

export interface ListedContainer {
  readonly id: string
  readonly name: string
  /** True also for a frozen container. */
  readonly isRunning: boolean
  readonly isFrozen: boolean
  readonly labels: Readonly<Record<string, string>>
}

/** Lists the containers with a label, running or not. `more` are further filters of the Engine API. */
export async function listContainers(
  engine: Engine,
  label: string,
  more: Readonly<Record<string, readonly string[]>> = {},
): Promise<ListedContainer[]> {
  const filters = JSON.stringify({ label: [label], ...more })
  const answer = await engine.call({ path: '/containers/json', query: { all: true, filters } })
  return listSchema.parse(answer).map(({ Id, Names, State, Labels }) => ({
    id: Id,
    name: (Names[0] ?? '').replace(/^\//, ''),
    isRunning: State === 'running' || State === 'paused' || State === 'restarting',
    isFrozen: State === 'paused',
    labels: Labels ?? {},
  }))
}
