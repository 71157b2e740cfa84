import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DaemonError } from '../errors.ts'

/** Linux allows 108 bytes, macOS 104; the gateway adds its process id while it takes the path over. */
const maxPathBytes = 90

/**
 * Where the control socket of a data folder is: in it, or, where that path is too long for a socket, in a folder of the
 * user's own under `temporary`. Throws `unavailable` where that one belongs to somebody else.
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
