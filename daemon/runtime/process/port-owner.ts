import type { AppIdentity, AppProcesses } from './app-processes.ts'
import { descendantsOf, readListeners, socketsOf } from './listeners.ts'

/**
 * Owner of a listening port on 127.0.0.1: the app or another program; `unknown` if the host hides it. A port shared
 * with another program counts as `other`.
 */
export type PortOwner = 'app' | 'other' | 'unknown'

/** Checks the leader and its descendants first, then the app's other processes, which takes longer. */
export async function findPortOwner(
  port: number,
  identity: AppIdentity,
  processes: AppProcesses,
): Promise<PortOwner> {
  const listeners = readListeners()?.filter((each) => each.port === port && each.isReachable)
  if (!listeners || listeners.length === 0) return 'unknown'
  const unowned = new Set(listeners.map(({ inode }) => inode))
  if (removeSocketsOf(unowned, descendantsOf(identity.pid)) === 'hidden') return 'unknown'
  if (unowned.size === 0) return 'app'
  const found = await processes.find(identity)
  const seen = removeSocketsOf(
    unowned,
    found.map(({ pid }) => pid),
  )
  if (unowned.size === 0) return 'app'
  return seen === 'hidden' ? 'unknown' : 'other'
}

/** Returns the end of an error message: the port where the app listens instead, or '' if it listens on no port. */
export async function describeListening(
  port: number,
  identity: AppIdentity,
  processes: AppProcesses,
): Promise<string> {
  const found = await processes.find(identity)
  const ownInodes = new Set(found.flatMap(({ pid }) => [...(socketsOf(pid) ?? [])]))
  const listeners = (readListeners() ?? []).filter(({ inode }) => ownInodes.has(inode))
  const onPort = listeners.filter((each) => each.port === port)
  if (onPort.some(({ isReachable }) => isReachable)) return ''
  if (onPort.length > 0) {
    return '; the app listens on an address that 127.0.0.1 does not reach: make it listen on 0.0.0.0 or 127.0.0.1'
  }
  const [other] = listeners
  return other ? `; the app listens on port ${other.port}: make it listen on the port in PORT` : ''
}

function removeSocketsOf(inodes: Set<string>, pids: readonly number[]): 'seen' | 'hidden' {
  let seen: 'seen' | 'hidden' = 'seen'
  for (const pid of pids) {
    const sockets = socketsOf(pid)
    if (!sockets) seen = 'hidden'
    for (const inode of sockets ?? []) inodes.delete(inode)
  }
  return seen
}
