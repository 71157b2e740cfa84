import type { Clock, LogLine, OutputSink } from '../ports.ts'
import type { EnvironmentLog } from './environment-log.ts'
import { createLineSplitter, type SplitLine } from './line-splitter.ts'
import type { NewLine } from './record.ts'

export interface Sink {
  readonly write: OutputSink
  /** Resolves when all lines are written, the last without its ending too. */
  end(): Promise<void>
}

/** Lines that wait for the disk take at most so many characters; more are counted and dropped. */
const mostWaiting = 4 * 2 ** 20

/** Makes lines of chunks that come in this process. `opening`: the log, as soon as it is open. */
export function createSink(
  opening: Promise<EnvironmentLog>,
  {
    stream,
    lineBytes,
    clock,
    report,
  }: {
    stream: LogLine['stream']
    lineBytes: number
    clock: Clock
    report: (error: unknown) => void
  },
): Sink {
  const splitters = {
    stdout: createLineSplitter({ maxBytes: lineBytes }),
    stderr: createLineSplitter({ maxBytes: lineBytes }),
  }
  let waiting: NewLine[] = []
  let size = 0
  let dropped = 0
  let flushing: Promise<void> | undefined

  return {
    write(chunk, source) {
      take(splitters[source].push(chunk))
    },
    async end() {
      take([...splitters.stdout.flush(), ...splitters.stderr.flush()])
      await flushing
    },
  }

  function take(lines: readonly SplitLine[]): void {
    const ts = new Date(clock.now()).toISOString()
    for (const { text } of lines) {
      if (size > mostWaiting) dropped += 1
      else waiting.push({ ts, stream, line: text })
      size += text.length
    }
    if (waiting.length > 0) flushing ??= flush()
  }

  /** What could not be written, as on a full disk, is lost; the build goes on. */
  async function flush(): Promise<void> {
    try {
      const { log } = await opening
      while (waiting.length > 0) {
        const lines = waiting
        if (dropped > 0) {
          const ts = new Date(clock.now()).toISOString()
          lines.push({ ts, stream, line: `… ${dropped} lines dropped: the disk is too slow` })
        }
        waiting = []
        size = 0
        dropped = 0
        await log.add(lines)
      }
    } catch (error) {
      report(error)
    } finally {
      flushing = undefined
    }
  }
}
