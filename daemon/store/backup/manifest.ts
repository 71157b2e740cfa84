import * as z from 'zod'
import { DaemonError } from '../../errors.ts'

/* File names in a backup. */
export const databaseName = 'database.sqlite'
export const keyName = 'master.key'
export const manifestName = 'manifest.json'

const file = z.strictObject({
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  bytes: z.int().nonnegative(),
})

const manifestSchema = z.strictObject({
  format: z.literal(1),
  schema_version: z.int().positive(),
  created_at: z.iso.datetime(),
  /** Id of the master key; null if the database has none. */
  key_id: z
    .string()
    .regex(/^[0-9a-f]{16}$/)
    .nullable(),
  /** Origin of the key. `environment`: SERVICE_MASTER_KEY contains the key, and the backup does not. */
  key: z.enum(['file', 'environment']),
  files: z.strictObject({ [databaseName]: file, [keyName]: file.optional() }),
})

/** The content of `manifest.json`. */
export type Manifest = z.infer<typeof manifestSchema>

/**
 * Parses a manifest. Throws DaemonError `bad-request` if it is malformed, `unprocessable` if a newer stratad wrote it.
 */
export function parseManifest(text: string): Manifest {
  const json = parseJson(text)
  const format = z.looseObject({ format: z.number() }).safeParse(json)
  if (format.success && format.data.format > 1) {
    throw new DaemonError(
      'unprocessable',
      `the backup has format ${format.data.format} and this stratad supports 1: restore it with a newer stratad`,
    )
  }
  const result = manifestSchema.safeParse(json)
  if (!result.success) throw malformed(z.prettifyError(result.error))
  if ((result.data.key === 'file') !== (result.data.files[keyName] !== undefined)) {
    throw malformed('`key` contradicts `files`')
  }
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
