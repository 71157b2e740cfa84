import type { Sealed } from '../domain/records.ts'
import { DaemonError } from '../errors.ts'
import type { KeyVault, Redacted, SealedValues } from '../ports.ts'
import { chooseFileKey, refuseWrongKey } from './key-choice.ts'
import type { KeyFile } from './key-file.ts'
import { createKeyFile } from './key-file.ts'
import { createSealingKey, keyIdOf, newKey, type SealingKey } from './sealing-key.ts'

/** A key file, created if missing, or the operator's key as 64 hex digits. */
export type KeySource = { readonly keyFile: string } | { readonly key: Redacted }

/**
 * Opens the vault. `sealed` is the database of its values: it names the current key, because a rotation may have been
 * interrupted, and reseals values under that key when it writes them. Throws DaemonError if the key cannot be read, is
 * malformed or is not the key of the database.
 */
export async function createVault(
  source: KeySource,
  { sealed, warn = () => {} }: { sealed?: SealedValues; warn?: (message: string) => void } = {},
): Promise<KeyVault> {
  const file = 'keyFile' in source ? createKeyFile(source.keyFile, warn) : undefined
  const first =
    'key' in source
      ? await givenKey(source.key, sealed)
      : await chooseFileKey(createKeyFile(source.keyFile, warn), source.keyFile, sealed)
  if (sealed && (await sealed.keyId()) !== first.id) await sealed.recordKeyId(first.id)
  const vault = createVaultOf(first, file)
  sealed?.onWrite(vault.toCurrentKey)
  return vault
}

/** Keeps previous keys in memory, so that values read before a rotation can still be decrypted. */
function createVaultOf(
  first: SealingKey,
  file: KeyFile | undefined,
): KeyVault & { toCurrentKey(value: Sealed): Sealed } {
  const keys = new Map([[first.id, first]])
  let current = first

  function open(value: Sealed): Redacted {
    return (keys.get(keyIdOf(value) ?? '') ?? current).open(value)
  }

  return {
    keptIn: file ? 'file' : 'environment',
    keyId: () => current.id,
    key: (keyId) => keys.get(keyId)?.reveal(),
    seal: (value) => current.seal(value),
    open,
    toCurrentKey: (value) => (keyIdOf(value) === current.id ? value : current.seal(open(value))),

    async prepareNext() {
      if (!file) {
        throw new DaemonError(
          'conflict',
          'the master key is set by SERVICE_MASTER_KEY and cannot be rotated: to rotate it, move it to the key file',
        )
      }
      await requireCurrent(file, current)
      const hex = newKey()
      const next = createSealingKey(hex)
      await file.writeNext(hex)
      return {
        keyId: next.id,
        reseal: (value) => next.seal(open(value)),
        use() {
          keys.set(next.id, next)
          current = next
        },
        keep: () => file.promoteNext(),
      }
    },
  }
}

/**
 * Makes sure that the key file holds the current key before the next key is written. If a rename failed earlier, the
 * current key is still in the file of the next key and must not be overwritten.
 */
async function requireCurrent(file: KeyFile, current: SealingKey): Promise<void> {
  const kept = await file.read()
  if (kept && createSealingKey(kept).id === current.id) return
  const next = await file.readNext()
  if (next && createSealingKey(next).id === current.id) return file.promoteNext()
  throw new DaemonError(
    'internal',
    'the file of the master key does not hold the key in use: create a backup now, because it includes the key',
  )
}

async function givenKey(hex: Redacted, sealed: SealedValues | undefined): Promise<SealingKey> {
  const key = createSealingKey(hex)
  await refuseWrongKey(key, sealed, 'SERVICE_MASTER_KEY is not the key')
  return key
}
