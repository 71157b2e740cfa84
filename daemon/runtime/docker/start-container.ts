import { type LogKey, logKey } from '../../domain/process-names.ts'
import { expandWords } from '../../domain/start-command.ts'
import type { Engine } from '../../engine/engine.ts'
import { hasStatus } from '../../engine/engine-error.ts'
import { type ImageRelease, readImageRelease } from '../../engine/image-release.ts'
import type { Ownership } from '../../engine/ownership.ts'
import { DaemonError } from '../../errors.ts'
import type { AppSpec, Clock } from '../../ports.ts'
import { describeEarlyExit, exitOfStatus } from '../exit-reason.ts'
import { cannotExec } from '../failed-exec.ts'
import { followContainer, type LineLogs } from './container-logs.ts'
import { type ContainerUser, containerSpec, dataFolder } from './container-spec.ts'
import type { Containers, RunningContainer } from './containers.ts'
import { type ContainerState, inspectContainer } from './inspect.ts'
import type { NamedVolumes } from './named-volumes.ts'
import type { Networks } from './networks.ts'

export interface StartContext {
  readonly engine: Engine
  readonly ownership: Ownership
  readonly containers: Containers
  readonly networks: Networks
  readonly logs: LineLogs
  readonly clock: Clock
  /** Address of the node on which ports are published. */
  readonly host: string
  /** Volumes for the data of branches; absent: the folders of this host. */
  readonly volumes: NamedVolumes | undefined
  /** User of apps whose image names none. */
  readonly user: ContainerUser
  readonly report: (error: unknown) => void
}

/** Returns the name of an app's container, unique in the engine. */
export function containerNameOf(name: string, { instance }: Pick<Ownership, 'instance'>): string {
  return name.replace(/^strata-/, `strata-${instance}-`)
}

/**
 * Starts the container of an app: adopts a running one, starts a stopped one of the same specification, or makes a new
 * one. Resolves when it runs. Throws `unprocessable` with the reason if it can't start or ends at once.
 */
export async function startContainer(
  app: AppSpec,
  context: StartContext,
): Promise<RunningContainer> {
  const { engine, ownership, networks, volumes } = context
  const image = await readImageRelease(app.folder)
  if (!image) {
    throw new DaemonError(
      'unprocessable',
      'the release has no image, because another runtime built it: deploy the branch again',
    )
  }
  const name = containerNameOf(app.name, ownership)
  const network = await networks.ensure(app.projectId)
  const { host: publishOn, user } = context
  const volumeName = app.volume && (await volumes?.ensure(app.projectId, app.volume))
  const body = containerSpec(app, withCommand(image, app), {
    ...{ network, publishOn, user, volumeName },
  })
  const fields = {
    role: 'app',
    projectId: app.projectId,
    environmentId: app.environmentId,
    spec: ownership.digest(JSON.stringify(body)),
  } as const
  const present = await findOwned(name, context)
  const hasCrashed = context.containers.takeCrashed(app.name)
  const isUsable = present !== undefined && (present.isRunning || !hasCrashed)
  const isSame = isUsable && ownership.read(name, present.labels)?.spec === fields.spec
  if (present?.isRunning && isSame) return follow(app, present, false, context)
  if (present && !isSame) await removeContainer(name, keyOf(app), present, context)
  let isNew = false
  if (!present || !isSame) {
    isNew = true
    const Labels = ownership.labels(name, fields)
    await engine
      .call({
        method: 'POST',
        path: '/containers/create',
        query: { name },
        body: { ...body, Labels },
        timeoutMs: 60_000,
      })
      .catch((error: unknown) => {
        throw hasStatus(error, 404) ? imageGone(image) : cannotStart(error)
      })
  }
  try {
    await engine.call({
      method: 'POST',
      path: `/containers/${encodeURIComponent(name)}/start`,
      timeoutMs: 60_000,
    })
  } catch (error) {
    networks.forget(app.projectId)
    await engine
      .call({
        method: 'DELETE',
        path: `/containers/${encodeURIComponent(name)}`,
        query: { force: true, v: true },
      })
      .catch(context.report)
    throw cannotStart(error)
  }
  const state = await inspectContainer(engine, name)
  if (!state) throw new DaemonError('transient', `the container ${name} is gone after its start`)
  const container = follow(app, state, isNew, context)
  if (state.isRunning && state.hostPort !== null) return container
  if (app.process !== undefined) {
    // The command of a schedule may end at once: that is an exit, and no failed start.
    setImmediate(() => void context.containers.end(container, state).catch(context.report))
    return container
  }
  container.isStopping = true
  await context.containers.end(container, state)
  const { environmentId } = app
  const process = app.process === undefined ? {} : { process: app.process }
  const exit = { name: app.name, environmentId, ...process, ...exitOfStatus(state.exitCode) }
  const outOfMemory = state.isOutOfMemory ? { outOfMemoryMb: app.launch.memoryMb } : {}
  throw new DaemonError(
    'unprocessable',
    await describeEarlyExit({ ...exit, ...outOfMemory }, context.logs),
  )
}

function follow(app: AppSpec, state: ContainerState, isNew: boolean, context: StartContext) {
  const { containers, engine, logs, clock, report, host } = context
  const known = containers.find(app.name)
  if (known?.id === state.id && known.instance.endpoints[0].port === state.hostPort) return known
  const { environmentId } = app
  const log = followContainer(
    { id: state.id, key: keyOf(app), isNew },
    { engine, logs, clock, report },
  )
  const { memoryMb } = app.launch
  return containers.add(app.name, state, { environmentId, memoryMb, host, log })
}

/** Returns the container of this name. Throws `conflict` if somebody else made it. */
async function findOwned(
  name: string,
  { engine, ownership }: StartContext,
): Promise<ContainerState | undefined> {
  const state = await inspectContainer(engine, name)
  if (!state || ownership.read(name, state.labels)?.role === 'app') return state
  throw new DaemonError(
    'conflict',
    `the engine has a container ${name} that the daemon did not make: remove it with docker rm -f ${name}`,
  )
}

/** Removes a container of an earlier specification, after its output is in the log. */
export async function removeContainer(
  name: string,
  key: LogKey,
  { id }: Pick<ContainerState, 'id'>,
  { engine, logs, clock, report }: Pick<StartContext, 'engine' | 'logs' | 'clock' | 'report'>,
): Promise<void> {
  await followContainer({ id, key, isNew: false }, { engine, logs, clock, report }).end()
  await engine
    .call({
      method: 'DELETE',
      path: `/containers/${encodeURIComponent(name)}`,
      query: { force: true, v: true },
      timeoutMs: 60_000,
    })
    .catch((error: unknown) => {
      if (!hasStatus(error, 404)) throw error
    })
}

/** Replaces the image's command if the start command has variables of the app. */
function withCommand(image: ImageRelease, { launch, env, volume, process }: AppSpec): ImageRelease {
  // The own command of an image is that of the web process.
  if (process !== undefined && !launch.startHasVariables) {
    return { ...image, command: [...launch.start] }
  }
  if (!launch.startHasVariables) return image
  const revealed = Object.entries({ ...launch.env, ...env }).map(
    ([name, value]) => [name, typeof value === 'string' ? value : value.reveal()] as const,
  )
  const port = String(launch.port ?? image.exposedPort ?? '')
  const own = {
    PORT: port,
    HOST: '0.0.0.0',
    ...(volume !== undefined && { STRATA_DATA: dataFolder }),
  }
  const expanded = expandWords(launch.start, { ...Object.fromEntries(revealed), ...own })
  if ('words' in expanded) return { ...image, command: [...expanded.words] }
  throw new DaemonError(
    'unprocessable',
    `the start command needs the variable ${expanded.missing}: set it in deploy.env of strata.json, or with strata env set`,
  )
}

function keyOf({ environmentId, process }: AppSpec): LogKey {
  return logKey(environmentId, process)
}

function imageGone({ tag }: ImageRelease): DaemonError {
  return new DaemonError(
    'unprocessable',
    `the engine no longer has the image ${tag}: deploy the branch again`,
  )
}

/** Translates the engine's message for a container that can't be created or started. */
export function cannotStart(error: unknown): unknown {
  if (!(error instanceof DaemonError) || error.kind === 'transient') return error
  const { message } = error
  if (/cannot assign requested address/.test(message)) {
    return new DaemonError(
      'unprocessable',
      `the node does not have the address on which apps are published: correct it with strata node add --address (${message.trim()})`,
    )
  }
  const program = /exec: "([^"]+)"/.exec(message)?.[1]
  const known = program !== undefined && /not found|no such file/.test(message)
  const reason = known ? cannotExec(program) : `can't start the container: ${message.trim()}`
  return new DaemonError('unprocessable', reason)
}
