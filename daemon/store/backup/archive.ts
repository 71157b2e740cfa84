import { randomBytes } from 'node:crypto'
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { create } from 'tar'
import { DaemonError } from '../../errors.ts'
import type { Database, KeyVault } from '../../ports.ts'
import { inspectDatabase } from './inspect-database.ts'
import { databaseName, keyName, type Manifest, manifestName } from './manifest.ts'
import { backupPaths, digestFile, partial, timeName } from './paths.ts'

/** Maximum stall of a receiver before it is disconnected. */
const silenceMs = 120_000

/**
 * Creates a tar with a snapshot of the database, its key (unless the operator provides the key) and a manifest. The
 * snapshot contains the key's id, so that a concurrent rotation is harmless. Temporary files are removed when `body`
 * closes.
 */
export async function createArchive({
  database,
  vault,
  dataDir,
  now,
  failpoint = () => {},
}: {
  database: Pick<Database, 'snapshot'>
  vault: Pick<KeyVault, 'key' | 'keptIn'>
  dataDir: string
  now: () => number
  failpoint?: (name: string) => void | Promise<void>
}): Promise<{ fileName: string; body: Readable }> {
  const { backups } = backupPaths(dataDir)
  const folder = join(backups, `${randomBytes(6).toString('hex')}${partial}`)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  try {
    const createdAt = now()
    await failpoint('backup:snapshot')
    await database.snapshot(join(folder, databaseName))
    await chmod(join(folder, databaseName), 0o600)
    await failpoint('backup:manifest')
    const manifest = await manifestOf(folder, vault, createdAt)
    await writeFile(join(folder, manifestName), `${JSON.stringify(manifest, null, 2)}\n`)
    await failpoint('backup:pack')
    const names = [manifestName, ...Object.keys(manifest.files)]
    const pack = create({ cwd: folder, portable: true, strict: true }, names)
    const body = withTimeout(pack, () => rm(folder, { recursive: true, force: true }))
    return { fileName: `strata-backup-${timeName(createdAt)}.tar`, body }
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
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

/** Streams `source` and fails if the reader stalls for `silenceMs`. Calls `done` when the stream closes. */
function withTimeout(source: AsyncIterable<Buffer>, done: () => Promise<void>): Readable {
  const stalled = () =>
    body.destroy(new DaemonError('unavailable', 'the download of the backup stalled: try again'))
  const timer = setTimeout(stalled, silenceMs).unref()
  async function* chunks() {
    try {
      for await (const chunk of source) {
        timer.refresh()
        yield chunk
      }
    } finally {
      await done()
    }
  }
  const body = Readable.from(chunks(), { objectMode: false })
  return body.once('close', () => {
    clearTimeout(timer)
    // `finally` does not run for a body that was never read. The next start removes leftovers.
    done().catch(() => {})
  })
}
