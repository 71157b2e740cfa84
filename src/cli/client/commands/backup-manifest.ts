import { open } from 'node:fs/promises'
import * as z from 'zod'
import type { Output } from '../terminal/output.ts'
import { printable } from '../terminal/printable.ts'
import { formatBytes } from '../terminal/units.ts'

const noted = z.object({ path: z.string(), reason: z.string() })
const manifestSchema = z.object({
  key: z.enum(['file', 'environment']),
  data: z
    .object({
      volumes: z.array(
        z.object({
          project_id: z.number(),
          volume: z.string(),
          files: z.number(),
          databases: z.number(),
          bytes: z.number(),
        }),
      ),
      skipped: z.array(noted),
      skipped_count: z.number(),
      notes: z.array(noted),
    })
    .optional(),
})
export type BackupManifest = z.infer<typeof manifestSchema>

const blockBytes = 512
/** Maximum distance of the manifest's header from the end of the file: the daemon limits the manifest to 8 MiB. */
const tailBytes = 9 * 2 ** 20

/**
 * Reads the manifest of a backup: the first entry of the tar, or the last one if the backup has data. Returns undefined
 * for another file.
 */
export async function readManifest(file: string): Promise<BackupManifest | undefined> {
  const handle = await open(file, 'r')
  try {
    const { size } = await handle.stat()
    const start = Math.max(0, size - (size % blockBytes) - tailBytes)
    const head = await readAt(handle, 0, Math.min(size, tailBytes))
    const tail = await readAt(handle, start, size - start)
    const text = manifestAt(tail, lastHeader(tail)) ?? manifestAt(head, 0)
    const result = manifestSchema.safeParse(text === undefined ? undefined : JSON.parse(text))
    return result.success ? result.data : undefined
  } catch {
    return undefined
  } finally {
    await handle.close()
  }
}

async function readAt(
  handle: Awaited<ReturnType<typeof open>>,
  position: number,
  length: number,
): Promise<Buffer> {
  const buffer = Buffer.alloc(length)
  const { bytesRead } = await handle.read(buffer, 0, length, position)
  return buffer.subarray(0, bytesRead)
}

/** Returns the offset of the last block that is a manifest's header. A manifest is text, so it contains no such block. */
function lastHeader(tail: Buffer): number {
  for (let at = tail.length - (tail.length % blockBytes); at >= 0; at -= blockBytes) {
    if (isHeader(tail, at)) return at
  }
  return -1
}

function isHeader(tar: Buffer, at: number): boolean {
  const name = 'manifest.json\0'
  const magic = tar.toString('latin1', at + 257, at + 262)
  return at >= 0 && tar.toString('latin1', at, at + name.length) === name && magic === 'ustar'
}

function manifestAt(tar: Buffer, at: number): string | undefined {
  if (!isHeader(tar, at)) return undefined
  const size = Number.parseInt(tar.toString('latin1', at + 124, at + 136), 8)
  return tar.toString('utf8', at + blockBytes, at + blockBytes + size)
}

/** Number of skipped entries to print. The manifest has the rest. */
const maxPrinted = 10

/** Prints on stderr what a backup contains and what it lacks. */
export function describeBackup(manifest: BackupManifest | undefined, { note }: Output): void {
  if (!manifest) return
  const { data } = manifest
  if (!data) {
    note('  without the data of apps: strata backup without --no-data includes it')
  } else {
    const sum = (key: 'files' | 'databases' | 'bytes') =>
      data.volumes.reduce((total, volume) => total + volume[key], 0)
    const databases = `${sum('databases')} SQLite ${sum('databases') === 1 ? 'database' : 'databases'}`
    note(
      `  data of ${data.volumes.length} ${data.volumes.length === 1 ? 'branch' : 'branches'}: ${sum('files')} files, ${databases}, ${formatBytes(sum('bytes'))}`,
    )
    for (const { path, reason } of data.notes.slice(0, maxPrinted)) {
      note(`  note: ${printable(path)}: ${printable(reason)}`)
    }
    if (data.skipped_count > 0) note(`  NOT in the backup: ${data.skipped_count} entries`)
    for (const { path, reason } of data.skipped.slice(0, maxPrinted)) {
      note(`    ${printable(path)}: ${printable(reason)}`)
    }
    if (data.skipped_count > maxPrinted) note('    manifest.json in the file lists the others')
  }
  note('  not in it: releases, logs, the trash, git mirrors, settings')
  note(
    manifest.key === 'file'
      ? '  keep this file private: it contains the key that decrypts all secrets'
      : '  keep this file private; to restore it you also need SERVICE_MASTER_KEY',
  )
}
