import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { DaemonError } from '../../errors.ts'
import { type FileEntry, readVolume } from './read-volume.ts'

export interface DatabaseCopy {
  /** Absolute path of the parent folder of all volumes. */
  readonly volumes: string
  /** The volume to read, `<project id>/<name>`. */
  readonly volume: string
  /** Absolute path of the folder to create. */
  readonly into: string
  readonly signal: AbortSignal
}

/**
 * Copies the SQLite databases of a volume, each as of one instant and under load, to the same paths in a new folder.
 * Returns the number of databases. Throws `unprocessable` if a database can't be copied. `program` is the command of the
 * volume reader with the bytes to leave free.
 */
export async function copyDatabases(
  program: readonly string[],
  { volumes, volume, into, signal }: DatabaseCopy,
): Promise<number> {
  const [project = '', name = ''] = volume.split('/')
  await mkdir(into, { mode: 0o700 })
  const snapshots = `${into}-${randomBytes(6).toString('hex')}.removed`
  await mkdir(snapshots, { mode: 0o700 })
  let count = 0
  try {
    for await (const entry of readVolume(program, { volumes, project, volume: name, snapshots })) {
      signal.throwIfAborted()
      if (entry.kind !== 'file') continue
      if (entry.isDatabase) {
        await writeFile(entry, join(into, entry.path))
        count += 1
      } else for await (const _ of entry.content()) signal.throwIfAborted()
    }
    return count
  } catch (cause) {
    if (cause instanceof DaemonError || signal.aborted) throw cause
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new DaemonError('unprocessable', `the data can't be copied: ${reason}`, { cause })
  } finally {
    await rm(snapshots, { recursive: true, force: true })
  }
}

async function writeFile({ content, path, mode }: FileEntry, target: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true, mode: 0o700 })
  let isWhole = true
  async function* whole() {
    isWhole = (yield* content()) !== undefined
  }
  await pipeline(
    Readable.from(whole()),
    createWriteStream(target, { flags: 'wx', mode: mode | 0o600 }),
  )
  if (!isWhole) throw new DaemonError('unprocessable', `${path} could not be read to its end`)
}
