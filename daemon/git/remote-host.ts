import { isIP } from 'node:net'

/**
 * Returns the canonical spelling of a host: lower case, punycode, dotted decimal for IPv4 in any notation (decimal,
 * octal, hexadecimal, shortened), compressed IPv6 in brackets, no trailing dot. Undefined if the text is not a host.
 */
export function canonicalHost(text: string): string | undefined {
  // The URL parser would also accept ports, credentials and percent codes.
  if (/[\s/@%?#\\]/.test(text) || /^[^[]*:/.test(text) || text === '') return undefined
  const url = `https://${text}/`
  if (!URL.canParse(url)) return undefined
  const host = new URL(url).hostname.replace(/\.$/, '')
  return host.startsWith('[') || isName(host) ? host : undefined
}

/** Returns whether the host is this machine. Only such hosts may use plain HTTP. */
export function isLoopback(host: string): boolean {
  const address = ipv4Of(host)
  if (address) return address[0] === 127
  return host === '[::1]' || host === 'localhost' || host.endsWith('.localhost')
}

/**
 * Returns whether the host is a cloud metadata service, which serves machine credentials, or a link-local, unspecified
 * or multicast address. Also checks IPv4 inside IPv6. `host` must be canonical.
 */
export function isRefusedAddress(host: string): boolean {
  if (metadataNames.has(host)) return true
  const address = ipv4Of(host)
  if (address) return isRefusedIpv4(address)
  if (!host.startsWith('[')) return false
  const groups = ipv6Groups(host.slice(1, -1))
  const [first = 0, second = 0] = groups
  if ((first & 0xffc0) === 0xfe80 || (first & 0xff00) === 0xff00) return true
  if (first === 0xfd00 && second === 0x0ec2) return true
  return embeddedIpv4(groups).some(isRefusedIpv4)
}

type Ipv4 = readonly [number, number, number, number]

/** Names of the metadata services of Google Cloud and AWS. */
const metadataNames = new Set([
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'instance-data',
  'instance-data.ec2.internal',
])

function isRefusedIpv4([a, b, c, d]: Ipv4): boolean {
  return (
    a === 0 ||
    a >= 224 ||
    (a === 169 && b === 254) ||
    (a === 100 && b === 100 && c === 100 && d === 200) ||
    (a === 192 && b === 0 && c === 0 && d === 192)
  )
}

function ipv4Of(host: string): Ipv4 | undefined {
  if (isIP(host) !== 4) return undefined
  const [a = 0, b = 0, c = 0, d = 0] = host.split('.').map(Number)
  return [a, b, c, d]
}

/** Expands a compressed IPv6 address into eight numbers. The URL parser leaves no dotted parts. */
function ipv6Groups(text: string): number[] {
  const [before = '', after] = text.split('::')
  const numbers = (part: string) =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16))
  const start = numbers(before)
  if (after === undefined) return start
  const end = numbers(after)
  return [...start, ...Array(8 - start.length - end.length).fill(0), ...end]
}

/** Returns the IPv4 addresses inside an IPv6 address: mapped, compatible, translated (NAT64, RFC 2765) and 6to4. */
function embeddedIpv4(groups: readonly number[]): Ipv4[] {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = groups
  const isZero = a === 0 && b === 0 && c === 0 && d === 0
  const isLow = isZero && (e === 0 || e === 0xffff) && (f === 0 || f === 0xffff)
  // `::1` is loopback, not the IPv4 address 0.0.0.1.
  const isLoopbackIpv6 = isLow && e === 0 && f === 0 && g === 0 && h === 1
  const found: Ipv4[] = []
  if (isLow && !isLoopbackIpv6) found.push(bytes(g, h))
  if (a === 0x64 && b === 0xff9b) found.push(bytes(g, h))
  if (a === 0x2002) found.push(bytes(b, c))
  return found
}

function bytes(high: number, low: number): Ipv4 {
  return [high >> 8, high & 0xff, low >> 8, low & 0xff]
}

function isName(host: string): boolean {
  return (
    host.length <= 253 &&
    host.split('.').every((label) => /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label))
  )
}
