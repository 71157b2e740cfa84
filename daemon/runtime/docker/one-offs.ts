import type { Duplex, Readable } from 'node:stream'
import type { Engine } from '../../engine/engine.ts'
import type { Ownership } from '../../engine/ownership.ts'
import { DaemonError } from '../../errors.ts'
import type { Clock, OneOffEnd, OneOffIo, OneOffs } from '../../ports.ts'
import { failedExec } from '../failed-exec.ts'
import type { ContainerUser } from './container-spec.ts'
import { listContainers } from './inspect.ts'
import type { NamedVolumes } from './named-volumes.ts'
import { createNetworks } from './networks.ts'
import { createOneOffContainers } from './one-off-container.ts'
import { cannotStart } from './start-container.ts'

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
  const containers = createOneOffContainers({ engine, ownership, networks, user, volumes })
  const prefix = `strata-${ownership.instance}-run-`
  let ready: Promise<void> | undefined

  async function removeAll(): Promise<void> {
    for (const { name, labels } of await listContainers(engine, ownership.filter)) {
      if (name.startsWith(prefix) && ownership.read(name, labels)) await containers.remove(name)
    }
  }

  function endLeftovers(): Promise<void> {
    ready ??= removeAll().catch((error) => {
      ready = undefined
      throw error
    })
    return ready
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
    await containers.stop(name)
    return { kind: isLate ? 'timed-out' : 'aborted' }
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
        await containers.create(app, name, hasInput).catch((error: unknown) => {
          networks.forget(app.projectId)
          throw cannotStart(error)
        })
        stream = await containers.attach(name, hasInput)
        await containers.start(name)
        io.onStart()
        const why = watch(name, io, done.signal)
        // The engine closes the standard input of the program at the end of this side of the connection.
        if (io.input) io.input.on('error', () => stream?.end()).pipe(stream)
        const stderr = await take(stream, io)
        const { memoryMb } = app.launch
        const end = containers.awaitEnd(name, { memoryMb, timeoutMs: io.timeoutMs })
        end.catch(() => {})
        if (io.signal.aborted) return { kind: 'aborted' }
        const exited = await end
        done.abort()
        const failed = exited.kind === 'exited' && exited.code !== 0 && failedExec(stderr)
        if (failed) throw new DaemonError('unprocessable', failed)
        return (await why) ?? exited
      } finally {
        done.abort()
        stream?.destroy()
        await containers.remove(name)
      }
    },
  }
}

/**
 * Passes the frames of the engine's stream on: 8 bytes head, then bytes of one stream. Returns the begin of the standard
 * error.
 */
async function take(stream: Readable, { output, signal }: OneOffIo): Promise<string> {
  let begin = ''
  let rest: Buffer = Buffer.alloc(0)
  try {
    for await (const chunk of stream) {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      let at = 0
      while (rest.length - at >= headBytes) {
        const end = at + headBytes + rest.readUInt32BE(at + 4)
        if (rest.length < end) break
        const data = rest.subarray(at + headBytes, end)
        const isError = rest[at] === 2
        if (isError && begin.length < maxBegin) begin += data.subarray(0, maxBegin).toString()
        if (!signal.aborted) await output(data, isError ? 'stderr' : 'stdout')
        at = end
      }
      rest = rest.subarray(at)
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
  return begin
}

/** Characters of the standard error that are searched for a failed start. */
const maxBegin = 1_000
const headBytes = 8
