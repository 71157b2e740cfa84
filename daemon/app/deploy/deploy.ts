import type { Environment, Launch, Project, QueueEntry } from '../../domain/records.ts'
import type { BuildPlan, GitSource, Instance } from '../../ports.ts'
import type { AuditActor } from '../ground/audit-row.ts'

/** One attempt at a queue entry. Each step takes the deploy and returns what the next step needs. */
export interface Deploy {
  readonly entry: QueueEntry
  readonly project: Project
  readonly source: GitSource
  readonly actor: AuditActor
  /** The daemon that holds the lease. */
  readonly owner: string
  readonly signal: AbortSignal
  readonly startedAt: number
  /** MiB that the oldest waiting deploy ahead of this one needs. */
  readonly aheadMb: () => number
  readonly residue: Residue
}

/** State that a failed deploy undoes and reports. Steps write it; only the failure handling reads it. */
export interface Residue {
  commitSha: string | null
  memoryMb: number
  environment: Environment | null
  /** Run in reverse order, and only if the deploy fails. */
  readonly undo: (() => void | Promise<void>)[]
  /** Run once, when the deploy has switched or failed. */
  releaseMemory: () => void
}

/** A release folder that pruning leaves alone until `unhold`. `name` is relative to the releases folder. */
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

/** The environment that serves now, and the one it replaced. */
export interface SwitchedRoute {
  readonly environment: Environment
  readonly old: Environment | null
}
