import * as z from 'zod'
import { DaemonError } from '../../errors.ts'

/* File names in a backup. */
export const databaseName = 'database.sqlite'
export const keyName = 'master.key'
export const manifestName = 'manifest.json'
/** Lists every entry of the folder `data`, one in each line. */
export const indexName = 'data.jsonl'
/** The folder with the data of apps: `data/<project id>/<volume>/…`. */
export const dataName = 'data'

/** Maximum number of notes in a manifest. Further ones are counted only. */
export const maxNotes = 1_000

const file = z.strictObject({
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  bytes: z.int().nonnegative(),
})

const noted = z.strictObject({ path: z.string(), reason: z.string() })

/** Content of the data folder, for people. */
const data = z.strictObject({
  volumes: z.array(
    z.strictObject({
      project_id: z.int().positive(),
      volume: z.string(),
      files: z.int().nonnegative(),
      databases: z.int().nonnegative(),
      bytes: z.int().nonnegative(),
    }),
  ),
  /** Entries that are missing in the backup. */
  skipped: z.array(noted),
  skipped_count: z.int().nonnegative(),
  /** Entries that are in the backup, but not as expected. */
  notes: z.array(noted),
})

const manifestSchema = z.strictObject({
  /** 1: without data of apps. 2: with data. */
  format: z.literal([1, 2]),
  schema_version: z.int().positive(),
  created_at: z.iso.datetime(),
  /** Id of the master key; null if the database has none. */
  key_id: z
    .string()
    .regex(/^[0-9a-f]{16}$/)
    .nullable(),
  /** Origin of the key. `environment`: SERVICE_MASTER_KEY contains the key, and the backup does not. */
  key: z.enum(['file', 'environment']),
  files: z.strictObject({
    [databaseName]: file,
    [keyName]: file.optional(),
    [indexName]: file.optional(),
  }),
  data: data.optional(),
})

/** The content of `manifest.json`. */
export type Manifest = z.infer<typeof manifestSchema>
export type ManifestData = z.infer<typeof data>

/**
 * Parses a manifest. Throws DaemonError `bad-request` if it is malformed, `unprocessable` if a newer stratad wrote it.
 */
export function parseManifest(text: string): Manifest {
  const json = parseJson(text)
  const format = z.looseObject({ format: z.number() }).safeParse(json)
  if (format.success && format.data.format > 2) {
    throw new DaemonError(
      'unprocessable',
      `the backup has format ${format.data.format} and this stratad supports up to 2: restore it with a newer stratad`,
    )
  }
  const result = manifestSchema.safeParse(json)
  if (!result.success) throw malformed(z.prettifyError(result.error))
  const { key, files, data, format: version } = result.data
  if ((key === 'file') !== (files[keyName] !== undefined))
    throw malformed('`key` contradicts `files`')
  const parts = [version === 2, files[indexName] !== undefined, data !== undefined]
  if (new Set(parts).size > 1) throw malformed('`format` contradicts `files` or `data`')
  return result.data
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw malformed('it is not JSON')
  }
}

function malformed(reason: string): DaemonError {
  return new DaemonError('bad-request', `${manifestName} of the backup is malformed: ${reason}`)
}
