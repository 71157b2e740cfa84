import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import * as z from 'zod'
import { ClientError } from '../errors/client-error.ts'
import { layout, placeIn } from './layout.ts'

const earlierSchema = z.object({
  label: z.string(),
  /** Copy of the database from before the upgrade; null if there was no database. */
  snapshot: z.string().nullable(),
  /** Schema version of the copy. */
  schema: z.number(),
  /** Text of the unit that this version wrote. */
  unit: z.string(),
  /** Time of the upgrade in milliseconds since 1970. */
  replacedAt: z.number(),
})

const recordSchema = z.object({
  current: z.string(),
  /** The version before the last upgrade; null before the first upgrade and after a rollback. */
  previous: earlierSchema.nullable(),
  /** An upgrade that has begun and not ended: the version that it replaces. */
  pending: earlierSchema.nullable(),
})

/** A version that an upgrade replaced, with all that a return to it needs. */
export type Earlier = z.infer<typeof earlierSchema>
/** The versions of this server. */
export type ServerRecord = z.infer<typeof recordSchema>

/** Returns the record of the server, or undefined if nothing is installed. Throws ClientError for a damaged file. */
export function findRecord(root = '/'): ServerRecord | undefined {
  const path = placeIn(root, layout.record)
  if (!existsSync(path)) return undefined
  try {
    return recordSchema.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch (cause) {
    throw new ClientError(`${path} is damaged`, {
      next: [`rm ${path}`, 'strata server install   writes it again'],
      cause,
    })
  }
}

/** Returns the record of the server. Throws ClientError if nothing is installed. */
export function readRecord(): ServerRecord {
  const record = findRecord()
  if (record) return record
  throw new ClientError('no server is installed on this machine', {
    next: ['sudo strata server install --base-domain apps.example.com'],
  })
}

/** Replaces the record atomically. */
export function writeRecord(record: ServerRecord, root = '/'): void {
  const path = placeIn(root, layout.record)
  const part = `${path}.${process.pid}`
  try {
    writeFileSync(part, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 })
    renameSync(part, path)
  } catch (cause) {
    rmSync(part, { force: true })
    throw new ClientError(`${path} can't be written`, { cause })
  }
}
