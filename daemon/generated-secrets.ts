import { randomBytes } from 'node:crypto'
import { chmod, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { redacted } from './domain/redacted.ts'
import { writeDurably } from './durable-files.ts'
import { DaemonError } from './errors.ts'
import type { Redacted } from './ports.ts'

/** Secrets generated for `SERVICE_AUTO_TOKEN=1`: 64 hexadecimal digits each, in files with mode 600. */
export interface GeneratedSecrets {
  readonly apiToken: Redacted
  readonly webhookSecret: Redacted
  /** True if this call generated a secret: the caller prints both secrets once. */
  readonly isNew: boolean
}

/** Reads the two secrets of a data folder, or generates them. Throws `internal` for an invalid file. */
export async function keepGeneratedSecrets(dataDir: string): Promise<GeneratedSecrets> {
  const token = await readOrCreate(join(dataDir, 'api-token'))
  const webhook = await readOrCreate(join(dataDir, 'webhook-secret'))
  return {
    apiToken: redacted(token.value),
    webhookSecret: redacted(webhook.value),
    isNew: token.isNew || webhook.isNew,
  }
}

async function readOrCreate(path: string): Promise<{ value: string; isNew: boolean }> {
  const found = await readIfPresent(path)
  if (found === undefined) {
    const value = randomBytes(32).toString('hex')
    await writeDurably(path, `${value}\n`)
    return { value, isNew: true }
  }
  if (!/^[0-9a-f]{64}$/.test(found)) {
    const hint = 'remove the file to generate a new secret'
    throw new DaemonError('internal', `${path} does not hold 64 hexadecimal digits: ${hint}`)
  }
  await chmod(path, 0o600)
  return { value: found, isNew: false }
}

async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw new DaemonError('internal', `${path} can't be read`, { cause: error })
  }
}
