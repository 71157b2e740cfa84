import { readFile } from 'node:fs/promises'
import type { Socket } from 'node:net'

/** Owner of a connection. `hidden`: the system does not reveal the owner, for example because it has no /proc. */
export type PeerOwner = 'own-user' | 'other-user' | 'hidden'

/**
 * Checks whether the other end of a connection on this machine belongs to the daemon's own user. Reads the kernel's
 * table of TCP sockets, so that clients cannot forge the answer. A peer that has closed its end counts as `other-user`.
 */
export async function findPeerOwner(socket: Socket): Promise<PeerOwner> {
  const ownUid = process.geteuid?.()
  // A host without IPv6 has no tcp6 table.
  const tables = await Promise.all([
    readFile('/proc/net/tcp', 'latin1').catch(() => undefined),
    readFile('/proc/net/tcp6', 'latin1').catch(() => ''),
  ])
  const [ipv4, ipv6] = tables
  if (ownUid === undefined || ipv4 === undefined || ipv6 === undefined) return 'hidden'
  return uidOfPeer(`${ipv4}\n${ipv6}`, socket) === ownUid ? 'own-user' : 'other-user'
}

/** Returns the owner of the peer's socket: its local address is this socket's remote address, and the reverse. */
function uidOfPeer(
  table: string,
  { localAddress, localPort, remoteAddress, remotePort }: Socket,
): number | undefined {
  if (!localAddress || !localPort || !remoteAddress || !remotePort) return undefined
  for (const line of table.split('\n')) {
    const [, local = '', remote = '', , , , , uid, , inode] = line.trim().split(/\s+/)
    // The kernel reports a socket that its process has closed with inode 0 and uid 0.
    if (inode === '0' || !hasPort(local, remotePort) || !hasPort(remote, localPort)) continue
    if (isAddress(local, remoteAddress) && isAddress(remote, localAddress)) return Number(uid)
  }
  return undefined
}

function hasPort(place: string, port: number): boolean {
  return Number.parseInt(place.split(':')[1] ?? '', 16) === port
}

/** Compares a hexadecimal address of the table, in the byte order of the machine, with a loopback address. */
function isAddress(place: string, address: string): boolean {
  const hex = place.split(':')[0] ?? ''
  const plain = address.toLowerCase().replace(/^::ffff:/, '')
  if (plain === '::1') return /^0{24}(01000000|00000001)$/.test(hex)
  const bytes = plain.split('.').map((part) => Number(part).toString(16).padStart(2, '0'))
  const word = hex.slice(-8).toLowerCase()
  const isIpv4 = hex.length === 8 || /^0{16}(FFFF0000|0000FFFF)/.test(hex)
  return isIpv4 && (word === bytes.join('') || word === bytes.toReversed().join(''))
}
