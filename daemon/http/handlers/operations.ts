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
  const { audit, stats, infra, keys } = useCases
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
      const text = metricsText(await stats.read(), counts)
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
