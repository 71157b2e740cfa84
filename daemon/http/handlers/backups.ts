import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { DaemonError } from '../../errors.ts'
import { alreadySent, type HandlerDeps, type Handlers } from '../call.ts'

/** Maximum stall of a sender before it is disconnected. */
export const silenceMs = 120_000

export function backupHandlers({
  useCases: { backups },
  settings,
  closing,
}: HandlerDeps): Pick<Handlers, 'createBackup' | 'stageRestore'> {
  return {
    async createBackup({ actor, query, res }) {
      const { fileName, body } = await backups.create({ withData: query.data === true }, actor)
      res.setHeader('Content-Type', 'application/x-tar')
      res.setHeader('Content-Disposition', `attachment; filename="${fileName}"`)
      // On failure the response lacks its last chunk, so that the receiver detects the incomplete backup.
      await pipeline(body, res, { signal: closing }).catch(ignoreDisconnect)
      return alreadySent
    },

    async stageRestore({ actor, req }) {
      if (!settings.allowRestore) {
        throw new DaemonError('forbidden', 'restoring is disabled: set SERVICE_ALLOW_RESTORE=1')
      }
      const limit = settings.restoreMaxBytes
      const announced = Number(req.headers['content-length'] ?? 0)
      if (announced > limit) throw tooLargeBackup(limit)
      req.setTimeout(silenceMs, () => req.destroy())
      // The check of a large backup takes minutes, in which no byte is sent.
      req.once('end', () => req.setTimeout(0))
      const body = limitedBody(req, limit)
      await backups.stageRestore(body, announced, actor).catch((error: unknown) => {
        // Report the error that broke the stream: the reader's error is only a consequence.
        throw body.errored instanceof DaemonError ? body.errored : error
      })
      return { status: 202, body: { status: 'staged' } }
    },
  }
}

/** Streams `source`. Fails with `too-large` above the limit and with `bad-request` if the sender disconnects. */
export function limitedBody(source: Readable, limitBytes: number): Transform {
  let size = 0
  const body = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      done(size > limitBytes ? tooLargeBackup(limitBytes) : null, chunk)
    },
  })
  // `pipeline` would destroy the request, which must stay open for the response.
  source.pipe(body)
  source.once('close', () => {
    if (!source.readableEnded) {
      body.destroy(new DaemonError('bad-request', 'the body broke off before its end'))
    }
  })
  body.once('close', () => source.unpipe(body))
  return body
}

function tooLargeBackup(limitBytes: number): DaemonError {
  return new DaemonError(
    'too-large',
    `the backup is larger than ${limitBytes} bytes: set SERVICE_RESTORE_MAX_BYTES to its size or more, and restart the daemon`,
  )
}

/** Ignores the error of a receiver that has disconnected. */
export function ignoreDisconnect(error: unknown): void {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code !== 'ERR_STREAM_PREMATURE_CLOSE' && code !== 'ABORT_ERR') throw error
}
