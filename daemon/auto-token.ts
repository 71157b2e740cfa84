import { randomBytes } from 'node:crypto'
import { chmod, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { redacted } from './domain/redacted.ts'
import { writeDurably } from './durable-files.ts'
import { DaemonError } from './errors.ts'
import type { Redacted } from './ports.ts'

/** What `SERVICE_AUTO_TOKEN=1` makes once and keeps: 64 hexadecimal digits each, in files only the owner reads. */
export interface AutoSecrets {
  readonly apiToken: Redacted
  readonly webhookSecret: Redacted
  /** They were made by this call: to be printed this once. */
  readonly isNew: boolean
}

/** Reads the two secrets of a data folder, or makes them. Throws `internal` for a file that holds something else. */
export async function keepAutoSecrets(dataDir: string): Promise<AutoSecrets> {
  const token = await keep(join(dataDir, 'api-token'))
  const webhook = await keep(join(dataDir, 'webhook-secret'))
  return {
    apiToken: redacted(token.value),
    webhookSecret: redacted(webhook.value),
    isNew: token.isNew || webhook.isNew,
  }
}

async function keep(path: string): Promise<{ value: string; isNew: boolean }> {
  const found = await readIfThere(path)
  if (found === undefined) {
    const value = randomBytes(32).toString('hex')
    await writeDurably(path, `${value}\n`)
    return { value, isNew: true }
  }
  if (!/^[0-9a-f]{64}$/.test(found)) {
    const hint = 'remove it to have a new one made'
    throw new DaemonError('internal', `${path} does not hold 64 hexadecimal digits: ${hint}`)
  }
  await chmod(path, 0o600)
  return { value: found, isNew: false }
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw new DaemonError('internal', `${path} can't be read`, { cause: error })
  }
}
