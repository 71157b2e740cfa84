import { createReadStream, createWriteStream, existsSync, rmSync, statSync } from 'node:fs'
import { link, rename, unlink } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { NoAnswerError } from '../../../daemon/client/errors.ts'
import { ClientError } from './client-error.ts'
import { codeOf } from './contexts.ts'
import { runWithDaemon } from './run.ts'
import type { CommonOptions } from './session.ts'
import { sizeOf } from './terminal/times.ts'

export interface BackupOptions extends CommonOptions {
  readonly force?: boolean
}

/** A backup begins when its snapshot is made. */
const beginMs = 600_000

/** `strata backup`: whole under its name, or not there; for its owner alone, as it holds the key. */
export function backup(named: string | undefined, options: BackupOptions): Promise<void> {
  return runWithDaemon(options, async ({ client, output, signal }) => {
    const file = named ?? defaultName(new Date())
    if (file === '-') {
      const answer = await client.open('createBackup', { signal, timeoutMs: beginMs })
      await pipeline(answer, process.stdout, { signal })
      return
    }
    if (!options.force && existsSync(file)) throw exists(file)
    const part = `${file}.part`
    try {
      const answer = await client.open('createBackup', { signal, timeoutMs: beginMs })
      await pipeline(answer, createWriteStream(part, { mode: 0o600 }), { signal }).catch(
        (error: unknown) => {
          throw answer.errored ? brokenOff(error) : error
        },
      )
      if (options.force) await rename(part, file)
      else await keep(part, file)
    } catch (error) {
      rmSync(part, { force: true })
      if (codeOf(error) === 'EEXIST') throw exists(file)
      throw 'code' in Object(error) ? cantWrite(file, error) : error
    }
    const bytes = statSync(file).size
    output.result({ file, bytes }, () => [`wrote ${file} (${sizeOf(bytes)})`])
    output.note('  it holds the key that opens every secret: keep it where only you can read it')
  })
}

/** `strata restore` */
export function restore(file: string, options: CommonOptions): Promise<void> {
  return runWithDaemon(options, async ({ client, output, signal }) => {
    const bytes = sizeOfFile(file)
    const body = createReadStream(file)
    const answer = await client.upload('stageRestore', body, { bytes, signal, timeoutMs: beginMs })
    output.result(answer.body, () => [
      'staged: the daemon takes it over when it starts next',
      '  strata daemon stop && strata daemon start',
    ])
  })
}

function defaultName(now: Date): string {
  const time = now.toISOString().slice(0, 19).replace('T', '-').replaceAll(':', '')
  return `strata-backup-${time}.tar`
}

/** Fails where the name has been taken meanwhile. */
async function keep(part: string, file: string): Promise<void> {
  await link(part, file)
  await unlink(part)
}

function exists(file: string): ClientError {
  return new ClientError(`${file} is there already`, {
    next: ['another name, or strata backup --force to replace it'],
  })
}

function cantWrite(file: string, cause: unknown): ClientError {
  return new ClientError(`${file} can't be written (${codeOf(cause)})`, { cause })
}

function brokenOff(cause: unknown): NoAnswerError {
  const why = cause instanceof Error ? cause.message : String(cause)
  return new NoAnswerError(`the backup broke off (${why})`, { isSent: true, cause })
}

function sizeOfFile(file: string): number {
  try {
    const found = statSync(file)
    if (found.isFile()) return found.size
  } catch (cause) {
    throw new ClientError(`${file} can't be read (${codeOf(cause)})`, { cause })
  }
  throw new ClientError(`${file} is no file`)
}
