import type * as z from 'zod'
import type { DomainView } from '../app/ground/use-cases.ts'
import type * as domains from './domains.ts'

export function domainWire(view: DomainView): z.output<typeof domains.domain> {
  const { domain, state, expiresAt, renewsAt, records } = view
  return {
    id: domain.id,
    domain: domain.domain,
    branch: domain.branch,
    state,
    fault: domain.fault,
    next_try_at: domain.fault === null ? null : time(domain.tryAfter),
    certificate:
      expiresAt === null
        ? null
        : { expires_at: time(expiresAt), renews_at: renewsAt === null ? null : time(renewsAt) },
    dns: records.map((record) => ({ ...record })),
    created_at: time(domain.createdAt),
  }
}

function time(ms: number): string {
  return new Date(ms).toISOString()
}
