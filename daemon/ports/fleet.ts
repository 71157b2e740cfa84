/** The port to the nodes that run apps. A node is an engine, or the daemon's own host. */

import type { Node } from '../domain/records.ts'
import type { Redacted } from './redacted.ts'

/** A node that a request describes. Its key is not sealed yet. */
export interface NodeDraft {
  readonly name: string
  readonly endpoint: string
  readonly address: string | null
  readonly tls: { readonly ca: string; readonly cert: string; readonly key: Redacted } | null
}

/** Memory and processors of a node. */
export interface NodeCapacity {
  readonly memoryBytes: number
  readonly cpuCount: number
}

/** The data of one branch. */
export interface BranchData {
  readonly projectId: number
  /** Absolute path of the branch's folder in the data folder. */
  readonly folder: string
}

export interface Fleet {
  /** Probes a node that is not registered yet. Throws `bad-request` with the reason, without certificates. */
  probe(draft: NodeDraft): Promise<void>
  /** Connects new and changed nodes, and forgets removed ones. Waits for no node that hangs. */
  refresh(): Promise<void>
  /** Probes a node, within seconds. Throws with the reason if the node does not respond. */
  capacity(node: Node): Promise<NodeCapacity>
  /** Returns the capacity of a node that responds, from memory if possible; undefined if the node does not respond. */
  room(node: Node): Promise<NodeCapacity | undefined>
  /** Adds a listener that is called when a node stops to respond, and when it responds again. */
  onChange(listener: () => void): void
  /** Returns true if both nodes keep the data of branches at the same place. */
  sharesData(one: Node, other: Node): boolean
  /** Brings what a release consists of to a node, such as its image. `folder` is the folder of the release. */
  prepare(folder: string, node: Node): Promise<void>
  /** Returns true if a node keeps data itself, because it does not see the data folder of the daemon. */
  keepsData(node: Node): boolean
  /** Returns true if a branch has files on a node; null: in the data folder. */
  hasData(data: BranchData, node: Node | null): Promise<boolean>
  /** Returns true if an environment had written no data when its node responded last. False if unknown. */
  isKnownEmpty(environmentId: number): boolean
  /**
   * Copies the data of a branch to another node and replaces what is there. The branch's apps must be stopped. `from` and
   * `to` are null for the data folder of the daemon.
   */
  copyData(data: BranchData, from: Node | null, to: Node | null): Promise<void>
  /**
   * Copies the data of a branch from a node into a new folder, as of one instant: its containers stand still meanwhile, for
   * minutes at most. Creates no folder if there is no data.
   */
  snapshotData(data: BranchData, node: Node, into: string, signal: AbortSignal): Promise<void>
  /** Replaces the data of a branch on a node by the content of a folder. Ends containers that use the old data. */
  loadData(data: BranchData, folder: string, node: Node): Promise<void>
  /** Returns the bytes of a project's data on nodes. Counts only nodes that respond. May be a minute old. */
  dataBytes(projectId: number): Promise<number>
  /** Removes the data of a branch from a node; null: from the data folder. No-op if absent. */
  removeData(data: BranchData, node: Node | null): Promise<void>
}
