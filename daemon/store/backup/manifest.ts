import * as z from 'zod'
import { DaemonError } from '../../errors.ts'

/** What a backup holds, in the tar and in the folder it is unpacked to. */
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
  /** Of the master key; null for a database without one. */
  key_id: z
    .string()
    .regex(/^[0-9a-f]{16}$/)
    .nullable(),
  /** `environment`: the key is in SERVICE_MASTER_KEY and not in here. */
  key: z.enum(['file', 'environment']),
  files: z.strictObject({ [databaseName]: file, [keyName]: file.optional() }),
})

/** What `manifest.json` of a backup says; its keys are those of the file. */
export type Manifest = z.infer<typeof manifestSchema>

/** Throws `bad-request` for what is no manifest, `unprocessable` for one of a newer stratad. */
export function parseManifest(text: string): Manifest {
  const json = parseJson(text)
  const format = z.looseObject({ format: z.number() }).safeParse(json)
  if (format.success && format.data.format > 1) {
    throw new DaemonError(
      'unprocessable',
      `the backup has format ${format.data.format} and this stratad knows 1: restore it with a newer one`,
    )
  }
  const result = manifestSchema.safeParse(json)
  if (!result.success) throw malformed(z.prettifyError(result.error))
  if ((result.data.key === 'file') !== (result.data.files[keyName] !== undefined)) {
    throw malformed('what it says of the key and of its files differs')
  }
  return result.data
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw malformed('it is no JSON')
  }
}

function malformed(why: string): DaemonError {
  return new DaemonError('bad-request', `${manifestName} of the backup is malformed: ${why}`)
}
