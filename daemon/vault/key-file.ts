import { link, open, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { redacted } from '../domain/redacted.ts'
import { isAbsent, renameDurably, syncPath, writeDurably } from '../durable-files.ts'
import { DaemonError } from '../errors.ts'
import type { Redacted } from '../ports.ts'

/** The file of the master key, 64 hex digits for its owner alone, and the one of the next key beside it. */
export interface KeyFile {
  /** Undefined when there is none. Throws DaemonError for one that can't be read or holds something else. */
  read(): Promise<Redacted | undefined>
  readNext(): Promise<Redacted | undefined>
  /** Throws DaemonError when there is one by now. */
  create(key: Redacted): Promise<void>
  writeNext(key: Redacted): Promise<void>
  /** Puts the next one in the place of the one before. */
  promoteNext(): Promise<void>
  removeNext(): Promise<void>
}

/** `warn` is told when others could read a key and now can't. */
export function createKeyFile(path: string, warn: (message: string) => void): KeyFile {
  const next = `${path}.next`
  return {
    read: () => readKey(path, warn),
    readNext: () => readKey(next, warn),

    async create(key) {
      const part = `${path}.new`
      await writeDurably(part, text(key))
      try {
        // Unlike a rename it never takes the place of a key.
        await link(part, path)
      } catch (error) {
        throw new DaemonError('internal', `${path} can't be made`, { cause: error })
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

/** Reads a key file; undefined when there is none. */
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
    `${path} does not hold a key of 64 hexadecimal digits: put the right one back, from a backup`,
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
        warn(`${path} could be read by others than its owner: its mode is 0600 now`)
      }
      const { buffer, bytesRead } = await file.read(Buffer.alloc(mostBytes), 0, mostBytes, 0)
      return buffer.subarray(0, bytesRead).toString('utf8')
    } finally {
      await file.close()
    }
  } catch (error) {
    if (isAbsent(error)) return undefined
    const code = error instanceof Error && 'code' in error ? error.code : 'unknown'
    throw new DaemonError('internal', `${path} can't be read (${code}): check its permissions`, {
      cause: error,
    })
  }
}

/** More than a key has, so that a longer text is not taken for one. */
const mostBytes = 256

function text(key: Redacted): string {
  return `${key.reveal()}\n`
}
