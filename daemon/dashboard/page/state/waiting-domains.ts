import { signal } from '@preact/signals'
import type { Domain } from '../../../client/contract.ts'

/** A domain that the daemon has refused because it does not lead to the server yet. The daemon keeps no such domain. */
export interface WaitingDomain {
  readonly projectId: number
  readonly domain: string
  /** Empty: the default branch. */
  readonly branch: string
  readonly fault: string
  readonly records: Domain['dns']
  /** Time of the refusal. */
  readonly at: number
}

const maxWaiting = 100

/** The refused domains of this session, until the page is reloaded. */
export const waitingDomains = signal<readonly WaitingDomain[]>([])

export function keepWaiting(waiting: WaitingDomain): void {
  const { projectId, domain } = waiting
  waitingDomains.value = [...without(projectId, domain), waiting].slice(-maxWaiting)
}

export function forgetWaiting(projectId: number, domain: string): void {
  waitingDomains.value = without(projectId, domain)
}

function without(projectId: number, domain: string): readonly WaitingDomain[] {
  return waitingDomains
    .peek()
    .filter((each) => each.projectId !== projectId || each.domain !== domain)
}
