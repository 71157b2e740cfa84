import { lchown, realpath, symlink } from 'node:fs/promises'
import { dirname, join, normalize, sep } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { create, extract, type ReadEntry } from 'tar'
import { DaemonError } from '../errors.ts'

/** Folder of the entries of an archive, as the archive of a volume has it. */
const top = 'data'
/** Links of one folder, which are in memory while its files are written. */
const maxLinks = 100_000

interface Link {
  readonly path: string
  readonly target: string
  readonly uid: number
  readonly gid: number
}

/** Streams the content of a folder as a tar, with owners. */
export function archiveOf(folder: string): Readable {
  return Readable.from(create({ cwd: folder, prefix: top }, ['.']))
}

/**
 * Writes an archive into an empty folder. Links are made last, as they are, so that no file is written through one.
 * Leaves out devices and named pipes.
 */
export async function unpackInto(
  folder: string,
  archive: Readable,
  signal: AbortSignal,
): Promise<void> {
  const isRoot = process.geteuid?.() === 0
  const links: Link[] = []
  const filter = (path: string, entry: object): boolean => {
    // The cast is safe: the filter of an extraction gets entries.
    const { type, linkpath = '', uid = 0, gid = 0 } = entry as ReadEntry
    if (type === 'SymbolicLink') links.push({ path, target: linkpath, uid, gid })
    if (links.length > maxLinks) {
      throw new DaemonError('unprocessable', `the data has more than ${maxLinks} links`)
    }
    return type === 'File' || type === 'OldFile' || type === 'Directory' || type === 'Link'
  }
  const unpacked = extract({ cwd: folder, strip: 1, strict: true, preserveOwner: isRoot, filter })
  await pipeline(archive, unpacked, { signal })
  for (const link of links) await makeLink(await realpath(folder), link, isRoot)
}

async function makeLink(
  folder: string,
  { path, target, uid, gid }: Link,
  isRoot: boolean,
): Promise<void> {
  const place = join(folder, normalize(path).split(sep).slice(1).join(sep))
  const parent = dirname(place)
  // An earlier link may lead the parent out of the folder.
  if (
    (parent !== folder && !parent.startsWith(folder + sep)) ||
    (await realpath(parent)) !== parent
  ) {
    throw new DaemonError('unprocessable', 'the archive of the data has a link behind a link')
  }
  await symlink(target, place)
  if (isRoot) await lchown(place, uid, gid)
}
