import { truncate } from 'node:fs/promises'
import { join } from 'node:path'
import type { LogKey } from '../domain/process-names.ts'
import { appStreams, rawPath, rawSizes } from './raw-files.ts'
import type { AppStream, Consumed } from './record.ts'
import { openStoredLog, type StoredLog } from './stored-log.ts'
import { startTailer, type TailerDeps } from './tailer.ts'

/** An open log of one environment. */
export interface EnvironmentLog {
  readonly folder: string
  readonly log: StoredLog
  /** Open followers of the log. `isOver` becomes true when no more lines will come. */
  readonly followers: Set<{ isOver: boolean }>
  /** Reads the raw output that a previous daemon left unread. */
  catchUp(): Promise<void>
  /** Truncates the raw files of an exited app. No-op if the log lacks part of their output. */
  discardRaw(): Promise<void>
  close(): Promise<void>
}

/** Opens the log of an environment. Creates no file before the first line. */
export async function openEnvironmentLog(
  root: string,
  key: LogKey,
  deps: Omit<TailerDeps, 'folder' | 'log' | 'key'>,
): Promise<EnvironmentLog> {
  const folder = join(root, String(key))
  const log = await openStoredLog(folder, deps.limits)

  async function catchUp(): Promise<void> {
    const sizes = await rawSizes(folder)
    const recorded = log.consumed()
    const truncated = appStreams.filter((stream) => sizes[stream] < recorded[stream])
    if (truncated.length > 0) await log.mark(withZeroFor(recorded, truncated))
    if (appStreams.every((stream) => sizes[stream] === log.consumed()[stream])) return
    const tailer = await startTailer({ ...deps, folder, log, key })
    await tailer.stop('drain')
  }

  async function discardRaw(): Promise<void> {
    const sizes = await rawSizes(folder)
    const consumed = log.consumed()
    if (appStreams.some((stream) => sizes[stream] !== consumed[stream])) return
    if (appStreams.every((stream) => sizes[stream] === 0)) return
    for (const stream of appStreams) await truncate(rawPath(folder, stream))
    await log.mark(withZeroFor(consumed, appStreams))
  }

  /**
   * The previous daemon died while truncating a raw file. The file's size does not reveal whether the truncation
   * succeeded.
   */
  async function resolveInterruptedTruncation(stream: AppStream): Promise<void> {
    const sizes = await rawSizes(folder)
    if (sizes[stream] < log.consumed()[stream]) return
    const line =
      '… the next lines may be repeated: the daemon stopped while it truncated the output'
    await log.mark(withZeroFor(log.consumed(), [stream]))
    await log.add([{ ts: new Date(deps.clock.now()).toISOString(), stream, line }])
  }

  if (log.cutting) await resolveInterruptedTruncation(log.cutting)
  await catchUp()
  return { folder, log, followers: new Set(), catchUp, discardRaw, close: log.close }
}

function withZeroFor(consumed: Consumed, streams: readonly AppStream[]): Consumed {
  return { ...consumed, ...Object.fromEntries(streams.map((stream) => [stream, 0])) }
}
