import { createReadStream, statSync } from 'node:fs'
import type { CommonOptions } from '../connection/session.ts'
import { backupTimeoutMs } from '../connection/timeouts.ts'
import { ClientError } from '../errors/client-error.ts'
import { codeOf } from '../errors/error-text.ts'
import { runWithDaemon } from '../run/run-command.ts'

/** `strata restore`: uploads a backup, which the daemon applies at its next start. */
export function restore(file: string, options: CommonOptions): Promise<void> {
  return runWithDaemon(options, async ({ client, output, signal }) => {
    const bytes = sizeOfFile(file)
    const upload = { bytes, signal, timeoutMs: backupTimeoutMs }
    const answer = await client.upload('stageRestore', createReadStream(file), upload)
    output.result(answer.body, () => [
      'staged: the daemon applies the backup at its next start',
      '  strata daemon stop && strata daemon start',
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
