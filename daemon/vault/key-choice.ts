import { DaemonError } from '../errors.ts'
import type { SealedValues } from '../ports.ts'
import type { KeyFile } from './key-file.ts'
import { createSealingKey, newKey, type SealingKey } from './sealing-key.ts'

/**
 * Returns the current key: of the two key files, the key whose id the database contains. Completes a rotation that was
 * interrupted after its commit, and discards a rotation that was interrupted before. `path` is for messages.
 */
export async function chooseFileKey(
  file: KeyFile,
  path: string,
  sealed: SealedValues | undefined,
): Promise<SealingKey> {
  const recorded = await sealed?.keyId()
  const next = await file.readNext()
  if (next) {
    const key = createSealingKey(next)
    if (key.id === recorded) {
      await file.promoteNext()
      return key
    }
  }
  const kept = await file.read()
  if (kept) {
    const key = createSealingKey(kept)
    await refuseWrongKey(key, sealed, `${path} is not the key`)
    // Remove the key of a rotation that did not commit.
    if (next) await file.removeNext()
    return key
  }
  if (recorded !== undefined && (await sealed?.count())) {
    throw new DaemonError(
      'internal',
      `${path} is missing and the database has secrets: restore the key ${recorded} from a backup`,
    )
  }
  const created = newKey()
  await file.create(created)
  return createSealingKey(created)
}

/** Throws DaemonError if the database has values encrypted with another key. `message` starts the error message. */
export async function refuseWrongKey(
  key: SealingKey,
  sealed: SealedValues | undefined,
  message: string,
): Promise<void> {
  const recorded = await sealed?.keyId()
  if (recorded === undefined || recorded === key.id || !(await sealed?.count())) return
  throw new DaemonError(
    'internal',
    `${message} that the database was encrypted with: expected key ${recorded}, got ${key.id}`,
  )
}
