import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import * as z from 'zod'
import { type Controller, controllerNames } from './group-files.ts'
import { type Hierarchy, readHierarchies } from './hierarchies.ts'

const schema = z.object({
  version: z.union([z.literal(1), z.literal(2)]),
  controllers: z.array(z.enum(['memory', 'cpu', 'pids'])),
  folder: z.string(),
})

/** A folder for the daemon's groups in one hierarchy. */
export type GroupParent = z.infer<typeof schema>

const fileSchema = z.object({
  bootId: z.string(),
  dataDir: z.string(),
  parents: z.array(schema).min(1),
})

/**
 * Returns the parents of the daemon's groups, one for each hierarchy that this host lets the daemon write. The next
 * daemon of the data folder uses the same parents until the next boot, because the groups of running apps are there.
 * A moved data folder keeps its parents, a copied one gets its own. `file` keeps the places.
 */
export function openParents(dataDir: string, file: string): readonly GroupParent[] {
  const name = `strata-${createHash('sha256').update(dataDir).digest('hex').slice(0, 12)}`
  const bootId = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  const previous = readPrevious(file, bootId, dataDir)
  if (previous) return previous
  const parents = readHierarchies().flatMap((hierarchy) => createParent(hierarchy, name) ?? [])
  writeFileSync(`${file}.part`, JSON.stringify({ bootId, dataDir, parents }), { mode: 0o600 })
  renameSync(`${file}.part`, file)
  return parents
}

/** Removes the parents. A parent with groups stays. */
export function removeParents(parents: readonly GroupParent[]): void {
  for (const { folder } of parents) {
    try {
      rmdirSync(folder)
    } catch {
      // Expected: apps outlive the daemon.
    }
  }
}

/** Returns the name of the parents, which is unique for a data folder on this host. */
export function nameOfParent({ folder }: GroupParent): string {
  return basename(folder)
}

function readPrevious(
  file: string,
  bootId: string,
  dataDir: string,
): readonly GroupParent[] | undefined {
  try {
    const read = fileSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
    const isUsable =
      read.bootId === bootId &&
      (read.dataDir === dataDir || !existsSync(read.dataDir)) &&
      read.parents.every(({ folder }) => statSync(folder).isDirectory())
    return isUsable ? read.parents : undefined
  } catch {
    return undefined
  }
}

function createParent(hierarchy: Hierarchy, name: string): GroupParent | undefined {
  try {
    return hierarchy.version === 1 ? createV1(hierarchy, name) : createV2(hierarchy, name)
  } catch {
    return undefined
  }
}

function createV1({ own, controllers }: Hierarchy, name: string): GroupParent | undefined {
  const used = controllerNames.filter((controller) => controllers.includes(controller))
  if (used.length === 0) return undefined
  const folder = join(own, name)
  mkdirSync(folder, { recursive: true })
  return { version: 1, controllers: used, folder }
}

/**
 * A group with processes can't have limited children. The parent is therefore a sibling of the daemon's own group; in
 * the top group of a container, the processes move to a group of their own first.
 */
function createV2({ own, top }: Hierarchy, name: string): GroupParent {
  const base = own === top ? top : dirname(own)
  const isRoot = !existsSync(join(base, 'cgroup.events'))
  if (own === top && !isRoot) moveProcesses(own, join(own, 'strata-daemon'))
  const folder = join(base, name)
  mkdirSync(folder, { recursive: true })
  enable(base)
  return { version: 2, controllers: enable(folder), folder }
}

function moveProcesses(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  for (const pid of readWords(join(from, 'cgroup.procs'))) {
    try {
      writeFileSync(join(to, 'cgroup.procs'), pid)
    } catch {
      // The process has ended.
    }
  }
}

/** Enables the available controllers for the children of a group. Returns the enabled ones. */
function enable(folder: string): Controller[] {
  const available = readWords(join(folder, 'cgroup.controllers'))
  const control = join(folder, 'cgroup.subtree_control')
  for (const name of controllerNames.filter((each) => available.includes(each))) {
    try {
      writeFileSync(control, `+${name}`)
    } catch {
      // The controller stays off: its limit is reported as missing.
    }
  }
  const enabled = readWords(control)
  return controllerNames.filter((name) => enabled.includes(name))
}

function readWords(file: string): string[] {
  return readFileSync(file, 'utf8')
    .split(/\s+/)
    .filter((word) => word !== '')
}
