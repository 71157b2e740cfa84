/** A node as admission sees it, in MiB. */
export interface NodeRoom {
  readonly nodeId: number
  /** Takes new placements. */
  readonly isActive: boolean
  /** What apps may use in all: the host's memory less what is reserved. */
  readonly memoryMb: number
  /** What running apps and those about to run have. */
  readonly committedMb: number
}

export type Placement =
  | { readonly kind: 'placed'; readonly nodeId: number }
  /** It fits when others have gone. */
  | { readonly kind: 'wait' }
  /** It fits nowhere, however many go. */
  | { readonly kind: 'never'; readonly largestMb: number }

export interface Need {
  readonly memoryMb: number
  /** Where the version that it replaces is; it stays there where that can be. */
  readonly from: { readonly nodeId: number; readonly heldMb: number } | null
  /** What an older deploy waits for; younger ones leave that much free, so that it is not overtaken for ever. */
  readonly aheadMb: number
}

/**
 * Where an app goes. What its old version holds on a node counts as free there: the two share it for the moment of the
 * switch, or a full host could never be deployed to again.
 */
export function place(need: Need, nodes: readonly NodeRoom[]): Placement {
  const active = nodes.filter(({ isActive }) => isActive)
  const largestMb = Math.max(0, ...(active.length > 0 ? active : nodes).map((one) => one.memoryMb))
  if (nodes.length > 0 && need.memoryMb > largestMb) return { kind: 'never', largestMb }
  const fitting = active
    .map((node) => ({
      node,
      isHome: node.nodeId === need.from?.nodeId,
      freeMb: freeOn(node, need),
    }))
    .filter(({ freeMb }) => freeMb >= 0)
    .sort(
      (a, b) =>
        Number(b.isHome) - Number(a.isHome) || b.freeMb - a.freeMb || a.node.nodeId - b.node.nodeId,
    )
  const best = fitting[0]
  return best ? { kind: 'placed', nodeId: best.node.nodeId } : { kind: 'wait' }
}

/** What is left with the app on the node; below nothing when it doesn't fit. */
function freeOn(node: NodeRoom, need: Need): number {
  const heldMb = need.from?.nodeId === node.nodeId ? need.from.heldMb : 0
  const growthMb = Math.max(0, need.memoryMb - heldMb)
  if (growthMb === 0) return node.memoryMb
  return node.memoryMb - node.committedMb - need.aheadMb - growthMb
}
