import { DaemonError } from '../errors.ts'
import type { SealedValues } from '../ports.ts'
import type { KeyFile } from './key-file.ts'
import { createSealingKey, newKey, type SealingKey } from './sealing-key.ts'

/**
 * Which of the two files holds the key of now: the one whose id the database has. A rotation that was cut off after
 * its commit is brought to its end, one before it is forgotten. `path` is for messages.
 */
export async function chooseFileKey(
  file: KeyFile,
  path: string,
  sealed: SealedValues | undefined,
): Promise<SealingKey> {
  const booked = await sealed?.keyId()
  const next = await file.readNext()
  if (next) {
    const key = createSealingKey(next)
    if (key.id === booked) {
      await file.promoteNext()
      return key
    }
  }
  const kept = await file.read()
  if (kept) {
    const key = createSealingKey(kept)
    await refuseOther(key, sealed, `${path} is not the key`)
    // Of a rotation that did not come to its commit.
    if (next) await file.removeNext()
    return key
  }
  if (booked !== undefined && (await sealed?.count())) {
    throw new DaemonError(
      'internal',
      `${path} is missing and the database has secrets: put the key ${booked} back, from a backup`,
    )
  }
  const made = newKey()
  await file.create(made)
  return createSealingKey(made)
}

/** Throws where the database has values that are under another key. */
export async function refuseOther(
  key: SealingKey,
  sealed: SealedValues | undefined,
  saying: string,
): Promise<void> {
  const booked = await sealed?.keyId()
  if (booked === undefined || booked === key.id || !(await sealed?.count())) return
  throw new DaemonError(
    'internal',
    `${saying} that the database was sealed with: it is ${key.id} and must be ${booked}`,
  )
}
