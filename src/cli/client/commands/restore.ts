import { createReadStream, statSync } from 'node:fs'
import type { CommonOptions } from '../connection/session.ts'
import { backupTimeoutMs } from '../connection/timeouts.ts'
import { ClientError } from '../errors/client-error.ts'
import { codeOf } from '../errors/error-text.ts'
import { runWithDaemon } from '../run/run-command.ts'
import { byteProgress } from '../terminal/byte-progress.ts'
import { confirm } from '../terminal/confirm.ts'
import { formatBytes } from '../terminal/units.ts'
import { readManifest } from './backup-manifest.ts'

export interface RestoreOptions extends CommonOptions {
  readonly yes?: boolean
}

/** `strata restore`: uploads a backup, which the daemon applies at its next start. */
export function restore(file: string, options: RestoreOptions): Promise<void> {
  return runWithDaemon(options, async ({ client, output, signal }) => {
    const bytes = sizeOfFile(file)
    const data = (await readManifest(file))?.data
    const what = data
      ? `the database of the daemon and the data of ${data.volumes.length} branches (${formatBytes(bytes)})`
      : `the database of the daemon, and no data of apps (${formatBytes(bytes)})`
    await confirm(
      {
        consequences: [`the backup contains ${what}`],
        question: `replace the state of ${client.target.url} at its next start?`,
        unattended: `strata restore ${file} --yes`,
        isGiven: options.yes ?? false,
      },
      output,
      signal,
    )
    const progress = byteProgress('uploading', { total: bytes })
    const source = createReadStream(file)
    source.once('error', (error) => progress.destroy(error))
    const upload = { bytes, signal, timeoutMs: backupTimeoutMs }
    const answer = await client.upload('stageRestore', source.pipe(progress), upload)
    output.result(answer.body, () => [
      'staged: the daemon applies the backup at its next start, and keeps what it replaces',
      '  strata daemon stop && strata daemon start',
      ...(data
        ? ['  then run strata up for each branch whose release is not on that machine']
        : []),
    ])
  })
}

function sizeOfFile(file: string): number {
  try {
    const stats = statSync(file)
    if (stats.isFile()) return stats.size
  } catch (cause) {
    throw new ClientError(`${file} can't be read (${codeOf(cause)})`, { cause })
  }
  throw new ClientError(`${file} is not a file`)
}
