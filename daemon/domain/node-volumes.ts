/**
 * Suffix of a volume whose data belongs on a node: in a backup, and in the data folder after a restore until the node has
 * the data. Volumes of branches end with 12 hexadecimal digits, so that none has this suffix.
 */
export const nodeVolumeSuffix = '-node'

/** Returns the volume of a branch whose data on a node has this name; undefined for another name. */
export function volumeOnNode(name: string): string | undefined {
  return name.endsWith(nodeVolumeSuffix) ? name.slice(0, -nodeVolumeSuffix.length) : undefined
}
