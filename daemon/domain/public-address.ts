import { BlockList, isIP } from 'node:net'

const ranges: readonly (readonly [network: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
  // Unspecified, loopback, and IPv4 inside IPv6: compatible, mapped, translated, Teredo and 6to4.
  ['::', 96],
  ['::ffff:0:0', 96],
  ['::ffff:0:0:0', 96],
  ['64:ff9b::', 32],
  ['2001::', 32],
  // Of examples in documents.
  ['2001:db8::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
]

/** A list for each version: a list of both takes each IPv4 address for its form inside IPv6. */
const notPublic = { ipv4: new BlockList(), ipv6: new BlockList() }
for (const [network, prefix] of ranges) {
  const version = network.includes(':') ? 'ipv6' : 'ipv4'
  notPublic[version].addSubnet(network, prefix, version)
}

/** Returns true if an IP address belongs to the public internet, and not to this host, its network or a cloud's own. */
export function isPublicAddress(address: string): boolean {
  const plain = address.replace(/%.*$/, '')
  if (isIP(plain) === 0) return false
  const version = isIP(plain) === 6 ? 'ipv6' : 'ipv4'
  return !notPublic[version].check(plain, version)
}
