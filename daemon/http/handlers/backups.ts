import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { DaemonError } from '../../errors.ts'
import { tooLarge } from '../body.ts'
import { answered, type HandlerDeps } from '../call.ts'
import type { Handlers } from './handlers.ts'

/** Past this silence the sender of a backup is taken for gone. */
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
      // A backup that breaks off has no end of its chunks: the receiver sees that it is not whole.
      await pipeline(body, res, { signal: closing }).catch(ignoreHangUp)
      return answered
    },

    async stageRestore({ actor, req }) {
      if (!settings.allowRestore) {
        throw new DaemonError('forbidden', 'restoring is off: set SERVICE_ALLOW_RESTORE=1')
      }
      const limit = settings.restoreMaxBytes
      if (Number(req.headers['content-length'] ?? 0) > limit) throw tooLarge(limit)
      req.setTimeout(silenceMs, () => req.destroy())
      const body = limited(req, limit)
      await backups.stageRestore(body, actor).catch((error: unknown) => {
        // What broke the stream says more than what its reader made of it.
        throw body.errored instanceof DaemonError ? body.errored : error
      })
      return { status: 202, body: { status: 'staged' } }
    },
  }
}

/** The bytes of `source` as they come; fails with `too-large` past the limit, and when the sender hangs up. */
function limited(source: Readable, limitBytes: number): Transform {
  let size = 0
  const body = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      done(size > limitBytes ? tooLarge(limitBytes) : null, chunk)
    },
  })
  // Not `pipeline`: the request must stay open for the answer.
  source.pipe(body)
  source.once('close', () => {
    if (!source.readableEnded) {
      body.destroy(new DaemonError('bad-request', 'the body ended before its time'))
    }
  })
  body.once('close', () => source.unpipe(body))
  return body
}

function ignoreHangUp(error: unknown): void {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code !== 'ERR_STREAM_PREMATURE_CLOSE' && code !== 'ABORT_ERR') throw error
}
