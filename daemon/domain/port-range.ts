/** A range of TCP ports. */
export interface PortRange {
  readonly from: number
  /** Last port of the range, inclusive. */
  readonly to: number
}

export function isInRange(port: number, { from, to }: PortRange): boolean {
  return port >= from && port <= to
}

/** Returns the range as text: `21000-22999`, or `8080` for one port. */
export function rangeText({ from, to }: PortRange): string {
  return from === to ? String(from) : `${from}-${to}`
}
