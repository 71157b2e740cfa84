import type { Environment, Launch, Project, QueueEntry } from '../../domain/records.ts'
import type { BuildPlan, GitSource, Instance } from '../../ports.ts'
import type { AuditActor } from '../ground/audit-row.ts'
import type { DataMove } from '../run/data-moves.ts'

/** One attempt at a queued deploy. Each step takes the deploy and returns the input of the next step. */
export interface Deploy {
  readonly entry: QueueEntry
  readonly project: Project
  readonly source: GitSource
  readonly actor: AuditActor
  /** Id of the daemon that holds the lease. */
  readonly owner: string
  readonly signal: AbortSignal
  readonly startedAt: number
  /** MiB to leave free for the waiting deploy ahead of this one. */
  readonly aheadMb: () => number
  /** Ends the turn of the project: call when the memory is reserved. */
  readonly admitted: () => void
  /** Frees the deploy's slot. The rest of the deploy waits, and takes little CPU time. */
  readonly leaveSlot: () => void
  readonly residue: Residue
}

/** State that the failure handling undoes and reports. Each step adds its part. */
export interface Residue {
  commitSha: string | null
  memoryMb: number
  environment: Environment | null
  /** Undo actions, run in reverse order if the deploy fails. */
  readonly undo: (() => void | Promise<void>)[]
  /** The move of the branch's data to the node of the new version. */
  move?: DataMove
  /** Cleanup actions, run once when the deploy has succeeded or failed. */
  releaseMemory: () => void
}

/** A release folder protected from pruning until `unhold`. `name` is relative to the releases folder. */
export type Release = KeptRelease | Checkout

/** The built release of an earlier deploy of the same commit. */
export interface KeptRelease extends HeldRelease {
  readonly kind: 'kept'
}

/** The source files of a commit, not built yet. */
export interface Checkout extends HeldRelease {
  readonly kind: 'checkout'
  readonly plan: BuildPlan
}

interface HeldRelease {
  readonly commitSha: string
  readonly name: string
  readonly launch: Launch
  readonly unhold: () => void
}

export interface StartedApp {
  readonly environment: Environment
  readonly instance: Instance
}

/** The environment that serves now, and the environment it replaced. */
export interface SwitchedRoute {
  readonly environment: Environment
  readonly old: Environment | null
}
