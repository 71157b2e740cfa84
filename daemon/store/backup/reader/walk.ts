import {
  closeSync,
  constants,
  type Dir,
  fstatSync,
  lstatSync,
  opendirSync,
  openSync,
  readlinkSync,
  type Stats,
} from 'node:fs'
import { staysInside } from '../entry-path.ts'
import { maxDepth, maxPathBytes } from '../frames.ts'
import {
  companions,
  copyDatabase,
  DiskTooSmall,
  isDatabase,
  type Snapshots,
} from './copy-database.ts'
import type { Sender } from './send.ts'

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants

/** Maximum total of holes in sparse files: the backup stores holes as zeros. */
const maxHoleBytes = 2 ** 30

/** Maximum number of remembered inodes with several names. Further names are stored as copies. */
const maxRemembered = 100_000

/** Sends every entry of the working folder. Never follows a link. */
export async function sendVolume(sender: Sender, snapshots: Snapshots): Promise<void> {
  const links = new Map<string, string>()
  let holes = 0
  const skip = (path: string, reason: string) => sender.send({ kind: 'skipped', path, reason })

  async function sendFolder(path: string, depth: number): Promise<void> {
    const folder = openFolder(path)
    try {
      for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) {
        const raw = entry.name as unknown as Buffer
        const name = raw.toString('utf8')
        const child = path === '' ? name : `${path}/${name}`
        if (!Buffer.from(name).equals(raw)) await skip(child, 'its name is not UTF-8')
        else if (Buffer.byteLength(child) > maxPathBytes) {
          await skip(child.slice(0, 200), `its path is longer than ${maxPathBytes} bytes`)
        } else await sendEntry(child, depth)
      }
    } finally {
      folder.closeSync()
    }
  }

  async function sendEntry(path: string, depth: number): Promise<void> {
    try {
      const stats = lstatSync(`./${path}`)
      if (stats.isFile()) await sendRegular(path)
      else if (stats.isSymbolicLink()) await sendLink(path)
      else if (!stats.isDirectory()) await skip(path, `it is ${typeOf(stats)}`)
      else if (depth >= maxDepth) await skip(path, `it is deeper than ${maxDepth} folders`)
      else {
        await sender.send({ kind: 'folder', path, mode: stats.mode & 0o777 })
        await sendFolder(path, depth + 1)
      }
    } catch (error) {
      // An application may remove files during the backup.
      if (codeOf(error) !== 'ENOENT') await skip(path, `it can't be read (${codeOf(error)})`)
    }
  }

  async function sendLink(path: string): Promise<void> {
    const target = readlinkSync(`./${path}`)
    if (staysInside(path, target)) await sender.send({ kind: 'link', path, target })
    else await skip(path, 'it is a link out of the data folder')
  }

  async function sendRegular(path: string): Promise<void> {
    if (isCompanion(path)) return
    const file = openSync(`./${path}`, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    try {
      const stats = fstatSync(file)
      if (!stats.isFile()) return await skip(path, `it is ${typeOf(stats)}`)
      const known = links.get(`${stats.dev}:${stats.ino}`)
      if (known !== undefined) return await sender.send({ kind: 'same', path, target: known })
      const hole = Math.max(0, stats.size - stats.blocks * 512)
      if (holes + hole > maxHoleBytes) {
        return await skip(path, `it is sparse: ${stats.size} bytes, of which ${hole} are holes`)
      }
      holes += hole
      const mode = stats.mode & 0o777
      if (isDatabase(file)) {
        if (!(await sendDatabase(path, mode, file))) return
      } else await sender.sendFile(file, { path, mode, isDatabase: false })
      if (stats.nlink > 1 && links.size < maxRemembered) {
        links.set(`${stats.dev}:${stats.ino}`, path)
      }
    } finally {
      closeSync(file)
    }
  }

  /**
   * Sends a copy by SQLite. Sends the bytes of a file that SQLite can't read, such as a damaged database. Returns false
   * if the database is skipped.
   */
  async function sendDatabase(path: string, mode: number, file: number): Promise<boolean> {
    let copy: number
    try {
      copy = await copyDatabase(`./${path}`, snapshots, () => void sender.send({ kind: 'busy' }))
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      if (error instanceof DiskTooSmall) {
        await skip(path, reason)
        return false
      }
      await sender.send({
        kind: 'note',
        path,
        reason: `SQLite can't read it (${reason}): copied as a file`,
      })
      await sender.sendFile(file, { path, mode, isDatabase: false })
      for (const suffix of companions) await sendCompanion(`${path}${suffix}`)
      return true
    }
    try {
      await sender.sendFile(copy, { path, mode, isDatabase: true })
      return true
    } finally {
      closeSync(copy)
    }
  }

  async function sendCompanion(path: string): Promise<void> {
    const found = lstatSync(`./${path}`, { throwIfNoEntry: false })
    if (!found?.isFile()) return
    const file = openSync(`./${path}`, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    try {
      if (fstatSync(file).isFile()) {
        await sender.sendFile(file, { path, mode: found.mode & 0o777, isDatabase: false })
      }
    } finally {
      closeSync(file)
    }
  }

  await sendFolder('', 0)
}

/** Opens a folder whose names are read as bytes, and not all at once. */
function openFolder(path: string): Dir {
  // The type of Node lacks the encoding `buffer`, which `opendir` supports like `readdir`.
  const options = { encoding: 'buffer' as BufferEncoding }
  return opendirSync(`./${path}`, options)
}

/** Returns true for a file that SQLite keeps beside an existing database. */
function isCompanion(path: string): boolean {
  const suffix = companions.find((end) => path.endsWith(end))
  if (suffix === undefined) return false
  const base = path.slice(0, -suffix.length)
  try {
    const file = openSync(`./${base}`, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    try {
      return fstatSync(file).isFile() && isDatabase(file)
    } finally {
      closeSync(file)
    }
  } catch {
    return false
  }
}

function typeOf(stats: Stats): string {
  if (stats.isFIFO()) return 'a pipe'
  if (stats.isSocket()) return 'a socket'
  return stats.isDirectory() ? 'a folder' : 'a device'
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}
