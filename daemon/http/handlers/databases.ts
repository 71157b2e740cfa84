import { pipeline } from 'node:stream/promises'
import { alreadySent, type HandlerDeps, type Handlers } from '../call.ts'
import { ignoreDisconnect, limitedBody, silenceMs } from './backups.ts'

type Names =
  | 'listDatabases'
  | 'readDatabaseUrl'
  | 'dumpDatabase'
  | 'restoreDatabase'
  | 'copyDatabase'

export function databaseHandlers({
  useCases: { databases },
  settings,
  closing,
}: HandlerDeps): Pick<Handlers, Names> {
  const replaced = (branch: string, trashId: number) =>
    ({ status: 200, body: { status: 'replaced', branch, trash_id: trashId } }) as const

  return {
    async listDatabases({ params }) {
      const found = await databases.list(params.id)
      const body = found.map(({ id, branch, kind, name, state, createdAt }) => ({
        ...{ id, branch, kind, name, state },
        created_at: new Date(createdAt).toISOString(),
      }))
      return { status: 200, body }
    },

    async readDatabaseUrl({ params, body: { branch }, actor }) {
      const url = await databases.url(params.id, branch, actor)
      return { status: 200, body: { branch, url: url.reveal() } }
    },

    async dumpDatabase({ params, query: { branch }, actor, res }) {
      const gone = new AbortController()
      res.once('close', () => gone.abort())
      const signal = AbortSignal.any([closing, gone.signal])
      const { fileName, body } = await databases.dump(params.id, branch, actor, signal)
      res.setHeader('Content-Type', 'application/octet-stream')
      res.setHeader('Content-Disposition', `attachment; filename="${fileName}"`)
      // On failure the response lacks its last chunk, so that the receiver detects the incomplete dump.
      await pipeline(body, res, { signal: closing }).catch(ignoreDisconnect)
      return alreadySent
    },

    async restoreDatabase({ params, query: { branch }, actor, req }) {
      req.setTimeout(silenceMs, () => req.destroy())
      req.once('end', () => req.setTimeout(0))
      const body = limitedBody(req, settings.restoreMaxBytes)
      const id = await databases
        .restore(params.id, branch, body, actor, closing)
        .catch((error: unknown) => {
          throw body.errored ?? error
        })
      return replaced(branch, id)
    },

    async copyDatabase({ params, body: { from, to }, actor }) {
      return replaced(to, await databases.copy(params.id, { from, to }, actor, closing))
    },
  }
}
