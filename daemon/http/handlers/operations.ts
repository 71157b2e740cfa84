import { auditWire, infraWire, statsWire } from '../../api/records-to-json.ts'
import { alreadySent, type HandlerDeps, type Handlers } from '../call.ts'
import { metricsText } from '../metrics.ts'

type Names =
  | 'listAudit'
  | 'readStats'
  | 'readMetrics'
  | 'readInfraStatus'
  | 'bootstrapInfra'
  | 'rotateKey'

export function operationHandlers({ useCases, counts }: HandlerDeps): Pick<Handlers, Names> {
  const { audit, stats, infra, keys, usage, projects } = useCases
  return {
    async listAudit({ query, visible }) {
      const entries = await audit.list({
        limit: query.limit,
        ...(visible && { projectIds: visible }),
        ...(query.project_id !== undefined && { projectId: query.project_id }),
        ...(query.branch !== undefined && { branch: query.branch }),
        ...(query.kind && { kind: query.kind }),
        ...(query.since !== undefined && { since: query.since }),
        ...(query.until !== undefined && { until: query.until }),
      })
      return { status: 200, body: entries.map(auditWire) }
    },

    async readStats() {
      return { status: 200, body: statsWire(await stats.read()) }
    },

    async readMetrics({ res }) {
      const names = new Map((await projects.list(null)).map(({ id, name }) => [id, name]))
      // Totals of a deleted project stay in memory, and leave the metrics.
      const apps = (await usage.totals()).flatMap((total) => {
        const project = names.get(total.projectId)
        return project === undefined ? [] : [{ ...total, project }]
      })
      const text = metricsText(await stats.read(), counts, apps)
      res.setHeader('Content-Type', 'text/plain; version=0.0.4; charset=utf-8')
      res.end(text)
      return alreadySent
    },

    async readInfraStatus() {
      return { status: 200, body: infraWire(await infra.status()) }
    },

    async bootstrapInfra({ actor }) {
      return { status: 200, body: infraWire(await infra.bootstrap(actor)) }
    },

    async rotateKey({ actor }) {
      const { values } = await keys.rotate(actor)
      return { status: 200, body: { status: 'rotated', values } }
    },
  }
}
