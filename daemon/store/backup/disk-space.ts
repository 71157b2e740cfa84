import { statfs } from 'node:fs/promises'
import { DaemonError } from '../../errors.ts'

/** Disk space that backups and restores leave free, in bytes. */
const reserveBytes = 16 * 2 ** 20

/** Throws DaemonError `unavailable` if the disk of `folder` has no room for `bytes` and the reserve. */
export async function refuseSmallDisk(folder: string, bytes: number, what: string): Promise<void> {
  const free = await freeBytes(folder)
  if (free === undefined || free >= bytes + reserveBytes) return
  throw new DaemonError(
    'unavailable',
    `${what} needs ${mib(bytes + reserveBytes)} MiB and the disk of ${folder} has ${mib(free)} MiB free: free some space`,
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
