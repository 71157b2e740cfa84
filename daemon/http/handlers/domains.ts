import { domainWire } from '../../api/domain-to-json.ts'
import type { HandlerDeps, Handlers } from '../call.ts'

type Names = 'addDomain' | 'retryDomain' | 'listDomains' | 'removeDomain'

export function domainHandlers({ useCases: { domains } }: HandlerDeps): Pick<Handlers, Names> {
  return {
    async addDomain({ params, body, actor }) {
      const { domain, branch = null } = body
      const added = await domains.add({ projectId: params.id, domain, branch }, actor)
      return { status: 201, body: domainWire(added) }
    },

    async retryDomain({ params, body }) {
      const tried = await domains.retry(params.id, body.domain)
      return { status: 200, body: domainWire(tried) }
    },

    async listDomains({ params }) {
      return { status: 200, body: (await domains.list(params.id)).map(domainWire) }
    },

    async removeDomain({ params, query, actor }) {
      await domains.remove(params.id, query.domain, actor)
      return { status: 204 }
    },
  }
}
