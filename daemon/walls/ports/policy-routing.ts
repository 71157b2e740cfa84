import { readFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { type PortRange, rangeText } from '../../domain/port-range.ts'
import { type Family, families, ip, type Rule, readDestinations, readRules } from './ip-program.ts'
import { type PortRules, WallFault } from './port-rules.ts'

/**
 * Priorities of the rules. All come before other programs' rules. The kernel's rule for local addresses, priority 0,
 * moves behind them. The rules `allow`, `refuse` and `skip` exist once for each range.
 */
const priority = { kernel: 0, allow: 1, refuse: 2, skip: 3, local: 4, end: 5 }

/** A table of `prohibit` routes for the addresses of this host. The number is arbitrary. */
const table = '1398034753'

const exists = /File exists/
const absent = /No such file or directory|No such process/

/**
 * Closes ports with the routing rules of iproute2, for hosts without `nft`. A connection to a closed port skips the
 * table of local addresses, unless root opens it on this host: `refuse` answers at once, and an address that is newer
 * than the table finds no local route. Connections to other hosts go the usual way.
 */
export function createPolicyRouting(): PortRules {
  return {
    name: 'policy routing',
    async close(range) {
      checkEphemeralPorts(range)
      for (const family of families()) await closeFamily(family, range)
    },
    async silence(port, uids) {
      for (const family of families())
        await ip(family, ['rule', 'add', ...silent(port, uids)], exists)
    },
    async unsilence(port, uids) {
      for (const family of families())
        await ip(family, ['rule', 'del', ...silent(port, uids)], absent)
    },
    async open(range) {
      for (const family of families()) {
        for (const level of ['skip', 'refuse', 'allow'] as const) {
          await ip(family, ['rule', 'del', ...ruleFor(level, range)], absent)
        }
      }
    },
    async isClosed(range) {
      for (const family of families()) {
        const rules = await readRules(family)
        const hasAll = ([1, 2, 3] as const).every((each) =>
          rules.some((rule) => rule.priority === each && isFor(rule, range)),
        )
        if (!hasAll || rules.some(isKernelRule) || !rules.some(isLocalRule)) return false
        await refuseAddresses(family)
      }
      return true
    },
  }
}

/** A kill between two commands leaves the host with a rule for local addresses: the kernel's rule goes last. */
async function closeFamily(family: Family, range: PortRange): Promise<void> {
  const rules = await readRules(family)
  checkForeignRules(rules)
  await refuseAddresses(family)
  const add = (...rule: readonly string[]) => ip(family, ['rule', 'add', ...rule], exists)
  await add(...ruleFor('allow', range))
  await add(...ruleFor('refuse', range))
  await add('pref', String(priority.end), ...keep, 'nop')
  await add(...ruleFor('skip', range))
  await add('pref', String(priority.local), ...keep, 'lookup', 'local')
  await ip(family, ['rule', 'del', 'pref', '0', 'lookup', 'local'], absent)
}

/** systemd-networkd removes rules of other programs, except those of the protocol `kernel`. */
const keep = ['protocol', 'kernel']

function ruleFor(level: 'allow' | 'refuse' | 'skip', range: PortRange): string[] {
  const ports = ['ipproto', 'tcp', 'dport', rangeText(range)]
  const rest = {
    allow: ['iif', 'lo', ...ports, 'uidrange', '0-0', 'lookup', 'local'],
    refuse: [...ports, 'lookup', table],
    skip: [...ports, 'goto', String(priority.end)],
  }
  return ['pref', String(priority[level]), ...keep, ...rest[level]]
}

/** Replies of these users find no route, once the kernel's rule for local addresses comes later. */
function silent(port: number, { from, to }: PortRange): string[] {
  const users = ['ipproto', 'tcp', 'sport', String(port), 'uidrange', `${from}-${to}`]
  return ['pref', String(priority.allow), ...keep, 'iif', 'lo', ...users, 'prohibit']
}

function isFor(rule: Rule, { from, to }: PortRange): boolean {
  const first = rule.dport_start ?? rule.dport
  const last = rule.dport_end ?? rule.dport
  return rule.ipproto === 'tcp' && first === from && last === to
}

const isKernelRule = (rule: Rule) => rule.priority === priority.kernel && rule.table === 'local'
const isLocalRule = (rule: Rule) => rule.priority === priority.local && rule.table === 'local'

/** Throws WallFault if another program uses the same priorities, or has moved the kernel's rule. */
function checkForeignRules(rules: readonly Rule[]): void {
  const foreign = rules.find((rule) => {
    if (rule.priority > priority.end || isKernelRule(rule) || isLocalRule(rule)) return false
    if (rule.priority === priority.end) return !('nop' in rule)
    return rule.priority === priority.kernel || rule.ipproto !== 'tcp'
  })
  if (foreign) {
    throw new WallFault(
      `another program has a routing rule of priority ${foreign.priority}: install nftables, or give that rule a priority above ${priority.end}`,
    )
  }
  if (!rules.some(isKernelRule) && !rules.some(isLocalRule)) {
    throw new WallFault('another program has moved the rule for local addresses: install nftables')
  }
}

/** Keeps the table of `prohibit` routes equal to the addresses of this host. */
async function refuseAddresses(family: Family): Promise<void> {
  const own = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter((each) => each.family === (family === '-4' ? 'IPv4' : 'IPv6'))
    .map(({ address }) => address)
    .filter((address) => !address.startsWith('127.'))
  const wanted = new Set(family === '-4' ? ['127.0.0.0/8', ...own] : ['::1', ...own])
  const present = await readDestinations(family, table)
  const route = (verb: string, address: string) =>
    ip(family, ['route', verb, 'prohibit', address, 'table', table], absent)
  for (const address of wanted) if (!present.includes(address)) await route('replace', address)
  for (const address of present) if (!wanted.has(address)) await route('del', address)
}

/**
 * Throws WallFault if outgoing connections may use a port of the range as their own: the rules would drop the replies.
 */
function checkEphemeralPorts(range: PortRange): void {
  const text = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8')
  const [first = 0, last = 0] = text.trim().split(/\s+/).map(Number)
  if (range.from > last || range.to < first) return
  throw new WallFault(
    `port ${rangeText(range)} is in the range ${first}-${last} of outgoing connections (ip_local_port_range): choose lower ports, or install nftables`,
  )
}
