import { Duplex, type Readable } from 'node:stream'
import type { Engine } from '../../engine/engine.ts'
import { hasStatus } from '../../engine/engine-error.ts'
import { readImageRelease } from '../../engine/image-release.ts'
import type { Ownership } from '../../engine/ownership.ts'
import { DaemonError } from '../../errors.ts'
import type { AppSpec, Clock, OneOffEnd, OneOffIo, OneOffs } from '../../ports.ts'
import { exitOfStatus } from '../exit-reason.ts'
import { type ContainerUser, containerSpec } from './container-spec.ts'
import { inspectContainer, listContainers } from './inspect.ts'
import type { NamedVolumes } from './named-volumes.ts'
import { createNetworks } from './networks.ts'
import { cannotStart } from './start-container.ts'

/** Time from SIGTERM to SIGKILL. */
const graceMs = 5_000
const callMs = 60_000

export interface ContainerOneOffs extends OneOffs {
  /** Removes the containers that a killed daemon left. Runs once. */
  endLeftovers(): Promise<void>
}

/**
 * Runs one-off programs in containers of their own, from the image of the release, in the network of the project. The
 * first run removes the containers that a killed daemon left.
 */
export function createContainerOneOffs({
  engine,
  ownership,
  clock,
  user,
  volumes,
}: {
  engine: Engine
  ownership: Ownership
  clock: Pick<Clock, 'wait'>
  user: ContainerUser
  /** Volumes for the data of branches; absent: the folders of this host. */
  volumes?: NamedVolumes | undefined
}): ContainerOneOffs {
  const networks = createNetworks(engine, ownership)
  const prefix = `strata-${ownership.instance}-run-`
  let ready: Promise<void> | undefined

  async function remove(name: string): Promise<void> {
    const path = `/containers/${encodeURIComponent(name)}`
    const query = { force: true, v: true }
    await engine
      .call({ method: 'DELETE', path, query, timeoutMs: callMs })
      .catch((error: unknown) => {
        if (!hasStatus(error, 404) && !hasStatus(error, 409)) throw error
      })
  }

  async function removeAll(): Promise<void> {
    for (const { name, labels } of await listContainers(engine, ownership.filter)) {
      if (name.startsWith(prefix) && ownership.read(name, labels)) await remove(name)
    }
  }

  function endLeftovers(): Promise<void> {
    ready ??= removeAll().catch((error) => {
      ready = undefined
      throw error
    })
    return ready
  }

  async function create(app: AppSpec, name: string, hasInput: boolean): Promise<void> {
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
    const body = { ...spec, ...streams, HostConfig: hostConfig, Labels }
    const path = '/containers/create'
    await engine.call({ method: 'POST', path, query: { name }, body, timeoutMs: callMs })
  }

  async function attach(name: string, hasInput: boolean): Promise<Duplex> {
    const stream = await engine.stream({
      method: 'POST',
      path: `/containers/${encodeURIComponent(name)}/attach`,
      query: { stream: true, stdout: true, stderr: true, stdin: hasInput },
      isDuplex: true,
      timeoutMs: callMs,
    })
    if (stream instanceof Duplex) return stream
    throw new DaemonError('transient', `the engine ${engine.name} does not attach to containers`)
  }

  async function stop(name: string): Promise<void> {
    const path = `/containers/${encodeURIComponent(name)}/stop`
    const query = { t: graceMs / 1000 }
    await engine
      .call({ method: 'POST', path, query, timeoutMs: callMs })
      .catch(() => remove(name).catch(() => {}))
  }

  /** Ends the program at its time limit and when its caller leaves. Resolves with the reason, or undefined. */
  async function watch(
    name: string,
    { signal, timeoutMs }: OneOffIo,
    done: AbortSignal,
  ): Promise<OneOffEnd | undefined> {
    const isLate = await clock.wait(timeoutMs, AbortSignal.any([signal, done])).then(
      () => true,
      () => false,
    )
    if (!isLate && !signal.aborted) return undefined
    await stop(name)
    return { kind: isLate ? 'timed-out' : 'aborted' }
  }

  async function awaitEnd(name: string, memoryMb: number): Promise<OneOffEnd> {
    const path = `/containers/${encodeURIComponent(name)}/wait`
    const query = { condition: 'not-running' }
    await engine.call({ method: 'POST', path, query, timeoutMs: callMs })
    const state = await inspectContainer(engine, name)
    if (!state) throw new DaemonError('transient', `the container ${name} is gone`)
    if (state.isOutOfMemory) return { kind: 'out-of-memory', limitMb: memoryMb }
    const { code, signal } = exitOfStatus(state.exitCode)
    return signal === null ? { kind: 'exited', code: code ?? -1 } : { kind: 'killed', signal }
  }

  return {
    endLeftovers,
    async run(app, io) {
      await endLeftovers()
      io.signal.throwIfAborted()
      const name = `${prefix}${app.name.replace(/^run-/, '')}`
      const hasInput = io.input !== null
      const done = new AbortController()
      let stream: Duplex | undefined
      try {
        await create(app, name, hasInput).catch((error: unknown) => {
          networks.forget(app.projectId)
          throw cannotStart(error)
        })
        stream = await attach(name, hasInput)
        const path = `/containers/${encodeURIComponent(name)}/start`
        await engine.call({ method: 'POST', path, timeoutMs: callMs }).catch((error: unknown) => {
          throw cannotStart(error)
        })
        io.onStart()
        const why = watch(name, io, done.signal)
        // The engine closes the standard input of the program at the end of this side of the connection.
        if (io.input) io.input.on('error', () => stream?.end()).pipe(stream)
        await take(stream, io)
        const end = awaitEnd(name, app.launch.memoryMb)
        end.catch(() => {})
        if (io.signal.aborted) return { kind: 'aborted' }
        const exited = await end
        done.abort()
        return (await why) ?? exited
      } finally {
        done.abort()
        stream?.destroy()
        await remove(name)
      }
    },
  }
}

/** Passes the frames of the engine's stream on: 8 bytes head, then bytes of one stream. */
async function take(stream: Readable, { output, signal }: OneOffIo): Promise<void> {
  let rest: Buffer = Buffer.alloc(0)
  try {
    for await (const chunk of stream) {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      let at = 0
      while (rest.length - at >= headBytes) {
        const end = at + headBytes + rest.readUInt32BE(at + 4)
        if (rest.length < end) break
        const data = rest.subarray(at + headBytes, end)
        if (!signal.aborted) await output(data, rest[at] === 2 ? 'stderr' : 'stdout')
        at = end
      }
      rest = rest.subarray(at)
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

const headBytes = 8
