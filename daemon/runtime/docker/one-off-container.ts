import { Duplex } from 'node:stream'
import type { Engine } from '../../engine/engine.ts'
import { hasStatus } from '../../engine/engine-error.ts'
import { readImageRelease } from '../../engine/image-release.ts'
import type { Ownership } from '../../engine/ownership.ts'
import { DaemonError } from '../../errors.ts'
import type { AppSpec, OneOffEnd } from '../../ports.ts'
import { exitOfStatus } from '../exit-reason.ts'
import { type ContainerUser, containerSpec } from './container-spec.ts'
import { inspectContainer } from './inspect.ts'
import type { NamedVolumes } from './named-volumes.ts'
import type { Networks } from './networks.ts'
import { cannotStart } from './start-container.ts'

/** Time from SIGTERM to SIGKILL. */
const graceMs = 5_000
const callMs = 60_000

export interface OneOffContainersOptions {
  readonly engine: Engine
  readonly ownership: Ownership
  readonly networks: Networks
  readonly user: ContainerUser
  /** Volumes for the data of branches; absent: the folders of this host. */
  readonly volumes?: NamedVolumes | undefined
}

/** The calls of the engine that a container of a one-off program needs. */
export function createOneOffContainers(options: OneOffContainersOptions) {
  const { engine } = options

  function post(
    name: string,
    action: string,
    query: Readonly<Record<string, string | number>> = {},
  ) {
    const path = `/containers/${encodeURIComponent(name)}/${action}`
    return (timeoutMs: number) => engine.call({ method: 'POST', path, query, timeoutMs })
  }

  async function remove(name: string): Promise<void> {
    const path = `/containers/${encodeURIComponent(name)}`
    const query = { force: true, v: true }
    await engine
      .call({ method: 'DELETE', path, query, timeoutMs: callMs })
      .catch((error: unknown) => {
        if (!hasStatus(error, 404) && !hasStatus(error, 409)) throw error
      })
  }

  return {
    remove,

    /** Creates a container from the image of the release. Throws `unprocessable` if there is no such image. */
    async create(app: AppSpec, name: string, hasInput: boolean): Promise<void> {
      const body = await bodyOf(app, name, hasInput, options)
      const path = '/containers/create'
      await engine.call({ method: 'POST', path, query: { name }, body, timeoutMs: callMs })
    },

    async attach(name: string, hasInput: boolean): Promise<Duplex> {
      const stream = await engine.stream({
        method: 'POST',
        path: `/containers/${encodeURIComponent(name)}/attach`,
        query: { stream: true, stdout: true, stderr: true, stdin: hasInput },
        isDuplex: true,
        timeoutMs: callMs,
      })
      if (stream instanceof Duplex) return stream
      throw new DaemonError('transient', `the engine ${engine.name} does not attach to containers`)
    },

    async start(name: string): Promise<void> {
      await post(
        name,
        'start',
      )(callMs).catch((error: unknown) => {
        throw cannotStart(error)
      })
    },

    /** Sends SIGTERM, then SIGKILL. Removes the container if the engine does not stop it. */
    async stop(name: string): Promise<void> {
      await post(name, 'stop', { t: graceMs / 1000 })(callMs).catch(() =>
        remove(name).catch(() => {}),
      )
    },

    /** Waits until the program has ended; at most `timeoutMs` and the time of a stop. */
    async awaitEnd(
      name: string,
      { memoryMb, timeoutMs }: { memoryMb: number; timeoutMs: number },
    ): Promise<OneOffEnd> {
      await post(name, 'wait', { condition: 'not-running' })(timeoutMs + callMs)
      const state = await inspectContainer(engine, name)
      if (!state) throw new DaemonError('transient', `the container ${name} is gone`)
      if (state.isOutOfMemory) return { kind: 'out-of-memory', limitMb: memoryMb }
      const { code, signal } = exitOfStatus(state.exitCode)
      return signal === null ? { kind: 'exited', code: code ?? -1 } : { kind: 'killed', signal }
    },
  }
}

/** Returns the body of `POST /containers/create`: that of the app, without published ports, with attached streams. */
async function bodyOf(
  app: AppSpec,
  name: string,
  hasInput: boolean,
  { ownership, networks, user, volumes }: OneOffContainersOptions,
): Promise<Readonly<Record<string, unknown>>> {
  const image = await readImageRelease(app.folder)
  if (!image) {
    throw new DaemonError(
      'unprocessable',
      'the release has no image, because another runtime built it: deploy the branch again',
    )
  }
  const network = await networks.ensure(app.projectId)
  const command = [...app.launch.start]
  const volumeName = app.volume && (await volumes?.ensure(app.projectId, app.volume))
  const place = { network, publishOn: '127.0.0.1', user, volumeName }
  const { ExposedPorts, HostConfig, ...spec } = containerSpec(app, { ...image, command }, place)
  // The cast is safe: containerSpec returns an object here.
  const { PortBindings, ...hostConfig } = HostConfig as Record<string, unknown>
  const { projectId, environmentId } = app
  const Labels = ownership.labels(name, { role: 'app', projectId, environmentId, spec: 'run' })
  const streams = {
    ...{ AttachStdout: true, AttachStderr: true, AttachStdin: hasInput },
    ...{ OpenStdin: hasInput, StdinOnce: hasInput },
  }
  return { ...spec, ...streams, HostConfig: hostConfig, Labels }
}
