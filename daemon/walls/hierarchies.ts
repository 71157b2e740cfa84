import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** A mounted hierarchy of control groups, and the daemon's own group in it. */
export interface Hierarchy {
  readonly version: 1 | 2
  readonly controllers: readonly string[]
  /** Top folder of the part of the hierarchy that is visible here. */
  readonly top: string
  /** Folder of the daemon's own group. */
  readonly own: string
}

/** Returns the mounted hierarchies. Each controller is in one of them; version 2 may exist without controllers. */
export function readHierarchies(proc = '/proc/self'): Hierarchy[] {
  const groups = readFileSync(join(proc, 'cgroup'), 'utf8').trim().split('\n')
  const mounts = readFileSync(join(proc, 'mountinfo'), 'utf8').trim().split('\n').map(parseMount)
  return groups.flatMap((line): Hierarchy[] => {
    const [, names = '', path = '/'] = /^\d+:([^:]*):(.*)$/.exec(line) ?? []
    const version = names === '' ? 2 : 1
    const controllers = names.split(',').filter((name) => name !== '' && !name.includes('='))
    const mount = mounts.find(({ type, options }) =>
      version === 2 ? type === 'cgroup2' : type === 'cgroup' && includesAll(options, controllers),
    )
    if (!mount || (version === 1 && controllers.length === 0)) return []
    const inside = relative(mount.root, path)
    const own = inside.startsWith('..') ? mount.point : join(mount.point, inside)
    const isVisible = existsSync(own)
    return [{ version, controllers, top: mount.point, own: isVisible ? own : mount.point }]
  })
}

interface Mount {
  readonly root: string
  readonly point: string
  readonly type: string
  readonly options: readonly string[]
}

/** Parses a line of /proc/self/mountinfo, see proc(5). */
function parseMount(line: string): Mount {
  const [before = '', after = ''] = line.split(' - ')
  const [, , , root = '/', point = ''] = before.split(' ')
  const [type = '', , options = ''] = after.split(' ')
  return { root: unescaped(root), point: unescaped(point), type, options: options.split(',') }
}

/** The kernel writes spaces and backslashes as octal numbers. */
function unescaped(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, digits) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  )
}

function includesAll(options: readonly string[], names: readonly string[]): boolean {
  return names.every((name) => options.includes(name))
}
