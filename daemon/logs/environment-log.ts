import { truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { appStreams, rawPath, rawSizes } from './raw-files.ts'
import type { AppStream, Consumed } from './record.ts'
import { openStoredLog, type StoredLog } from './stored-log.ts'
import { startTailer, type TailerDeps } from './tailer.ts'

/** One environment's log while somebody uses it. */
export interface EnvironmentLog {
  readonly folder: string
  readonly log: StoredLog
  /** Each has a flag that says that nothing more comes. */
  readonly followers: Set<{ isOver: boolean }>
  /** Takes what a dead daemon left in the raw files. */
  catchUp(): Promise<void>
  /** The app has ended: its raw files are emptied, if all of them is in the log. */
  discardRaw(): Promise<void>
  close(): Promise<void>
}

/** Opens the log of an environment; makes nothing on disk until there is a line. */
export async function openEnvironmentLog(
  root: string,
  environmentId: number,
  deps: Omit<TailerDeps, 'folder' | 'log'>,
): Promise<EnvironmentLog> {
  const folder = join(root, String(environmentId))
  const log = await openStoredLog(folder, deps.limits)

  async function catchUp(): Promise<void> {
    const sizes = await rawSizes(folder)
    const booked = log.consumed()
    const begunAnew = appStreams.filter((stream) => sizes[stream] < booked[stream])
    if (begunAnew.length > 0) await log.mark(without(booked, begunAnew))
    if (appStreams.every((stream) => sizes[stream] === log.consumed()[stream])) return
    const tailer = await startTailer({ ...deps, folder, log })
    await tailer.stop('drain')
  }

  async function discardRaw(): Promise<void> {
    const sizes = await rawSizes(folder)
    const consumed = log.consumed()
    if (appStreams.some((stream) => sizes[stream] !== consumed[stream])) return
    if (appStreams.every((stream) => sizes[stream] === 0)) return
    for (const stream of appStreams) await truncate(rawPath(folder, stream))
    await log.mark(without(consumed, appStreams))
  }

  /** The daemon died while it cut a file, and by its length it may or may not have been cut. */
  async function settleCut(stream: AppStream): Promise<void> {
    const sizes = await rawSizes(folder)
    if (sizes[stream] < log.consumed()[stream]) return
    const line = '… output from here on may be repeated: the daemon was stopped while it made room'
    await log.mark(without(log.consumed(), [stream]))
    await log.add([{ ts: new Date(deps.clock.now()).toISOString(), stream, line }])
  }

  if (log.cutting) await settleCut(log.cutting)
  await catchUp()
  return { folder, log, followers: new Set(), catchUp, discardRaw, close: log.close }
}

function without(consumed: Consumed, streams: readonly AppStream[]): Consumed {
  return { ...consumed, ...Object.fromEntries(streams.map((stream) => [stream, 0])) }
}
