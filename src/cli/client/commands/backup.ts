import { createWriteStream, existsSync, rmSync, statSync } from 'node:fs'
import { link, rename, unlink } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { ConnectionError } from '../../../../daemon/client/errors.ts'
import type { CommonOptions } from '../connection/session.ts'
import { backupSilenceMs, backupTimeoutMs } from '../connection/timeouts.ts'
import { ClientError } from '../errors/client-error.ts'
import { codeOf, messageOf } from '../errors/error-text.ts'
import { runWithDaemon } from '../run/run-command.ts'
import { byteProgress } from '../terminal/byte-progress.ts'
import { formatBytes } from '../terminal/units.ts'
import { describeBackup, readManifest } from './backup-manifest.ts'

export interface BackupOptions extends CommonOptions {
  readonly force?: boolean
  /** False for `--no-data`. */
  readonly data?: boolean
}

/**
 * `strata backup`: downloads a backup to a file with mode 0600, as it contains the encryption key, and prints what the
 * backup contains and lacks. Writes to `<file>.part`
 * first, so that the file is complete or absent.
 */
export function backup(path: string | undefined, options: BackupOptions): Promise<void> {
  return runWithDaemon(options, async ({ client, output, signal }) => {
    const file = path ?? defaultName(new Date())
    const open = () =>
      client.open('createBackup', {
        ...(options.data !== false && { query: { data: true } }),
        ...{ signal, timeoutMs: backupTimeoutMs, silenceMs: backupSilenceMs },
      })
    if (file === '-') {
      const answer = await open()
      await pipeline(answer, process.stdout, { signal })
      return
    }
    if (!options.force && existsSync(file)) throw alreadyExists(file)
    const part = `${file}.part`
    try {
      const answer = await open()
      // Write to a new file: an existing one could have another mode.
      rmSync(part, { force: true })
      const target = createWriteStream(part, { flags: 'wx', mode: 0o600 })
      await pipeline(answer, byteProgress('downloading'), target, { signal }).catch(
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
    const manifest = await readManifest(file)
    const data = manifest?.data ?? null
    output.result({ file, bytes, data }, () => [`wrote ${file} (${formatBytes(bytes)})`])
    describeBackup(manifest, output)
    if (bytes > defaultRestoreBytes) {
      output.note(`  to restore it, set SERVICE_RESTORE_MAX_BYTES=${bytes} on the daemon`)
    }
  })
}

/** The default of SERVICE_RESTORE_MAX_BYTES. */
const defaultRestoreBytes = 4 * 2 ** 30

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
