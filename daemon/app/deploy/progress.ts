import type { Environment, Launch, Project, QueueEntry } from '../../domain/records.ts'
import type { BuildPlan, GitSource, Instance } from '../../ports.ts'
import type { Doer } from '../ground/audit-row.ts'
import type { Reservation } from '../run/admission.ts'

/** A deploy under way: what its steps have come to so far. */
export interface Progress {
  readonly entry: QueueEntry
  readonly project: Project
  readonly source: GitSource
  readonly doer: Doer
  /** Who holds the lease. */
  readonly owner: string
  readonly signal: AbortSignal
  readonly startedAt: number
  /** What an older deploy waits for, in MiB. */
  readonly aheadMb: () => number
  commitSha: string | null
  /** The release on disk, held. */
  release: string | null
  /** Whether this deploy wrote it, and removes it when it fails. */
  isReleaseOwn: boolean
  letGo: () => void
  plan: BuildPlan | null
  launch: Launch | null
  reservation: Reservation | null
  environment: Environment | null
  instance: Instance | null
  /** The version that was live when traffic moved. */
  old: Environment | null
}

/** What an earlier step has left; a plan that lacks that step is a bug. */
export function from<T>(value: T | null, step: string): T {
  if (value === null) throw new Error(`the step ${step} has not been done`)
  return value
}
