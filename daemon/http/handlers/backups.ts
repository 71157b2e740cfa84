import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { DaemonError } from '../../errors.ts'
import { tooLarge } from '../body.ts'
import { alreadySent, type HandlerDeps, type Handlers } from '../call.ts'

/** Maximum stall of a sender before it is disconnected. */
const silenceMs = 120_000

export function backupHandlers({
  useCases: { backups },
  settings,
  closing,
}: HandlerDeps): Pick<Handlers, 'createBackup' | 'stageRestore'> {
  return {
    async createBackup({ actor, res }) {
      const { fileName, body } = await backups.create(actor)
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
      if (Number(req.headers['content-length'] ?? 0) > limit) throw tooLarge(limit)
      req.setTimeout(silenceMs, () => req.destroy())
      const body = limited(req, limit)
      await backups.stageRestore(body, actor).catch((error: unknown) => {
        // Report the error that broke the stream: the reader's error is only a consequence.
        throw body.errored instanceof DaemonError ? body.errored : error
      })
      return { status: 202, body: { status: 'staged' } }
    },
  }
}

/** Streams `source`. Fails with `too-large` above the limit and with `bad-request` if the sender disconnects. */
function limited(source: Readable, limitBytes: number): Transform {
  let size = 0
  const body = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      done(size > limitBytes ? tooLarge(limitBytes) : null, chunk)
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

function ignoreDisconnect(error: unknown): void {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code !== 'ERR_STREAM_PREMATURE_CLOSE' && code !== 'ABORT_ERR') throw error
}
