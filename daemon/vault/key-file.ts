import { link, open, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { redacted } from '../domain/redacted.ts'
import { isAbsent, renameDurably, syncPath, writeDurably } from '../durable-files.ts'
import { DaemonError } from '../errors.ts'
import type { Redacted } from '../ports.ts'

/** The file of the master key (64 hex digits, mode 0600) and a second file for the next key. */
export interface KeyFile {
  /**
   * Reads the key. Returns undefined if the file is missing. Throws DaemonError if the file is unreadable or malformed.
   */
  read(): Promise<Redacted | undefined>
  readNext(): Promise<Redacted | undefined>
  /** Throws DaemonError if the file exists. */
  create(key: Redacted): Promise<void>
  writeNext(key: Redacted): Promise<void>
  /** Replaces the current key with the next key. */
  promoteNext(): Promise<void>
  removeNext(): Promise<void>
}

/** Creates access to the key files. Calls `warn` after removing the access of other users to a key file. */
export function createKeyFile(path: string, warn: (message: string) => void): KeyFile {
  const next = `${path}.next`
  return {
    read: () => readKey(path, warn),
    readNext: () => readKey(next, warn),

    async create(key) {
      const part = `${path}.new`
      await writeDurably(part, text(key))
      try {
        // Use a link: unlike a rename, it never replaces an existing key.
        await link(part, path)
      } catch (error) {
        throw new DaemonError('internal', `${path} cannot be created`, { cause: error })
      } finally {
        await rm(part, { force: true })
      }
      await syncPath(dirname(path))
    },

    writeNext: (key) => writeDurably(next, text(key)),
    promoteNext: () => renameDurably(next, path),
    removeNext: () => rm(next, { force: true }),
  }
}

/** Reads a key file. Returns undefined if it is missing. Throws DaemonError if it is malformed. */
export async function readKey(
  path: string,
  warn: (message: string) => void,
): Promise<Redacted | undefined> {
  const content = await readPrivate(path, warn)
  if (content === undefined) return undefined
  const hex = content.trim().toLowerCase()
  if (/^[0-9a-f]{64}$/.test(hex)) return redacted(hex)
  throw new DaemonError(
    'internal',
    `${path} is not a key of 64 hexadecimal digits: restore the key from a backup`,
  )
}

async function readPrivate(
  path: string,
  warn: (message: string) => void,
): Promise<string | undefined> {
  try {
    const file = await open(path, 'r')
    try {
      const { mode } = await file.stat()
      if ((mode & 0o077) !== 0) {
        await file.chmod(0o600)
        warn(`${path} was readable by other users: changed its mode to 0600`)
      }
      const { buffer, bytesRead } = await file.read(Buffer.alloc(maxBytes), 0, maxBytes, 0)
      return buffer.subarray(0, bytesRead).toString('utf8')
    } finally {
      await file.close()
    }
  } catch (error) {
    if (isAbsent(error)) return undefined
    const code = error instanceof Error && 'code' in error ? error.code : 'unknown'
    throw new DaemonError('internal', `${path} cannot be read (${code}): check its permissions`, {
      cause: error,
    })
  }
}

/** Maximum number of bytes to read: above the size of a key, so that a longer file is detected as malformed. */
const maxBytes = 256

function text(key: Redacted): string {
  return `${key.reveal()}\n`
}
