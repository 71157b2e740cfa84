/** Memory of a node, in MiB. */
export interface NodeRoom {
  readonly nodeId: number
  /** True if the node accepts new placements. */
  readonly isActive: boolean
  /** Memory available to all apps: the host's memory minus reservations. */
  readonly memoryMb: number
  /** Memory used by running and starting apps. */
  readonly committedMb: number
}

export type Placement =
  | { readonly kind: 'placed'; readonly nodeId: number }
  /** The app fits only after other apps stop. */
  | { readonly kind: 'wait' }
  /** The app fits no node, even an empty one. */
  | { readonly kind: 'never'; readonly largestMb: number }

export interface Need {
  readonly memoryMb: number
  /** Node and memory of the replaced version. The new version stays on that node if possible. */
  readonly from: { readonly nodeId: number; readonly heldMb: number } | null
  /** MiB to leave free for an older waiting deploy, to prevent its starvation. */
  readonly aheadMb: number
}

/**
 * Chooses the node of an app. The old version's memory counts as free, because both versions share it during the
 * switch. Otherwise no deploy would fit on a full host.
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

/** Returns the MiB left free on the node with the app; negative if the app does not fit. */
function freeOn(node: NodeRoom, need: Need): number {
  const heldMb = need.from?.nodeId === node.nodeId ? need.from.heldMb : 0
  const growthMb = Math.max(0, need.memoryMb - heldMb)
  if (growthMb === 0) return node.memoryMb
  return node.memoryMb - node.committedMb - need.aheadMb - growthMb
}
