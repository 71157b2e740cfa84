import { lstat, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { redacted } from '../../domain/redacted.ts'
import { DaemonError } from '../../errors.ts'
import type { Redacted } from '../../ports.ts'
import { createSealingKey, type SealingKey } from '../../vault/sealing-key.ts'
import { type Inspection, inspectDatabase } from './inspect-database.ts'
import {
  databaseName,
  dataName,
  keyName,
  type Manifest,
  manifestName,
  parseManifest,
} from './manifest.ts'
import { digestFile, namesIn } from './paths.ts'
import { checkData } from './staged-data.ts'

/** The keys of the daemon. */
export interface DaemonKeys {
  /** `SERVICE_MASTER_KEY`. If it is set, no other key is used. */
  readonly given: Redacted | undefined
  /** The current key, or the key of the key file. */
  readonly current: Redacted | undefined
}

/**
 * Validates an unpacked backup: files, digests, database, schema, that every secret can be decrypted, and the data of
 * apps. `complete` is called with the manifest once its files are checked. Throws DaemonError `bad-request` for an incomplete backup, `unprocessable` for a backup that this daemon cannot use.
 */
export async function validateBackup(
  folder: string,
  keys: DaemonKeys,
  complete: (manifest: Manifest) => Promise<void> = async () => {},
): Promise<Manifest> {
  const manifest = await readManifest(folder)
  await checkFiles(folder, manifest)
  await complete(manifest)
  await inspectDatabase(join(folder, databaseName), async (database) => {
    await database.check()
    const { schemaVersion, keyId } = database.facts()
    if (schemaVersion !== manifest.schema_version || (keyId ?? null) !== manifest.key_id) {
      throw new DaemonError('bad-request', 'the database of the backup does not match its manifest')
    }
    await checkSecrets(database, await keyFor(folder, manifest, keys))
  })
  if (manifest.data) await checkData(folder)
  return manifest
}

async function readManifest(folder: string): Promise<Manifest> {
  const names = await namesIn(folder)
  if (!names.includes(manifestName)) {
    throw new DaemonError('bad-request', `the backup has no ${manifestName}`)
  }
  return parseManifest(await readFile(join(folder, manifestName), 'utf8'))
}

async function checkFiles(folder: string, manifest: Manifest): Promise<void> {
  const expected = [manifestName, ...Object.keys(manifest.files)].sort()
  const names = (await namesIn(folder)).filter((name) => name !== dataName || !manifest.data)
  if (names.join() !== expected.join()) {
    throw new DaemonError('bad-request', `the backup must contain exactly ${expected.join(', ')}`)
  }
  for (const [name, file] of Object.entries(manifest.files)) {
    const path = join(folder, name)
    const isFile = (await lstat(path)).isFile()
    const { sha256, bytes } = isFile ? await digestFile(path) : { sha256: '', bytes: -1 }
    if (sha256 !== file?.sha256 || bytes !== file.bytes) {
      throw new DaemonError('bad-request', `${name} of the backup was changed or truncated`)
    }
  }
}

/** Returns the key for the restored database; undefined if the database has no key. */
async function keyFor(
  folder: string,
  manifest: Manifest,
  { given, current }: DaemonKeys,
): Promise<SealingKey | undefined> {
  const included = manifest.key === 'file' ? await readIncludedKey(folder) : undefined
  const hex = given ?? included ?? current
  if (manifest.key_id === null) return undefined
  const key = hex && createSealingKey(hex)
  if (key?.id === manifest.key_id) return key
  throw new DaemonError(
    'unprocessable',
    given
      ? 'SERVICE_MASTER_KEY is not the key of the backup: set that key, or unset it if the backup includes its key'
      : 'the key of the backup is missing: set SERVICE_MASTER_KEY to the key it was made with',
  )
}

/** Throws DaemonError `unprocessable` unless `key` decrypts every secret. */
async function checkSecrets(database: Inspection, key: SealingKey | undefined): Promise<void> {
  for await (const value of database.sealedValues()) {
    try {
      if (!key) throw new Error('no key')
      key.open(value)
    } catch (error) {
      const message = 'a secret of the backup cannot be decrypted with its key'
      throw new DaemonError('unprocessable', message, { cause: error })
    }
  }
}

async function readIncludedKey(folder: string): Promise<Redacted> {
  const hex = (await readFile(join(folder, keyName), 'utf8')).trim()
  if (/^[0-9a-f]{64}$/.test(hex)) return redacted(hex)
  throw new DaemonError(
    'bad-request',
    `${keyName} of the backup is not a key of 64 hexadecimal digits`,
  )
}
