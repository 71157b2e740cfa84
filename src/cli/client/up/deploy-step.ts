import type { Environment, QueueEntry } from '../../../../daemon/client/contract.ts'

/** How far a deploy has come, as far as the daemon tells. */
export type DeployStep =
  | { readonly kind: 'sent' }
  /** `position` counts from 1. */
  | { readonly kind: 'queued'; readonly position: number }
  /** An earlier deploy of the branch has to end first. */
  | { readonly kind: 'behind' }
  | { readonly kind: 'fetching' }
  | { readonly kind: 'building'; readonly environmentId: number; readonly commitSha: string }
  | { readonly kind: 'starting'; readonly environmentId: number; readonly commitSha: string }

/** What is known of a branch at one moment. */
export interface Facts {
  readonly projectId: number
  readonly branch: string
  readonly queue: readonly QueueEntry[]
  /** The branch's newest row, if it was not there before the deploy. */
  readonly row: Environment | undefined
}

/** The queue says whether a deploy waits, its row what it is at. */
export function deployStep({ projectId, branch, queue, row }: Facts): DeployStep {
  const isOurs = (entry: QueueEntry) => entry.project_id === projectId && entry.branch === branch
  const waiting = queue.filter(({ state }) => state === 'waiting')
  const isRunning = queue.some((entry) => isOurs(entry) && entry.state === 'running')
  const place = waiting.findIndex(isOurs)
  if (place >= 0) return isRunning ? { kind: 'behind' } : { kind: 'queued', position: place + 1 }
  if (row?.state === 'building') {
    const { id: environmentId, branch } = row
    const kind = row.host_port === null ? 'building' : 'starting'
    return { kind, environmentId, commitSha: branch.commit_sha }
  }
  return { kind: isRunning ? 'fetching' : 'sent' }
}

/** A step as a person reads it. */
export function stepText(step: DeployStep): string {
  switch (step.kind) {
    case 'sent':
      return 'asking for the deploy'
    case 'queued':
      return `queued: position ${step.position}`
    case 'behind':
      return 'queued: an earlier deploy of the branch is going on'
    case 'fetching':
      return 'fetching the commit'
    case 'building':
      return `building ${step.commitSha.slice(0, 7)}`
    case 'starting':
      return `starting ${step.commitSha.slice(0, 7)}, waiting until it answers`
  }
}
