import type { Clock, LogLine, OutputSink } from '../ports.ts'
import type { EnvironmentLog } from './environment-log.ts'
import { createLineSplitter, type SplitLine } from './line-splitter.ts'
import type { NewLine } from './record.ts'

export interface Sink {
  readonly write: OutputSink
  /** Resolves when all lines are written, including a last line without a line ending. */
  end(): Promise<void>
}

/** Maximum number of characters queued for the disk. Lines above the limit are counted and dropped. */
const maxQueuedCharacters = 4 * 2 ** 20

/** Splits chunks of text into lines and appends them to the log that `opening` resolves to. */
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
  let queue: NewLine[] = []
  let queuedCharacters = 0
  let dropped = 0
  let flushing: Promise<void> | undefined

  return {
    write(chunk, source) {
      enqueue(splitters[source].push(chunk))
    },
    async end() {
      enqueue([...splitters.stdout.flush(), ...splitters.stderr.flush()])
      await flushing
    },
  }

  function enqueue(lines: readonly SplitLine[]): void {
    const ts = new Date(clock.now()).toISOString()
    for (const { text } of lines) {
      if (queuedCharacters > maxQueuedCharacters) dropped += 1
      else queue.push({ ts, stream, line: text })
      queuedCharacters += text.length
    }
    if (queue.length > 0) flushing ??= flush()
  }

  /** Reports a write error, for example a full disk. The lines are lost, and the build continues. */
  async function flush(): Promise<void> {
    try {
      const { log } = await opening
      while (queue.length > 0) {
        const lines = queue
        if (dropped > 0) {
          const ts = new Date(clock.now()).toISOString()
          lines.push({ ts, stream, line: `… ${dropped} lines dropped: the disk is too slow` })
        }
        queue = []
        queuedCharacters = 0
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
