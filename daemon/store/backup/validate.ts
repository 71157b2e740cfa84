import { lstat, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { redacted } from '../../domain/redacted.ts'
import { DaemonError } from '../../errors.ts'
import type { Redacted } from '../../ports.ts'
import { createSealingKey, type SealingKey } from '../../vault/sealing-key.ts'
import { type Inspection, inspectDatabase } from '../inspect-backup.ts'
import { databaseName, keyName, type Manifest, manifestName, parseManifest } from './manifest.ts'
import { digestFile, namesIn } from './paths.ts'

/** The keys that the daemon has: the operator's, or else the one of the file in place. */
export interface KeysAtHand {
  /** `SERVICE_MASTER_KEY`: nothing but it will be used. */
  readonly given: Redacted | undefined
  readonly kept: Redacted | undefined
}

/**
 * Checks an unpacked backup from end to end: files, digests, database, schema, and that every secret opens. Throws
 * `bad-request` for what is no whole backup and `unprocessable` for one that this daemon can't use.
 */
export async function validateBackup(folder: string, keys: KeysAtHand): Promise<Manifest> {
  const manifest = await readManifest(folder)
  await refuseOtherFiles(folder, manifest)
  await inspectDatabase(join(folder, databaseName), async (database) => {
    await database.refuseUnsound()
    const { schemaVersion, keyId } = database.facts()
    if (schemaVersion !== manifest.schema_version || (keyId ?? null) !== manifest.key_id) {
      throw new DaemonError(
        'bad-request',
        'the database of the backup is not what its manifest says',
      )
    }
    await refuseOtherKey(database, await keyFor(folder, manifest, keys))
  })
  return manifest
}

async function readManifest(folder: string): Promise<Manifest> {
  const names = await namesIn(folder)
  if (!names.includes(manifestName)) {
    throw new DaemonError('bad-request', `the backup has no ${manifestName}`)
  }
  return parseManifest(await readFile(join(folder, manifestName), 'utf8'))
}

async function refuseOtherFiles(folder: string, manifest: Manifest): Promise<void> {
  const expected = [manifestName, ...Object.keys(manifest.files)].sort()
  const names = await namesIn(folder)
  if (names.join() !== expected.join()) {
    throw new DaemonError('bad-request', `the backup must have ${expected.join(', ')} and no other`)
  }
  for (const [name, file] of Object.entries(manifest.files)) {
    const path = join(folder, name)
    const isFile = (await lstat(path)).isFile()
    const { sha256, bytes } = isFile ? await digestFile(path) : { sha256: '', bytes: -1 }
    if (sha256 !== file?.sha256 || bytes !== file.bytes) {
      throw new DaemonError('bad-request', `${name} of the backup was changed or cut short`)
    }
  }
}

/** The key that will open the database once it is in place; undefined for one without secrets to open. */
async function keyFor(
  folder: string,
  manifest: Manifest,
  { given, kept }: KeysAtHand,
): Promise<SealingKey | undefined> {
  const own = manifest.key === 'file' ? await readOwnKey(folder) : undefined
  const hex = given ?? own ?? kept
  if (manifest.key_id === null) return undefined
  const key = hex && createSealingKey(hex)
  if (key?.id === manifest.key_id) return key
  throw new DaemonError(
    'unprocessable',
    given
      ? 'SERVICE_MASTER_KEY does not fit the backup: set the key it was made with, or none if it holds its own'
      : 'the backup holds no key that fits: set SERVICE_MASTER_KEY to the one it was made with',
  )
}

async function refuseOtherKey(database: Inspection, key: SealingKey | undefined): Promise<void> {
  for await (const value of database.sealedValues()) {
    try {
      if (!key) throw new Error('there is no key')
      key.open(value)
    } catch (error) {
      const message = 'a secret of the backup does not open with its key'
      throw new DaemonError('unprocessable', message, { cause: error })
    }
  }
}

async function readOwnKey(folder: string): Promise<Redacted> {
  const hex = (await readFile(join(folder, keyName), 'utf8')).trim()
  if (/^[0-9a-f]{64}$/.test(hex)) return redacted(hex)
  throw new DaemonError('bad-request', `${keyName} of the backup holds no key`)
}
