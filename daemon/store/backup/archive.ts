import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { chmod, mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { DaemonError } from '../../errors.ts'
import type { Archive, Database, KeyVault, Repositories } from '../../ports.ts'
import { refuseSmallDisk, reserveOf } from './disk-space.ts'
import { inspectDatabase } from './inspect-database.ts'
import { databaseName, indexName, keyName, type Manifest, manifestName } from './manifest.ts'
import { type MutableData, packVolumes } from './pack-volumes.ts'
import { backupPaths, digestFile, partial, timeName } from './paths.ts'
import { tarEnd, tarHeader, tarPadding } from './tar-entry.ts'

/** Maximum stall of a receiver before it is disconnected. */
const silenceMs = 120_000

export interface ArchiveSource {
  readonly database: Pick<Database, 'snapshot'>
  /** Absolute path of the database. */
  readonly databaseFile: string
  readonly vault: Pick<KeyVault, 'key' | 'keptIn'>
  readonly dataDir: string
  /** Command of the volume reader. */
  readonly reader: readonly string[]
  readonly diskReserveMb: number | null
  /** See `Repositories.snapshot`. */
  readonly copyRepositories?: Repositories['snapshot']
  readonly now: () => number
  readonly failpoint?: (name: string) => void | Promise<void>
}

/**
 * Creates a tar with a snapshot of the database, its key (unless the operator provides the key) and a manifest, and the
 * data of apps if `withData`. The snapshot contains the key's id, so that a concurrent rotation is harmless. Temporary
 * files are removed when `body` closes. Throws DaemonError `unavailable` if the disk is too small for the snapshot.
 */
export async function createArchive(
  source: ArchiveSource,
  withData: boolean,
): Promise<Archive & { readonly body: Readable }> {
  const { database, databaseFile, dataDir, now, failpoint = () => {} } = source
  const { backups } = backupPaths(dataDir)
  const folder = join(backups, `${randomBytes(6).toString('hex')}${partial}`)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  try {
    const createdAt = now()
    await refuseSmallDisk(folder, await bytesOf(databaseFile), 'a snapshot of the database')
    await failpoint('backup:snapshot')
    await database.snapshot(join(folder, databaseName))
    await chmod(join(folder, databaseName), 0o600)
    await failpoint('backup:manifest')
    const manifest = await manifestOf(folder, source.vault, createdAt)
    await failpoint('backup:pack')
    const data: MutableData = { volumes: [], skipped: [], skipped_count: 0, notes: [] }
    const chunks = withData
      ? packWithData({ folder, manifest, data, source })
      : packState(folder, manifest)
    const body = withTimeout(chunks, () => rm(folder, { recursive: true, force: true }))
    const fileName = `strata-backup-${timeName(createdAt)}.tar`
    return { fileName, body, skipped: () => data.skipped_count }
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

/** Returns the size of the database and its write-ahead log. */
async function bytesOf(databaseFile: string): Promise<number> {
  const sizeOf = (path: string) =>
    stat(path).then(
      ({ size }) => size,
      () => 0,
    )
  return (await sizeOf(databaseFile)) + (await sizeOf(`${databaseFile}-wal`))
}

async function* packState(folder: string, manifest: Manifest): AsyncGenerator<Buffer> {
  await writeManifest(folder, manifest)
  for (const name of [manifestName, ...Object.keys(manifest.files)]) yield* packFile(folder, name)
  yield tarEnd
}

/** Yields the manifest last, because it contains what was found in the volumes. */
async function* packWithData({
  folder,
  manifest,
  data,
  source,
}: {
  folder: string
  manifest: Manifest
  data: MutableData
  source: ArchiveSource
}): AsyncGenerator<Buffer> {
  for (const name of Object.keys(manifest.files)) yield* packFile(folder, name)
  // The reader's copies of databases need the space.
  await rm(join(folder, databaseName))
  const index = join(folder, indexName)
  const volumes = join(source.dataDir, 'volumes')
  const repositories = join(folder, 'repositories')
  const faults = (await source.copyRepositories?.(repositories)) ?? []
  data.skipped.push(...faults)
  data.skipped_count += faults.length
  const reserve = await reserveOf(folder, source.diskReserveMb)
  const program = [...source.reader, String(reserve)]
  yield* packVolumes({ program, volumes, repositories, folder, index, summary: data })
  const files = { ...manifest.files, [indexName]: await digestFile(index) }
  await writeManifest(folder, { ...manifest, format: 2, files, data })
  yield* packFile(folder, indexName)
  yield* packFile(folder, manifestName)
  yield tarEnd
}

async function* packFile(folder: string, name: string): AsyncGenerator<Buffer> {
  const path = join(folder, name)
  const { bytes } = await digestFile(path)
  yield tarHeader({ path: name, type: 'File', mode: 0o600, mtime: 0, size: bytes })
  yield* createReadStream(path) as AsyncIterable<Buffer>
  yield tarPadding(bytes)
}

function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  return writeFile(join(folder, manifestName), `${JSON.stringify(manifest, null, 2)}\n`)
}

async function manifestOf(
  folder: string,
  vault: Pick<KeyVault, 'key' | 'keptIn'>,
  createdAt: number,
): Promise<Manifest> {
  const path = join(folder, databaseName)
  const { schemaVersion, keyId } = await inspectDatabase(path, (database) => database.facts())
  const files: Manifest['files'] = { [databaseName]: await digestFile(path) }
  if (vault.keptIn === 'file') {
    const key = vault.key(keyId ?? '')
    if (!key) throw new DaemonError('internal', 'the daemon does not have the key of the database')
    await writeFile(join(folder, keyName), `${key.reveal()}\n`, { mode: 0o600 })
    files[keyName] = await digestFile(join(folder, keyName))
  }
  return {
    format: 1,
    schema_version: schemaVersion,
    created_at: new Date(createdAt).toISOString(),
    key_id: keyId ?? null,
    key: vault.keptIn,
    files,
  }
}

/** Minimum size of a piece that the receiver takes at once, in bytes. */
const pieceBytes = 64 * 1024

/** Joins small chunks: each piece costs a write to the receiver. */
async function* inLargePieces(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of source) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes < pieceBytes) continue
    yield chunks.length === 1 ? chunk : Buffer.concat(chunks, bytes)
    chunks = []
    bytes = 0
  }
  if (bytes > 0) yield Buffer.concat(chunks, bytes)
}

/**
 * Streams `source` and fails if the receiver takes no chunk for `silenceMs`. The time in which `source` works does not
 * count. Calls `done` when the stream closes.
 */
function withTimeout(source: AsyncIterable<Buffer>, done: () => Promise<void>): Readable {
  const stalled = () =>
    body.destroy(new DaemonError('unavailable', 'the download of the backup stalled: try again'))
  let timer = setTimeout(stalled, silenceMs).unref()
  async function* chunks() {
    try {
      for await (const chunk of inLargePieces(source)) {
        timer = setTimeout(stalled, silenceMs).unref()
        yield chunk
        clearTimeout(timer)
      }
    } finally {
      clearTimeout(timer)
      await done()
    }
  }
  const body = Readable.from(chunks(), { objectMode: false, highWaterMark: 2 ** 20 })
  return body.once('close', () => {
    clearTimeout(timer)
    // `finally` does not run for a body that was never read. The next start removes leftovers.
    done().catch(() => {})
  })
}
