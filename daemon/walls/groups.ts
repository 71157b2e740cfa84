import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { DaemonError } from '../errors.ts'
import type { GroupEnd, GroupLimits, GroupUsage } from '../ports.ts'
import { type Controller, limitFiles, memoryFiles, outOfMemoryMb, usageOf } from './group-files.ts'
import { type GroupParent, nameOfParent, openParents, removeParents } from './group-parents.ts'
import { readHierarchies } from './hierarchies.ts'

/** Control groups, one for each app and each build. */
export interface Groups {
  /** Returns true if the kernel enforces the limits of a controller. */
  limits(controller: Controller): boolean
  /** Creates a group, or changes the limits of an existing one. */
  open(name: string, limits: GroupLimits): void
  /** Moves a process into a group. Its future children inherit the group. The kernel may need 20 ms. */
  enter(name: string, pid: number): Promise<void>
  /** Returns true if a process is in a group of this data folder. */
  contains(pid: number): boolean
  /** Prepares the kernel for moves into groups: for a quarter of a second they hardly wait. Best effort. */
  warm(): void
  names(): string[]
  members(name: string): number[]
  /** Returns undefined if the group does not exist. */
  usage(name: string): GroupUsage | undefined
  end(name: string): Promise<GroupEnd>
  /** Removes what no app uses. */
  close(): void
}

/** Time after `warm` in which a move into a group hardly waits. */
const warmMs = 250
/** Shorter than a grace period of the kernel's RCU, which ends the fast state. */
const warmIntervalMs = 6
/** Maximum time for killed processes to end. */
const exitTimeoutMs = 10_000

/**
 * Opens the control groups of a data folder. `file` keeps the places of the groups. Returns null if this host lets the
 * daemon write no hierarchy.
 */
export function openGroups(dataDir: string, file: string): Groups | null {
  const parents = openParents(dataDir, file)
  // The hierarchy that lists members: version 2 kills a whole group at once.
  const [first] = [...parents].sort((one, other) => other.version - one.version)
  return first ? createGroups(parents, first) : null
}

function createGroups(parents: readonly GroupParent[], first: GroupParent): Groups {
  const own = ownGroupFile()
  const name = nameOfParent(first)
  const folderIn = ({ folder }: GroupParent, group: string) => join(folder, checked(group))
  const parentOf = (controller: Controller) =>
    parents.find(({ controllers }) => controllers.includes(controller))

  let warmUntil = 0
  let isWarming = false

  async function keepWarm(): Promise<void> {
    if (own === undefined) return
    isWarming = true
    try {
      while (performance.now() < warmUntil) {
        await writeFile(own, String(process.pid))
        await wait(warmIntervalMs)
      }
    } finally {
      isWarming = false
    }
  }

  function members(group: string): number[] {
    const text = tryRead(join(folderIn(first, group), 'cgroup.procs'))
    return text.split('\n').filter(Boolean).map(Number)
  }

  /** A limit of 0 keeps a group from growing while its members are killed one by one. */
  function killMembers(group: string): void {
    const kill = join(folderIn(first, group), 'cgroup.kill')
    if (existsSync(kill)) {
      writeFileSync(kill, '1')
      return
    }
    const pids = parentOf('pids')
    if (pids) writeFileSync(join(folderIn(pids, group), 'pids.max'), '0')
    for (const pid of members(group)) sendKill(pid)
  }

  async function awaitEmpty(group: string): Promise<void> {
    const deadline = performance.now() + exitTimeoutMs
    for (let waitMs = 1; members(group).length > 0; waitMs = Math.min(waitMs * 2, 50)) {
      killMembers(group)
      if (members(group).length === 0) return
      if (performance.now() > deadline) {
        const pids = members(group).join(', ')
        throw new DaemonError('internal', `the processes ${pids} survive SIGKILL`)
      }
      await wait(waitMs)
    }
  }

  function readEnd(group: string): GroupEnd {
    const parent = parentOf('memory')
    if (!parent) return { outOfMemoryMb: null }
    const { events, limit } = memoryFiles[parent.version]
    const folder = folderIn(parent, group)
    const texts = [tryRead(join(folder, events)), tryRead(join(folder, limit))] as const
    return { outOfMemoryMb: outOfMemoryMb(...texts) }
  }

  /** The kernel counts the last process for some microseconds after its end. */
  async function removeFolder(folder: string): Promise<void> {
    for (let tries = 0; tries < 20; tries += 1) {
      try {
        return rmdirSync(folder)
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        if (code === 'ENOENT') return
        if (code !== 'EBUSY') throw error
        await wait(5)
      }
    }
  }

  return {
    limits: (controller) => parentOf(controller) !== undefined,
    open(group, limits) {
      for (const parent of parents) {
        const folder = folderIn(parent, group)
        mkdirSync(folder, { recursive: true })
        for (const controller of parent.controllers) {
          for (const each of limitFiles(parent.version, controller, limits)) {
            const path = join(folder, each.name)
            if (!each.isOptional || existsSync(path)) writeFileSync(path, each.value)
          }
        }
      }
    },
    async enter(group, pid) {
      const [slow = '', ...fast] = parents.map((each) =>
        join(folderIn(each, group), 'cgroup.procs'),
      )
      await writeFile(slow, String(pid))
      // The kernel waits once: the following moves take microseconds.
      for (const file of fast) writeFileSync(file, String(pid))
    },
    warm() {
      warmUntil = performance.now() + warmMs
      if (!isWarming) keepWarm().catch(() => {})
    },
    contains: (pid) => tryRead(`/proc/${pid}/cgroup`).includes(`/${name}/`),
    names: () => foldersIn(first.folder),
    members,
    usage(group) {
      const read = (parent: GroupParent | undefined, file: string) =>
        parent && tryRead(join(folderIn(parent, group), file))
      if (!existsSync(folderIn(first, group))) return undefined
      const memory = parentOf('memory')
      const cpu = parentOf('cpu')
      const { used, stat } = memoryFiles[memory?.version ?? 1]
      return usageOf({
        used: read(memory, used),
        stat: read(memory, stat),
        cpuStat: read(first.version === 2 ? first : undefined, 'cpu.stat'),
        cpuUsage: read(cpu?.version === 1 ? cpu : undefined, 'cpuacct.usage'),
      })
    },
    async end(group) {
      await awaitEmpty(group)
      const end = readEnd(group)
      for (const parent of parents) await removeFolder(folderIn(parent, group))
      return end
    },
    close: () => removeParents(parents),
  }
}

/**
 * Returns the list of processes of a group that already contains the daemon: a move to the same place changes nothing,
 * but makes the kernel ready for other moves.
 */
function ownGroupFile(): string | undefined {
  const files = readHierarchies().map(({ own }) => join(own, 'cgroup.procs'))
  return files.find((file) => tryRead(file).split('\n').includes(String(process.pid)))
}

function foldersIn(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
}

/** The name becomes the name of a folder. */
function checked(group: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(group)) return group
  throw new DaemonError('internal', `invalid group name ${JSON.stringify(group)}`)
}

function sendKill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Returns '' if the file does not exist or its process has ended. */
function tryRead(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
