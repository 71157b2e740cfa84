const mib = 2 ** 20
const defaultBytes = 512 * mib
const maxDefaultShare = 0.05

/**
 * Returns the bytes that builds and backups leave free on a disk of `totalBytes`: SERVICE_DISK_RESERVE_MB, or by
 * default 512 MiB, but at most a twentieth of the disk.
 */
export function reserveBytesOf(totalBytes: number, diskReserveMb: number | null): number {
  if (diskReserveMb !== null) return diskReserveMb * mib
  return Math.min(defaultBytes, Math.floor(totalBytes * maxDefaultShare))
}
