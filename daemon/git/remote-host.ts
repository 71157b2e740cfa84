import { isIP } from 'node:net'

/**
 * The one spelling of a host: lower case, `xn--` for other alphabets, dotted decimal for IPv4 in any notation (decimal,
 * octal, hexadecimal, shortened), compressed IPv6 in brackets, no dot at the end. Undefined for what is no host.
 */
export function canonicalHost(text: string): string | undefined {
  // The parser of URLs takes more than hosts: ports, credentials, percent codes.
  if (/[\s/@%?#\\]/.test(text) || /^[^[]*:/.test(text) || text === '') return undefined
  const url = `https://${text}/`
  if (!URL.canParse(url)) return undefined
  const host = new URL(url).hostname.replace(/\.$/, '')
  return host.startsWith('[') || isName(host) ? host : undefined
}

/** True for this machine by any of its own names: the only hosts that plain HTTP may go to. */
export function isLoopback(host: string): boolean {
  const address = ipv4Of(host)
  if (address) return address[0] === 127
  return host === '[::1]' || host === 'localhost' || host.endsWith('.localhost')
}

/**
 * True for addresses where clouds keep the credentials of a machine, and for those that name no single other host:
 * link-local, unspecified, multicast; as IPv4, IPv6, and IPv4 inside IPv6. `host` as `canonicalHost` gives it.
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

/** AWS, Google Cloud and Alibaba by name; their addresses are link-local but for the last one's. */
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

/** The eight numbers of a compressed IPv6 address without dots in it (the parser of URLs leaves none). */
function ipv6Groups(text: string): number[] {
  const [before = '', after] = text.split('::')
  const numbers = (part: string) =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16))
  const start = numbers(before)
  if (after === undefined) return start
  const end = numbers(after)
  return [...start, ...Array(8 - start.length - end.length).fill(0), ...end]
}

/** IPv4 addresses that an IPv6 address leads to: mapped, compatible, translated (NAT64, RFC 2765) and 6to4. */
function embeddedIpv4(groups: readonly number[]): Ipv4[] {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = groups
  const isZero = a === 0 && b === 0 && c === 0 && d === 0
  const isLow = isZero && (e === 0 || e === 0xffff) && (f === 0 || f === 0xffff)
  // The address that is only this machine's is no IPv4 address in disguise.
  const isItself = isLow && e === 0 && f === 0 && g === 0 && h === 1
  const found: Ipv4[] = []
  if (isLow && !isItself) found.push(bytes(g, h))
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
