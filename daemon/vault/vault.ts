import type { Sealed } from '../domain/records.ts'
import { DaemonError } from '../errors.ts'
import type { KeyVault, Redacted, SealedValues } from '../ports.ts'
import { chooseFileKey, refuseOther } from './key-choice.ts'
import type { KeyFile } from './key-file.ts'
import { createKeyFile } from './key-file.ts'
import { createSealingKey, keyIdOf, newKey, type SealingKey } from './sealing-key.ts'

/** The file is made where there is none; a key given as 64 hex digits is the operator's. */
export type KeySource = { readonly keyFile: string } | { readonly key: Redacted }

/**
 * Opens the vault. `sealed` is the database whose values it seals: it says which key is the one of now (a rotation may
 * have been cut off), learns a first key, and has what it writes brought under the key of now. Without one (tests) the
 * source alone decides. Throws DaemonError for a key that can't be read, is malformed, or did not seal the database.
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
  if (sealed && (await sealed.keyId()) !== first.id) await sealed.bookKey(first.id)
  const vault = createVaultOf(first, file)
  sealed?.onWrite(vault.refresh)
  return vault
}

/** Keys of before stay for as long as the process lives: what was read before a rotation still opens after it. */
function createVaultOf(
  first: SealingKey,
  file: KeyFile | undefined,
): KeyVault & { refresh(value: Sealed): Sealed } {
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
    refresh: (value) => (keyIdOf(value) === current.id ? value : current.seal(open(value))),

    async prepareNext() {
      if (!file) {
        throw new DaemonError(
          'conflict',
          'the master key is set by SERVICE_MASTER_KEY, so it is not changed here: to have it rotated, keep it in a file',
        )
      }
      await settle(file, current)
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

/** The key of now may still be in the place of the next one, if it could not be renamed: it must not be overwritten. */
async function settle(file: KeyFile, current: SealingKey): Promise<void> {
  const kept = await file.read()
  if (kept && createSealingKey(kept).id === current.id) return
  const next = await file.readNext()
  if (next && createSealingKey(next).id === current.id) return file.promoteNext()
  throw new DaemonError(
    'internal',
    'the file of the master key is not the one in use: make a backup before anything else, it holds the key',
  )
}

async function givenKey(hex: Redacted, sealed: SealedValues | undefined): Promise<SealingKey> {
  const key = createSealingKey(hex)
  await refuseOther(key, sealed, 'SERVICE_MASTER_KEY is not the key')
  return key
}
