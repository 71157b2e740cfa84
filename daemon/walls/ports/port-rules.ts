import type { PortRange } from '../../domain/port-range.ts'

/** Rules of the host's kernel that close TCP ports of this machine to every user but root, and to the network. */
export interface PortRules {
  /** Name for people: `nftables` or `policy routing`. */
  readonly name: string
  /** Closes a range. Idempotent. Throws WallFault if the host refuses. */
  close(range: PortRange): Promise<void>
  /** Removes the rules of a range. No-op without rules. */
  open(range: PortRange): Promise<void>
  /** Keeps users from answering on a port: nobody reaches what they listen with. Idempotent. */
  silence(port: number, uids: PortRange): Promise<void>
  /** Undoes `silence`. No-op without rules. */
  unsilence(port: number, uids: PortRange): Promise<void>
  /** Returns true if the rules of a range are complete. */
  isClosed(range: PortRange): Promise<boolean>
}

/** The reason why a wall does not stand, and advice. */
export class WallFault extends Error {}
