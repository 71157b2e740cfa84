import { randomBytes } from 'node:crypto'
import type { Secrets } from '../../generator/plan/env-file.ts'

/** Generates random URL-safe secrets for a new project. */
export function newSecrets(): Secrets {
  const secret = (bytes: number) => randomBytes(bytes).toString('base64url')
  return { databasePassword: secret(24), jwtSecret: secret(32) }
}
