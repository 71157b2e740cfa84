import type { Node, Stats } from '../../../../client/contract.ts'

export interface NodeRow {
  readonly id: number
  readonly node: Node
  /** The node in the statistics of the daemon; undefined if it was registered a moment ago. */
  readonly use: Stats['nodes'][number] | undefined
}
