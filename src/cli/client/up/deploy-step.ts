import type { Environment, QueueEntry } from '../../../../daemon/client/contract.ts'

/** The progress of a deploy, derived from the queue and the environment. */
export type DeployStep =
  | { readonly kind: 'sent' }
  /** Waiting in the queue. `position` counts from 1. */
  | { readonly kind: 'queued'; readonly position: number }
  /** Waiting for an earlier deploy of the same branch. */
  | { readonly kind: 'blocked' }
  | { readonly kind: 'fetching' }
  | { readonly kind: 'building'; readonly environmentId: number; readonly commitSha: string }
  | { readonly kind: 'starting'; readonly environmentId: number; readonly commitSha: string }

/** API responses of one poll. */
export interface BranchSnapshot {
  readonly projectId: number
  readonly branch: string
  readonly queue: readonly QueueEntry[]
  /** The environment that the deploy has created, if any. */
  readonly environment: Environment | undefined
}

export function deployStep({ projectId, branch, queue, environment }: BranchSnapshot): DeployStep {
  const isOurs = (entry: QueueEntry) => entry.project_id === projectId && entry.branch === branch
  const waiting = queue.filter(({ state }) => state === 'waiting')
  const isRunning = queue.some((entry) => isOurs(entry) && entry.state === 'running')
  const index = waiting.findIndex(isOurs)
  if (index >= 0) return isRunning ? { kind: 'blocked' } : { kind: 'queued', position: index + 1 }
  if (environment?.state === 'building') {
    const { id: environmentId, branch } = environment
    const kind = environment.host_port === null ? 'building' : 'starting'
    return { kind, environmentId, commitSha: branch.commit_sha }
  }
  return { kind: isRunning ? 'fetching' : 'sent' }
}

/** Describes a step for the user. */
export function stepText(step: DeployStep): string {
  switch (step.kind) {
    case 'sent':
      return 'requesting the deploy'
    case 'queued':
      return `queued: position ${step.position}`
    case 'blocked':
      return 'queued: waiting for an earlier deploy of the branch'
    case 'fetching':
      return 'fetching the commit'
    case 'building':
      return `building ${step.commitSha.slice(0, 7)}`
    case 'starting':
      return `starting ${step.commitSha.slice(0, 7)}, waiting for a healthy answer`
  }
}
