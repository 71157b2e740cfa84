import { reserveBytesOf } from '../../domain/disk-reserve.ts'
import { DaemonError } from '../../errors.ts'
import type { Clock, HostProbe } from '../../ports.ts'

/** Space of the data folder's file system in bytes. */
export interface DiskRoom {
  readonly freeBytes: number
  /** Bytes that builds leave free for the daemon, for logs and for running apps. */
  readonly reserveBytes: number
}

/** Keeps a part of the disk free: deploys wait and builds end before the disk is full. */
export interface DiskReserve {
  /** Returns undefined if the file system does not tell its size. */
  read(): Promise<DiskRoom | undefined>
  /** Throws `transient` with the free space and advice if less than the reserve is free. */
  require(): Promise<void>
  /** Runs a build. Aborts its signal with the error of `require` as soon as less than the reserve is free. */
  guard<T>(signal: AbortSignal, build: (signal: AbortSignal) => Promise<T>): Promise<T>
}

const mib = 2 ** 20
/** Interval of the checks during a build. */
const checkMs = 500

export function createDiskReserve(deps: {
  hostProbe: Pick<HostProbe, 'diskSpace'>
  clock: Clock
  config: { readonly dataDir: string; readonly diskReserveMb: number | null }
}): DiskReserve {
  const { hostProbe, clock, config } = deps

  async function read(): Promise<DiskRoom | undefined> {
    const space = await hostProbe.diskSpace(config.dataDir)
    if (!space) return undefined
    const { freeBytes, totalBytes } = space
    return { freeBytes, reserveBytes: reserveBytesOf(totalBytes, config.diskReserveMb) }
  }

  async function shortage(): Promise<DaemonError | undefined> {
    if (config.diskReserveMb === 0) return undefined
    const room = await read()
    return room && room.freeBytes < room.reserveBytes
      ? new DaemonError('transient', shortageText(room))
      : undefined
  }

  return {
    read,
    async require() {
      const error = await shortage()
      if (error) throw error
    },
    async guard(signal, build) {
      const full = new AbortController()
      const ended = new AbortController()
      const watch = async () => {
        for (;;) {
          await clock.wait(checkMs, ended.signal)
          const error = await shortage()
          if (error) return full.abort(error)
        }
      }
      watch().catch(() => undefined)
      try {
        return await build(AbortSignal.any([signal, full.signal]))
      } catch (error) {
        // A command that meets a full disk fails with an error of its own.
        throw (signal.aborted ? undefined : await shortage()) ?? error
      } finally {
        ended.abort()
      }
    },
  }
}

/** Returns a sentence for a disk with less free space than the reserve. */
export function shortageText({ freeBytes, reserveBytes }: DiskRoom): string {
  return `the disk of the data folder is full up to its reserve: ${mibOf(freeBytes)} MiB are free, and SERVICE_DISK_RESERVE_MB keeps ${mibOf(reserveBytes)} MiB for running apps: free some space`
}

function mibOf(bytes: number): string {
  return (bytes / mib).toFixed(bytes < 10 * mib ? 1 : 0)
}
