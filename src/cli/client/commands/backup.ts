import { createWriteStream, existsSync, rmSync, statSync } from 'node:fs'
import { link, rename, unlink } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { ConnectionError } from '../../../../daemon/client/errors.ts'
import type { CommonOptions } from '../connection/session.ts'
import { backupTimeoutMs } from '../connection/timeouts.ts'
import { ClientError } from '../errors/client-error.ts'
import { codeOf, messageOf } from '../errors/error-text.ts'
import { runWithDaemon } from '../run/run-command.ts'
import { formatBytes } from '../terminal/units.ts'

export interface BackupOptions extends CommonOptions {
  readonly force?: boolean
}

/**
 * `strata backup`: downloads a backup to a file with mode 0600, as it contains the encryption key. Writes to `<file>.part`
 * first, so that the file is complete or absent.
 */
export function backup(path: string | undefined, options: BackupOptions): Promise<void> {
  return runWithDaemon(options, async ({ client, output, signal }) => {
    const file = path ?? defaultName(new Date())
    if (file === '-') {
      const answer = await client.open('createBackup', { signal, timeoutMs: backupTimeoutMs })
      await pipeline(answer, process.stdout, { signal })
      return
    }
    if (!options.force && existsSync(file)) throw alreadyExists(file)
    const part = `${file}.part`
    try {
      const answer = await client.open('createBackup', { signal, timeoutMs: backupTimeoutMs })
      await pipeline(answer, createWriteStream(part, { mode: 0o600 }), { signal }).catch(
        (error: unknown) => {
          throw answer.errored ? interruptedDownload(error) : error
        },
      )
      if (options.force) await rename(part, file)
      else await renameUnlessExists(part, file)
    } catch (error) {
      rmSync(part, { force: true })
      if (codeOf(error) === 'EEXIST') throw alreadyExists(file)
      throw 'code' in Object(error) ? notWritable(file, error) : error
    }
    const bytes = statSync(file).size
    output.result({ file, bytes }, () => [`wrote ${file} (${formatBytes(bytes)})`])
    output.note('  keep this file private: it contains the key that decrypts all secrets')
  })
}

function defaultName(now: Date): string {
  const time = now.toISOString().slice(0, 19).replace('T', '-').replaceAll(':', '')
  return `strata-backup-${time}.tar`
}

/** Throws EEXIST if another process has created the file since the first check: `rename` would replace it. */
async function renameUnlessExists(part: string, file: string): Promise<void> {
  await link(part, file)
  await unlink(part)
}

function alreadyExists(file: string): ClientError {
  return new ClientError(`${file} already exists`, {
    next: ['strata backup <another name>', 'strata backup --force   overwrites the file'],
  })
}

function notWritable(file: string, cause: unknown): ClientError {
  return new ClientError(`${file} can't be written (${codeOf(cause)})`, { cause })
}

function interruptedDownload(cause: unknown): ConnectionError {
  return new ConnectionError(`the download was interrupted (${messageOf(cause)})`, {
    isSent: true,
    cause,
  })
}
