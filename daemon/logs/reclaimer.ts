import type { RawFile } from './raw-file.ts'
import { appStreams, rawPath } from './raw-files.ts'
import type { AppStream, NewLine } from './record.ts'
import type { TailerDeps } from './tailer.ts'

/** Keeps the raw files of a running app small. */
export interface Reclaimer {
  /** After lines of a stream were written. */
  tidy(stream: AppStream): Promise<void>
  stop(): Promise<void>
}

/** Where there are no holes, a file that the app fills faster than it is read is emptied at so many pieces. */
const mostPieces = 4

/**
 * Gives back to the disk what is in the log: by a hole in the file, which loses nothing. Where the host has no holes the
 * file is emptied when all of it was read: then what an app writes in the same microseconds can be lost.
 */
export function createReclaimer({
  folder,
  log,
  limits,
  clock,
  punchHole,
  files,
}: TailerDeps & { files: Partial<Record<AppStream, RawFile>> }): Reclaimer {
  const reclaimed = { stdout: 0, stderr: 0 }
  const most = mostPieces * limits.reclaimBytes
  let hasHoles = true
  let punching: Promise<void> | undefined

  return {
    async tidy(stream) {
      if (!isDue(stream)) return
      if (!hasHoles) return cut(stream)
      punching ??= punch().finally(() => {
        punching = undefined
      })
    },
    async stop() {
      await punching
    },
  }

  function isDue(stream: AppStream): boolean {
    return log.consumed()[stream] - reclaimed[stream] >= limits.reclaimBytes
  }

  /** Until there is nothing to give back, what was read meanwhile included. */
  async function punch(): Promise<void> {
    for (let stream = appStreams.find(isDue); stream && hasHoles; stream = appStreams.find(isDue)) {
      const to = log.consumed()[stream]
      hasHoles = await punchHole(rawPath(folder, stream), reclaimed[stream], to)
      if (hasHoles) reclaimed[stream] = to
    }
  }

  /** A daemon killed between the two marks can't tell whether it was cut; the first mark tells that. */
  async function cut(stream: AppStream): Promise<void> {
    const file = files[stream]
    if (!file?.canCut(most)) return
    const ts = new Date(clock.now()).toISOString()
    const rest: NewLine[] = file
      .flush()
      .map(({ text, end }) => ({ ts, stream, line: text, raw: end }))
    await log.add(rest)
    await log.mark(log.consumed(), stream)
    const lost = file.cut(most)
    if (lost === undefined) return
    await log.mark({ ...log.consumed(), [stream]: 0 })
    if (lost > 0) await log.add([{ ts, stream, line: droppedLine(lost) }])
  }
}

/** What stands in the log in place of what was too much. */
export function droppedLine(bytes: number): string {
  return `… ${bytes} bytes of output dropped: more was written than the log takes`
}
