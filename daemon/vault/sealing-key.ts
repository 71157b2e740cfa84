import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import type { Sealed } from '../domain/records.ts'
import { redacted } from '../domain/redacted.ts'
import { DaemonError } from '../errors.ts'
import type { Redacted } from '../ports.ts'

/** An AES-256-GCM key. */
export interface SealingKey {
  /** Id of 16 hex digits that identifies the key without revealing it. */
  readonly id: string
  seal(value: Redacted): Sealed
  /** Decrypts a value. Throws DaemonError `internal` if the value was modified or was encrypted with another key. */
  open(value: Sealed): Redacted
  /** Returns the key as 64 hex digits. */
  reveal(): Redacted
}

/**
 * Creates a key from 64 hex digits. A sealed value is `v1.<key id>.<nonce>.<ciphertext and tag>` with a random nonce of
 * 12 bytes; nonce and ciphertext are base64url. The prefix is authenticated. Row and column are not, which keeps key
 * rotation simple; an attacker who can swap rows can do more harm anyway.
 */
export function createSealingKey(hex: Redacted): SealingKey {
  const key = createSecretKey(Buffer.from(hex.reveal(), 'hex'))
  const id = idOf(key)
  const header = Buffer.from(`v1.${id}`)
  return {
    id,
    reveal: () => hex,

    seal(value) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(header)
      const body = Buffer.concat([
        cipher.update(value.reveal(), 'utf8'),
        cipher.final(),
        cipher.getAuthTag(),
      ])
      return `${header}.${nonce.toString('base64url')}.${body.toString('base64url')}` as Sealed
    },

    open(value) {
      const parts = format.exec(value)
      const nonce = Buffer.from(parts?.[2] ?? '', 'base64url')
      const body = Buffer.from(parts?.[3] ?? '', 'base64url')
      if (parts?.[1] !== id || nonce.length !== nonceBytes || body.length < tagBytes) {
        throw unreadable()
      }
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
      decipher.setAAD(header).setAuthTag(body.subarray(-tagBytes))
      try {
        const text = [decipher.update(body.subarray(0, -tagBytes)), decipher.final()]
        return redacted(Buffer.concat(text).toString('utf8'))
      } catch (error) {
        throw unreadable(error)
      }
    },
  }
}

/** Returns the id of the key that encrypted a value; undefined if the value is malformed. */
export function keyIdOf(value: Sealed): string | undefined {
  return format.exec(value)?.[1]
}

export function newKey(): Redacted {
  return redacted(randomBytes(32).toString('hex'))
}

const nonceBytes = 12
const tagBytes = 16
const format = /^v1\.([0-9a-f]{16})\.([\w-]+)\.([\w-]+)$/

function idOf(key: KeyObject): string {
  return createHmac('sha256', key).update('strata: id of a master key').digest('hex').slice(0, 16)
}

function unreadable(cause?: unknown): DaemonError {
  return new DaemonError(
    'internal',
    'a stored secret cannot be decrypted with the master key: it was modified or belongs to another key',
    { cause },
  )
}
