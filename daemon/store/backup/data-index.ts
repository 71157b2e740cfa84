import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import * as z from 'zod'
import { DaemonError } from '../../errors.ts'
import { isPlainPath, staysInside } from './entry-path.ts'
import { indexName } from './manifest.ts'

/** `<project id>/<volume>/…`. The folder of a volume has two names. */
const path = z
  .string()
  .max(4_000)
  .refine((text) => isPlainPath(text) && /^[1-9]\d{0,14}\/[A-Za-z0-9-]+(\/|$)/.test(text))
const mode = z.int().min(0).max(0o777)

const lineSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('folder'), path, mode }),
  z.strictObject({
    ...{ kind: z.literal('file'), path, mode },
    mtime: z.int(),
    bytes: z.int().nonnegative(),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
  }),
  z.strictObject({ kind: z.literal('link'), path, target: z.string() }).refine(linkStaysInside),
  z
    .strictObject({ kind: z.literal('same'), path, target: path })
    .refine((same) => volumeOf(same.path) === volumeOf(same.target)),
  /** A file in the tar whose content is incomplete. A restore leaves it out. */
  z.strictObject({ kind: z.literal('broken'), path }),
])

/** One entry of a backup's data. */
export type DataEntry = z.infer<typeof lineSchema>

/**
 * Yields the entries of an index file. Throws DaemonError `bad-request` for a malformed line, or a path that leads out of
 * its volume.
 */
export async function* readIndex(file: string): AsyncGenerator<DataEntry> {
  const source = createReadStream(file)
  const lines = createInterface({ input: source, crlfDelay: Number.POSITIVE_INFINITY })
  let number = 0
  try {
    for await (const line of lines) {
      number += 1
      yield parseLine(line, number)
    }
  } finally {
    lines.close()
    source.destroy()
  }
}

function parseLine(line: string, number: number): DataEntry {
  try {
    return lineSchema.parse(JSON.parse(line))
  } catch (cause) {
    const message = `line ${number} of ${indexName} of the backup is malformed`
    throw new DaemonError('bad-request', message, { cause })
  }
}

function linkStaysInside(link: { path: string; target: string }): boolean {
  const [, , ...names] = link.path.split('/')
  return names.length > 0 && staysInside(names.join('/'), link.target)
}

function volumeOf(entry: string): string {
  return entry.split('/').slice(0, 2).join('/')
}
