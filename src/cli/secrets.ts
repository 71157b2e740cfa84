import { randomBytes } from 'node:crypto'
import type { Secrets } from '../generator/plan/settings.ts'

/** Texts that nobody can guess, fit for a URL. */
export function newSecrets(): Secrets {
  const secret = (bytes: number) => randomBytes(bytes).toString('base64url')
  return { databasePassword: secret(24), jwtSecret: secret(32) }
}
