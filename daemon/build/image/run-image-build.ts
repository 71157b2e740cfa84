import type { Readable } from 'node:stream'
import type { Engine } from '../../engine/engine.ts'
import { EngineError } from '../../engine/engine-error.ts'
import { DaemonError } from '../../errors.ts'
import type { OutputSink } from '../../ports.ts'
import { buildFailure } from './build-failure.ts'
import { createBuildProgress } from './build-progress.ts'

export interface ImageBuild {
  /** Returns a new stream of the context at each call. */
  readonly context: () => Promise<Readable>
  readonly dockerfile: string
  readonly tag: string
  readonly labels: Readonly<Record<string, string>>
  readonly args: Readonly<Record<string, string>>
  /** Kind of the app, for advice. */
  readonly kind: string
  readonly output: OutputSink
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** Removes secrets from a message. */
  readonly mask: (text: string) => string
}

/** Characters of output that are searched for the cause of a failure. */
const maxTail = 32_768
/** A message of the engine is some kilobytes; a longer one is dropped. */
const maxMessage = 4 * 2 ** 20

/**
 * Builds an image with BuildKit, or with the classic builder of an engine without BuildKit. Throws `unprocessable` with
 * the reason; throws the reason of `signal` if aborted. An abort ends the build in the engine, too.
 */
export async function runImageBuild(engine: Engine, build: ImageBuild): Promise<void> {
  const late = AbortSignal.timeout(build.timeoutMs)
  const signal = AbortSignal.any([build.signal, late])
  try {
    try {
      await attempt(engine, { ...build, signal }, '2')
    } catch (error) {
      if (!(error instanceof EngineError) || !/buildkit|builder version/i.test(error.message))
        throw error
      await attempt(engine, { ...build, signal }, '1')
    }
  } catch (error) {
    build.signal.throwIfAborted()
    if (!late.aborted) throw error
    throw new DaemonError(
      'unprocessable',
      `the image build took longer than ${Math.ceil(build.timeoutMs / 1000)} s and was stopped`,
    )
  }
}

async function attempt(engine: Engine, build: ImageBuild, version: '1' | '2'): Promise<void> {
  const { dockerfile, tag, labels, args, output, signal, kind, mask, timeoutMs } = build
  const stream = await engine.stream({
    method: 'POST',
    path: '/build',
    query: {
      version,
      ...{ dockerfile, t: tag, rm: true, forcerm: true },
      labels: JSON.stringify(labels),
      buildargs: JSON.stringify(args),
    },
    file: await build.context(),
    timeoutMs,
    signal,
  })
  const progress = createBuildProgress()
  let tail = ''
  let failure: string | undefined
  for await (const line of linesOf(stream, engine)) {
    const { lines, error } = progress(line)
    failure ??= error
    for (const { text, stream: source } of lines) {
      tail += text
      if (tail.length > maxTail) tail = tail.slice(-maxTail).replace(/^[^\n]*\n?/, '')
      output(Buffer.from(text), source)
    }
  }
  signal.throwIfAborted()
  if (failure !== undefined) throw buildFailure(failure, { output: tail, kind, mask })
}

/** Throws an EngineError if the connection breaks: the engine has ended. */
async function* linesOf(stream: Readable, { name }: Engine): AsyncGenerator<string> {
  let rest = ''
  try {
    for await (const chunk of stream) {
      const lines = `${rest}${chunk}`.split('\n')
      rest = (lines.pop() ?? '').slice(0, maxMessage)
      yield* lines.filter((line) => line.trim() !== '')
    }
  } catch {
    throw new EngineError('unreachable', `the engine ${name} ended during the build`)
  }
  if (rest.trim() !== '') yield rest
}
