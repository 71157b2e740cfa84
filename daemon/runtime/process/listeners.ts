import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, readSync } from 'node:fs'

/** A listening TCP socket, from the kernel's tables. */
export interface Listener {
  readonly port: number
  readonly isIpv6: boolean
  /** True if the socket accepts connections to 127.0.0.1. */
  readonly isReachable: boolean
  readonly inode: string
  /** User that created the socket. */
  readonly uid: number
}

const blockBytes = 65_536
const listening = '0A'

/** Returns all listening TCP sockets of this host, or undefined if /proc/net is unreadable. */
export function readListeners(): Listener[] | undefined {
  try {
    return [
      ...parse(readListening('/proc/net/tcp'), false),
      ...parse(readListening('/proc/net/tcp6'), true),
    ]
  } catch {
    return undefined
  }
}

/** Returns the inodes of a process's open sockets, or undefined if the process's descriptors are unreadable. */
export function socketsOf(pid: number): Set<string> | undefined {
  try {
    const folder = `/proc/${pid}/fd`
    const targets = readdirSync(folder).map((descriptor) => tryReadlink(`${folder}/${descriptor}`))
    return new Set(targets.flatMap((target) => /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? []))
  } catch {
    return undefined
  }
}

/** Returns the pid and the pids of all living descendants. */
export function descendantsOf(pid: number): number[] {
  const children = tryReadText(`/proc/${pid}/task/${pid}/children`).trim()
  if (children === '') return [pid]
  return [pid, ...children.split(' ').map(Number).flatMap(descendantsOf)]
}

function parse(text: string, isIpv6: boolean): Listener[] {
  return text.split('\n').flatMap((line) => {
    const [, local = '', , state, , , , uid, , inode = ''] = line.trim().split(/\s+/)
    if (state !== listening) return []
    const [address = '', port = ''] = local.split(':')
    const isReached = isReachable(address)
    return [
      { port: Number.parseInt(port, 16), isIpv6, isReachable: isReached, inode, uid: Number(uid) },
    ]
  })
}

/** Matches the hexadecimal wildcard and loopback addresses, IPv4 or IPv4-mapped, in either byte order. */
function isReachable(address: string): boolean {
  return /^(0{8}|0100007F|7F000001|0{32}|0{16}(FFFF0000|0000FFFF)(0{8}|0100007F|7F000001))$/.test(
    address,
  )
}

/** Reads only the listening sockets, which come first in the file: a host may have many connections. */
function readListening(path: string): string {
  const file = openSync(path, 'r')
  try {
    let text = ''
    for (const block = Buffer.alloc(blockBytes); ; ) {
      const length = readSync(file, block)
      text += block.toString('latin1', 0, length)
      if (length === 0 || hasOtherState(text)) return text
    }
  } finally {
    closeSync(file)
  }
}

function hasOtherState(text: string): boolean {
  const lines = text.slice(0, text.lastIndexOf('\n')).split('\n').slice(1)
  const last = lines.at(-1)
  return last !== undefined && last.trim().split(/\s+/)[3] !== listening
}

function tryReadlink(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}

function tryReadText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
