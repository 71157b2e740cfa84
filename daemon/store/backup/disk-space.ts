import { statfs } from 'node:fs/promises'
import { reserveBytesOf } from '../../domain/disk-reserve.ts'
import { DaemonError } from '../../errors.ts'

/** Disk space that a snapshot of the daemon's database and a restore leave free, in bytes. */
const leastBytes = 16 * 2 ** 20

/**
 * Returns the bytes that scheduled backups and copies of apps' databases leave free on the disk of `folder`:
 * SERVICE_DISK_RESERVE_MB, or by default the same as for builds.
 */
export async function reserveOf(folder: string, diskReserveMb: number | null): Promise<number> {
  const { blocks, bsize } = await statfs(folder)
  return reserveBytesOf(blocks * bsize, diskReserveMb)
}

/** Throws DaemonError `unavailable` if the disk of `folder` has no room for `bytes` and 16 MiB. */
export async function refuseSmallDisk(folder: string, bytes: number, what: string): Promise<void> {
  const free = await freeBytes(folder)
  if (free === undefined || free >= bytes + leastBytes) return
  throw new DaemonError(
    'unavailable',
    `the disk of the daemon host is full: ${what} needs ${mib(bytes + leastBytes)} MiB, and ${mib(free)} MiB are free: free some space`,
  )
}

/** Returns the free bytes of a folder's disk; undefined if unknown. */
export async function freeBytes(folder: string): Promise<number | undefined> {
  const stats = await statfs(folder).catch(() => undefined)
  return stats && stats.bavail * stats.bsize
}

function mib(bytes: number): number {
  return Math.ceil(bytes / 2 ** 20)
}
