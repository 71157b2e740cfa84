import { chmod, link, lstat, mkdir, opendir, readlink, rm, symlink, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { DaemonError } from '../../errors.ts'
import { type DataEntry, readIndex } from './data-index.ts'
import { dataName, indexName } from './manifest.ts'
import { digestFile } from './paths.ts'

/**
 * Completes unpacked data from its index: removes incomplete files, creates folders and links, sets modes and times.
 * Throws DaemonError `bad-request` if index and files contradict each other.
 */
export async function completeData(folder: string): Promise<void> {
  for await (const entry of readIndex(join(folder, indexName))) {
    await orContradiction(entry, () => complete(join(folder, dataName), entry))
  }
}

async function complete(top: string, entry: DataEntry): Promise<void> {
  const path = join(top, entry.path)
  if (entry.kind === 'broken') await rm(path)
  // The daemon must be able to read and remove the folder without root.
  else if (entry.kind === 'folder') {
    await mkdir(path, { recursive: true, mode: 0o700 })
    await chmod(path, entry.mode | 0o700)
  } else if (entry.kind === 'file') {
    await chmod(path, entry.mode | 0o400)
    await utimes(path, entry.mtime / 1000, entry.mtime / 1000)
  } else if (entry.kind === 'link') await symlink(entry.target, path)
  else await link(join(top, entry.target), path)
}

/**
 * Checks completed data against its index: every entry exists as listed, with its digest, and nothing else does. Throws
 * DaemonError `bad-request` for a difference.
 */
export async function checkData(folder: string): Promise<void> {
  const top = join(folder, dataName)
  let listed = 0
  for await (const entry of readIndex(join(folder, indexName))) {
    if (entry.kind === 'broken') continue
    listed += 1
    if (!(await orContradiction(entry, () => isAsListed(top, entry)))) throw contradiction(entry)
  }
  const found = await countEntries(top)
  if (found !== listed) {
    throw new DaemonError(
      'bad-request',
      `the data of the backup has ${found} entries and its index lists ${listed}`,
    )
  }
}

async function isAsListed(top: string, entry: Exclude<DataEntry, { kind: 'broken' }>) {
  const path = join(top, entry.path)
  const stats = await lstat(path)
  if (entry.kind === 'folder') return stats.isDirectory()
  if (entry.kind === 'link') return (await readlink(path)) === entry.target
  if (entry.kind === 'same') return stats.ino === (await lstat(join(top, entry.target))).ino
  if (!stats.isFile() || stats.size !== entry.bytes) return false
  return (await digestFile(path)).sha256 === entry.sha256
}

/** Counts the entries below the folders of the projects. */
async function countEntries(top: string): Promise<number> {
  let count = 0
  const folders = [{ path: top, depth: 0 }]
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    for await (const entry of await opendir(next.path)) {
      // A project's folder has no line of its own.
      if (next.depth > 0) count += 1
      if (!entry.isDirectory()) continue
      folders.push({ path: join(next.path, entry.name), depth: next.depth + 1 })
    }
  }
  return count
}

async function orContradiction<T>(entry: DataEntry, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (['ENOENT', 'EEXIST', 'ENOTDIR', 'EISDIR', 'ELOOP', 'EINVAL'].includes(code)) {
      throw contradiction(entry, error)
    }
    throw error
  }
}

function contradiction(entry: DataEntry, cause?: unknown): DaemonError {
  const message = `data/${entry.path} of the backup is missing, changed or truncated`
  return new DaemonError('bad-request', message, { cause })
}
