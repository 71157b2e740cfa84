import { descendantsOf, readListeners, socketsOf } from './listeners.ts'
import { type Family, membersOf } from './members.ts'

/**
 * Who listens on a port of 127.0.0.1: the app itself, somebody else; `unknown` where the host does not tell. An app that
 * shares its port with somebody else has not got it.
 */
export type PortOwner = 'app' | 'other' | 'unknown'

/** Looks at the app's first process and its descendants, then at whatever else belongs to the app. */
export async function findPortOwner(port: number, family: Family): Promise<PortOwner> {
  const listeners = readListeners()?.filter((each) => each.port === port && each.isReachable)
  if (!listeners || listeners.length === 0) return 'unknown'
  const missing = new Set(listeners.map(({ inode }) => inode))
  if (removeOwn(missing, descendantsOf(family.pid)) === 'hidden') return 'unknown'
  if (missing.size === 0) return 'app'
  const members = await membersOf(family)
  const seen = removeOwn(
    missing,
    members.map(({ pid }) => pid),
  )
  if (missing.size === 0) return 'app'
  return seen === 'hidden' ? 'unknown' : 'other'
}

/** A sentence's end on where the app listens instead; empty when it listens nowhere. */
export async function describeListening(port: number, family: Family): Promise<string> {
  const members = await membersOf(family)
  const own = new Set(members.flatMap(({ pid }) => [...(socketsOf(pid) ?? [])]))
  const listeners = (readListeners() ?? []).filter(({ inode }) => own.has(inode))
  const here = listeners.filter((each) => each.port === port)
  if (here.some(({ isReachable }) => isReachable)) return ''
  if (here.length > 0) {
    return '; it listens on an address that 127.0.0.1 does not reach: let it listen on 0.0.0.0 or 127.0.0.1'
  }
  const [other] = listeners
  return other ? `; it listens on port ${other.port}: let it listen on the port in PORT` : ''
}

function removeOwn(inodes: Set<string>, pids: readonly number[]): 'seen' | 'hidden' {
  let seen: 'seen' | 'hidden' = 'seen'
  for (const pid of pids) {
    const sockets = socketsOf(pid)
    if (!sockets) seen = 'hidden'
    for (const inode of sockets ?? []) inodes.delete(inode)
  }
  return seen
}
