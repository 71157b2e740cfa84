/**
 * The port to the system that runs apps: processes of this host, containers of a Docker engine, or a cluster. It speaks
 * of releases, replicas, ready endpoints, limits and data. It contains no process id.
 */

import type { Endpoint } from '../domain/endpoints.ts'
import type { Launch } from '../domain/records.ts'
import type { Redacted } from './redacted.ts'

/** Runs apps. An app has the desired number of replicas 0 (stopped) or 1; the types allow more. */
export interface Runtime {
  /**
   * Scales an app to one replica. Resolves when the replica exists, before it responds. Adopts a running replica of the
   * same name. May reuse what `stop` retained, if the specification is unchanged.
   */
  start(app: AppSpec): Promise<Instance>
  /** Returns the apps that have a replica, by name, including apps of a previous daemon. */
  list(): Promise<ReadonlyMap<string, Instance>>
  /**
   * Scales an app to zero: asks it to end, and ends it after `graceMs`. Resolves when the app holds no memory and its
   * output is in the log. The runtime may retain what makes the next start faster. No-op if absent.
   */
  stop(name: string, graceMs: number): Promise<void>
  /** Stops an app and removes what the runtime retains of it. The data of its branch stays. No-op if absent. */
  remove(name: string, graceMs: number): Promise<void>
  /** Adds a listener, which is called once for each replica that ends without `stop` or `remove`. */
  onExit(listener: (exit: InstanceExit) => void): void
  /**
   * Waits for the roll-out: resolves when the health path responds at the app's endpoint. Throws `unprocessable` with
   * the reason if the app exits or `timeoutMs` passes.
   */
  awaitHealthy(
    instance: Instance,
    health: { path: string | null; timeoutMs: number },
    signal: AbortSignal,
  ): Promise<void>
  /** Returns the node's memory and CPU cores. Throws if the node does not respond. */
  capacity(): Promise<{ memoryBytes: number; memoryFreeBytes: number; cpuCount: number }>
}

/** The desired state of an app: a release with its settings, secrets, limits and data. */
export interface AppSpec {
  /** Name of the app: see `instanceName`. */
  readonly name: string
  readonly environmentId: number
  /** The process of the environment that this is; absent for the web process. */
  readonly process?: string
  readonly projectId: number
  /** Node that runs the app; absent: the daemon's own host. */
  readonly nodeId?: number
  /** Absolute path of the release: the built files, or the description of an image that the builder wrote. */
  readonly folder: string
  /** Absolute path of the branch's persistent folder on this host, which names the volume on another one; absent: no data. */
  readonly volume?: string
  /** Start command, health check and limits. */
  readonly launch: Launch
  /** The complete environment of the app, including secrets. */
  readonly env: Readonly<Record<string, Redacted | string>>
}

/** A replica of an app. */
export interface Instance {
  /** Name of the app: see `instanceName`. */
  readonly name: string
  readonly environmentId: number
  /** The process of the environment that this is; absent for the web process. */
  readonly process?: string
  /** Name by which an operator finds the replica on its node: the process group or the container. */
  readonly containerName: string
  /** Addresses at which the replica accepts connections; the first one serves. */
  readonly endpoints: readonly [Endpoint, ...Endpoint[]]
  readonly startedAt: number
}

/** The end of a replica and its reason. */
export interface InstanceExit {
  readonly name: string
  readonly environmentId: number
  readonly process?: string
  readonly code: number | null
  readonly signal: string | null
  /** The rule that the app broke, if the runtime ended it for that. Such an app is not started again by itself. */
  readonly misuse?: string
  /** The memory limit in MiB, if the kernel ended a process of the app for it. */
  readonly outOfMemoryMb?: number
}
