import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DaemonError } from '../errors.ts'

/**
 * Maximum length of a socket path: Linux allows 108 bytes, macOS 104. The gateway appends its pid to the path during a
 * takeover.
 */
const maxPathBytes = 90

/** Returns the parent of private folders: for root /run/strata, where no other user can take a name before. */
function privateParent(): string {
  return process.platform === 'linux' && process.geteuid?.() === 0 ? '/run/strata' : tmpdir()
}

/**
 * Returns the path of a data folder's control socket, inside the folder. If that path is too long for a socket, returns
 * a path in a private folder below `parent`. Throws `unavailable` if other users can access that private folder.
 */
export function socketPathOf(folder: string, parent = privateParent()): string {
  const preferred = join(folder, 'gateway.sock')
  if (Buffer.byteLength(preferred) <= maxPathBytes) return preferred
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 16)
  const privateFolder = join(parent, `strata-${name}`)
  mkdirSync(privateFolder, { recursive: true, mode: 0o700 })
  const stats = lstatSync(privateFolder)
  if (!stats.isDirectory() || stats.uid !== process.getuid?.() || (stats.mode & 0o077) !== 0) {
    throw new DaemonError(
      'unavailable',
      `${privateFolder} is open to others: remove it, or choose a shorter data folder`,
    )
  }
  return join(privateFolder, 'gateway.sock')
}
