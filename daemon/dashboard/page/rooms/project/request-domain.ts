import type { Domain } from '../../../../client/contract.ts'
import { ResponseError } from '../../../../client/errors.ts'
import { api } from '../../state/api.ts'
import { reportChange } from '../../state/live.ts'
import { showToast } from '../../state/toasts.ts'
import { forgetWaiting, keepWaiting } from '../../state/waiting-domains.ts'

/** The daemon waits up to 30 s for DNS. */
const timeoutMs = 60_000

export interface RequestedDomain {
  readonly projectId: number
  readonly domain: string
  /** Empty: the default branch. */
  readonly branch: string
}

/** Registers a domain. Keeps it among the waiting ones, and throws, if it does not lead to the server yet. */
export async function requestDomain(requested: RequestedDomain): Promise<void> {
  const { projectId, domain, branch } = requested
  const body = { domain, ...(branch !== '' && { branch }) }
  try {
    const added = await api.call('addDomain', { params: { id: projectId }, body }, { timeoutMs })
    forgetWaiting(projectId, domain)
    reportChange('domains', 'audit')
    showToast(`${added.body.domain} is added.`, { tone: 'good' })
  } catch (error) {
    const refusal = dnsRefusalOf(error)
    if (refusal) keepWaiting({ ...requested, ...refusal, at: Date.now() })
    throw error
  }
}

/** Asks for the certificate of a registered domain now. */
export async function retryDomain(projectId: number, domain: string): Promise<void> {
  const input = { params: { id: projectId }, body: { domain } }
  await api.call('retryDomain', input, { timeoutMs })
  reportChange('domains')
  showToast(`The daemon asks for a certificate of ${domain} now.`, { tone: 'good' })
}

/** Returns why a domain was refused, and the records to set; undefined if it was refused for another reason. */
export function dnsRefusalOf(
  error: unknown,
): { readonly fault: string; readonly records: Domain['dns'] } | undefined {
  if (!(error instanceof ResponseError) || error.status !== 422) return undefined
  const { dns, fault } = Object(error.body) as { dns?: Domain['dns']; fault?: string }
  return Array.isArray(dns) ? { records: dns, fault: fault ?? error.message } : undefined
}
