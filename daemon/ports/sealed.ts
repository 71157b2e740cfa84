import type { Sealed } from '../domain/records.ts'
import type { Redacted } from './redacted.ts'

/** Encrypts and decrypts stored secrets. Synchronous: AES-256-GCM on short texts. */
export interface Vault {
  seal(value: Redacted): Sealed
  /** Throws `internal` if the value was sealed with an unknown key. */
  open(value: Sealed): Redacted
}

/** Access to all encrypted values of the database. */
export interface SealedValues {
  /** Returns the id of the key that encrypts all values; undefined in a new database. */
  keyId(): Promise<string | undefined>
  /** Records the key's id, in the transaction that re-encrypts all values with that key. */
  recordKeyId(keyId: string): Promise<void>
  count(): Promise<number>
  /** Replaces each value by the result of `reseal`. Returns the number of values. */
  replace(reseal: (value: Sealed) => Sealed): Promise<number>
  /** Passes each value written from now on through `refresh`, inside the writing transaction. */
  onWrite(refresh: (value: Sealed) => Sealed): void
}

/** The vault, plus methods for key rotation and backups. */
export interface KeyVault extends Vault {
  /** Returns the id of the current key. */
  keyId(): string
  /** Origin of the key. `environment`: the operator provides the key, and the daemon can't rotate it. */
  readonly keptIn: 'file' | 'environment'
  /** Returns the current or a previous key as 64 hex digits; undefined if this process does not have the key. */
  key(keyId: string): Redacted | undefined
  /** Writes a new key durably beside the current key. Throws `conflict` if the operator provides the key. */
  prepareNext(): Promise<NextKey>
}

export interface NextKey {
  readonly keyId: string
  reseal(value: Sealed): Sealed
  /** Encrypts new values with this key from now on. Synchronous, for the call at commit. */
  use(): void
  /** Replaces the previous key file durably. */
  keep(): Promise<void>
}
