import type { Request } from 'express'
import { auditWire, environmentWire } from '../../api/records-to-json.ts'
import type { Environment, Project } from '../../domain/records.ts'
import { DaemonError } from '../../errors.ts'
import type { LogLine } from '../../ports.ts'
import { alreadySent, type HandlerDeps, type Handlers } from '../call.ts'
import { type ServerEvent, sendEvents } from '../event-stream.ts'

type Names =
  | 'listProjectEnvironments'
  | 'findEnvironment'
  | 'listLiveEnvironments'
  | 'destroyEnvironment'
  | 'pauseEnvironment'
  | 'wakeEnvironment'
  | 'readLogs'
  | 'followLogs'
  | 'listEnvironmentAudit'

export function environmentHandlers(deps: HandlerDeps): Pick<Handlers, Names> {
  const { environments, projects, audit } = deps.useCases
  const wire = (environment: Environment, project: Project | undefined) =>
    environmentWire(environment, project, deps.settings.publicPort)

  return {
    async listProjectEnvironments({ params, query }) {
      const project = await projects.find(params.id)
      const list = await environments.list(params.id, query.branch)
      return { status: 200, body: list.map((environment) => wire(environment, project)) }
    },

    async findEnvironment({ params }) {
      const environment = await environments.find(params.id)
      const [project] = await projects.list([environment.projectId])
      return { status: 200, body: wire(environment, project) }
    },

    async listLiveEnvironments({ query }) {
      const list = await environments.listLive(query.node)
      const byId = new Map((await projects.list(null)).map((project) => [project.id, project]))
      const body = list.map((environment) => wire(environment, byId.get(environment.projectId)))
      return { status: 200, body }
    },

    async destroyEnvironment({ params, query, actor }) {
      const { purge_secrets: purgeSecrets = false, purge_data: purgeData = false } = query
      await environments.destroy(params.id, { purgeSecrets, purgeData }, actor)
      return { status: 204 }
    },

    async pauseEnvironment({ params, actor }) {
      await environments.pause(params.id, actor)
      return { status: 204 }
    },

    async wakeEnvironment({ params, actor }) {
      await environments.wake(params.id, actor)
      return { status: 204 }
    },

    async readLogs({ params, query }) {
      const lines = await environments.logs(params.id, query.lines, query.process)
      return { status: 200, body: { logs: lines.map(({ line }) => line).join('\n') } }
    },

    async followLogs({ params, query, actor, req, res }) {
      const afterId = lastEventId(req)
      await environments.logOf(params.id, query.process)
      const signal = deps.streams.open(actor.principal, res)
      const lines = environments.followLogs(params.id, afterId, signal, {
        newest: query.lines,
        process: query.process,
      })
      await sendEvents(res, toEvents(lines, query.process), { clock: deps.clock, signal })
      return alreadySent
    },

    async listEnvironmentAudit({ params, query }) {
      await environments.find(params.id)
      const entries = await audit.list({
        environmentId: params.id,
        limit: query.limit,
        ...(query.kind && { kind: query.kind }),
        ...(query.since !== undefined && { since: query.since }),
        ...(query.until !== undefined && { until: query.until }),
      })
      return { status: 200, body: entries.map(auditWire) }
    },
  }
}

async function* toEvents(
  lines: AsyncIterable<LogLine>,
  process: string | undefined,
): AsyncIterable<ServerEvent> {
  for await (const { id, ts, stream, line } of lines) {
    // JSON leaves out an undefined process.
    yield { id, data: JSON.stringify({ ts, stream, process, line }) }
  }
}

/** Returns the event id after which the stream resumes; `null` starts with the last lines. */
function lastEventId({ headers }: Request): number | null {
  const text = headers['last-event-id']
  if (text === undefined || text === '') return null
  const id = typeof text === 'string' && /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  if (Number.isSafeInteger(id)) return id
  throw new DaemonError(
    'bad-request',
    'invalid Last-Event-ID: expected the id of an event of this stream',
  )
}
