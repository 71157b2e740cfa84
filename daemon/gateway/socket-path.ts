import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DaemonError } from '../errors.ts'

/** Linux allows 108 bytes, macOS 104. The gateway appends its pid to the path during a takeover. */
const maxPathBytes = 90

/**
 * Returns the path of a data folder's control socket: inside the folder or, if that path is too long for a socket, in a private
 * folder below `temporary`. Throws `unavailable` if other users can access that private folder.
 */
export function socketPathOf(folder: string, temporary: string): string {
  const usual = join(folder, 'gateway.sock')
  if (Buffer.byteLength(usual) <= maxPathBytes) return usual
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 16)
  const home = join(temporary, `strata-${name}`)
  mkdirSync(home, { recursive: true, mode: 0o700 })
  const found = lstatSync(home)
  if (!found.isDirectory() || found.uid !== process.getuid?.() || (found.mode & 0o077) !== 0) {
    throw new DaemonError(
      'unavailable',
      `${home} is open to others: remove it, or choose a shorter data folder`,
    )
  }
  return join(home, 'gateway.sock')
}
