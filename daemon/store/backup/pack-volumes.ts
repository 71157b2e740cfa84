import { createHash, randomBytes } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { dumpsVolume, repositoryVolume } from '../../domain/hosted.ts'
import { dataName, type ManifestData, maxNotes } from './manifest.ts'
import { namesIn } from './paths.ts'
import { type FileEntry, readVolume } from './read-volume.ts'
import { tarHeader, tarPadding } from './tar-entry.ts'

/** A volume, named by its project's id and its folder. */
export interface VolumeName {
  readonly project: string
  readonly volume: string
}

/** Lists the volumes on disk, by project and name. */
export async function listVolumes(volumes: string): Promise<VolumeName[]> {
  const projects = (await namesIn(volumes)).filter((name) => /^[1-9]\d{0,14}$/.test(name))
  const lists = await Promise.all(
    projects.map(async (project) => {
      const entries = await readdir(join(volumes, project), { withFileTypes: true }).catch(() => [])
      return entries
        .filter((entry) => entry.isDirectory() && /^[A-Za-z0-9-]+$/.test(entry.name))
        .map(({ name }) => ({ project, volume: name }))
    }),
  )
  return lists.flat()
}

/**
 * Yields tar entries with the content of all volumes, and writes one line for each entry into `index`. Fills `summary`. A
 * volume that can't be read is noted in `summary` and never ends the backup.
 */
export async function* packVolumes({
  program,
  volumes,
  repositories,
  folder,
  index,
  summary,
}: {
  /** Command of the volume reader, with the disk space that its copies leave free. */
  program: readonly string[]
  volumes: string
  /** Copies of hosted repositories, dumps of databases and data of nodes, which are read beside the volumes. May be absent. */
  repositories: string
  /** Folder for temporary files. */
  folder: string
  index: string
  summary: MutableData
}): AsyncGenerator<Buffer> {
  const file = await open(index, 'wx', 0o600)
  const lines = createLines(file)
  try {
    const own = (await listVolumes(volumes)).filter(({ volume }) => !isCopied(volume))
    const copies = await listVolumes(repositories)
    const places = [
      ...own.map((name) => ({ name, top: volumes })),
      ...copies.map((name) => ({ name, top: repositories })),
    ]
    for (const { name, top } of places) {
      const snapshots = join(folder, `snapshots-${randomBytes(6).toString('hex')}`)
      await mkdir(snapshots, { mode: 0o700 })
      try {
        yield* packVolume({ ...name, volumes: top, snapshots, program, lines, summary })
      } finally {
        await rm(snapshots, { recursive: true, force: true })
      }
    }
    await lines.flush()
  } finally {
    await file.close()
  }
}

/** Returns true for a volume that the daemon copies before the backup reads it. */
function isCopied(volume: string): boolean {
  return volume === repositoryVolume || volume === dumpsVolume
}

interface Lines {
  add(entry: object): Promise<void>
  flush(): Promise<void>
}

/** Writes lines in larger pieces: a write for each of many small files would double the time. */
function createLines(file: FileHandle): Lines {
  let text = ''
  async function flush(): Promise<void> {
    const piece = text
    text = ''
    await file.appendFile(piece)
  }
  return {
    async add(entry) {
      text += toLine(entry)
      if (text.length > 64 * 1024) await flush()
    },
    flush,
  }
}

/** The manifest's `data` while it is collected. */
export interface MutableData extends ManifestData {
  skipped_count: number
}

async function* packVolume({
  program,
  lines,
  summary,
  ...place
}: VolumeName & {
  volumes: string
  snapshots: string
  program: readonly string[]
  lines: Lines
  summary: MutableData
}): AsyncGenerator<Buffer> {
  const top = `${place.project}/${place.volume}`
  const counts = {
    project_id: Number(place.project),
    volume: place.volume,
    ...{ files: 0, databases: 0, bytes: 0 },
  }
  summary.volumes.push(counts)
  const list = lines.add
  const skip = (path: string, reason: string) => {
    summary.skipped_count += 1
    if (summary.skipped.length < maxNotes) summary.skipped.push({ path: `${top}${path}`, reason })
  }
  const note = (path: string, reason: string) => {
    if (summary.notes.length < maxNotes) summary.notes.push({ path: `${top}${path}`, reason })
  }
  const header = { mode: 0o700, mtime: 0 }
  yield tarHeader({ path: `${dataName}/${top}/`, type: 'Directory', ...header })
  await list({ kind: 'folder', path: top, mode: 0o700 })
  try {
    for await (const entry of readVolume(program, place)) {
      const path = `${top}/${entry.path}`
      const inTar = `${dataName}/${path}`
      if (entry.kind === 'skipped') skip(`/${entry.path}`, entry.reason)
      else if (entry.kind === 'note') note(`/${entry.path}`, entry.reason)
      else if (entry.kind === 'folder') {
        yield tarHeader({ ...header, path: `${inTar}/`, type: 'Directory', mode: entry.mode })
        await list({ kind: 'folder', path, mode: entry.mode })
      } else if (entry.kind === 'link') {
        yield tarHeader({ ...header, path: inTar, type: 'SymbolicLink', linkpath: entry.target })
        await list({ kind: 'link', path, target: entry.target })
      } else if (entry.kind === 'same') {
        const target = `${top}/${entry.target}`
        yield tarHeader({ ...header, path: inTar, type: 'Link', linkpath: `${dataName}/${target}` })
        await list({ kind: 'same', path, target })
      } else if (entry.kind === 'file') {
        const packed = yield* packFile(inTar, entry)
        counts.files += 1
        if (entry.isDatabase) counts.databases += 1
        counts.bytes += entry.bytes
        if (packed.padded === undefined) {
          await list({ kind: 'broken', path })
          skip(`/${entry.path}`, 'it could not be read to its end')
        } else {
          const { mode, mtime, bytes } = entry
          await list({ kind: 'file', path, mode, mtime, bytes, sha256: packed.sha256 })
        }
        if (packed.padded) {
          note(
            `/${entry.path}`,
            `it became shorter while it was read: ${packed.padded} zeros at its end`,
          )
        }
      }
    }
  } catch (error) {
    skip('', `reading stopped: ${error instanceof Error ? error.message : error}`)
  }
}

async function* packFile(
  path: string,
  { content, mode, mtime, bytes }: FileEntry,
): AsyncGenerator<Buffer, { sha256: string; padded: number | undefined }> {
  yield tarHeader({ path, type: 'File', mode, mtime, size: bytes })
  const hash = createHash('sha256')
  const chunks = content()
  let chunk = await chunks.next()
  while (!chunk.done) {
    hash.update(chunk.value)
    yield chunk.value
    chunk = await chunks.next()
  }
  yield tarPadding(bytes)
  return { sha256: hash.digest('hex'), padded: chunk.value }
}

/** Escapes the line separators of Unicode, at which readers of lines may split. */
function toLine(entry: object): string {
  const text = JSON.stringify(entry).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
  return `${text}\n`
}
