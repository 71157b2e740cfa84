import { chmodSync, existsSync, mkdirSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createLocks } from '../async/locks.ts'
import { DaemonError } from '../errors.ts'
import type { Cell, Store, Wall, Walls } from '../ports.ts'
import { ownTree, removeTree } from '../trees.ts'
import { prepareCellFolders, sharedMounts } from './cell-folders.ts'
import { type Claims, openClaims } from './claims.ts'
import { planCovers } from './covers.ts'
import { type Groups, openGroups } from './groups.ts'
import { type MountStep, type OpenedNamespace, openNamespace } from './namespaces.ts'
import { createOpenWalls } from './open-walls.ts'
import { startProgram } from './start-program.ts'
import { describeWalls } from './status.ts'
import { findTools, runTool, type Tools } from './tools.ts'
import { processesOf } from './user-processes.ts'
import { checkRange, createProjectUsers, type ProjectUsers, type UidRange } from './users.ts'

export interface WallsOptions {
  /** The data folder: an absolute path. */
  readonly dataDir: string
  readonly store: Pick<Store, 'projects' | 'projectUsers'>
  readonly uidRange: UidRange
}

/** Folders of the data folder that the users of projects may pass through. Their content has its own owners. */
export const sharedFolders = ['releases', 'volumes', 'cells', 'cache'] as const

/**
 * Builds the walls between the projects of this host, as far as the host allows: all on Linux as root with util-linux,
 * none elsewhere. Throws `internal` if the range of user ids belongs to somebody else.
 */
export async function createWalls(options: WallsOptions): Promise<Walls> {
  if (process.platform !== 'linux') {
    return createOpenWalls('apps run as the user of the daemon: walls need Linux')
  }
  if (process.geteuid?.() !== 0) {
    return createOpenWalls('apps run as the user of the daemon: only root can start them as others')
  }
  checkRange(options.uidRange)
  const tools = findTools()
  if ('missing' in tools) {
    return createOpenWalls(`apps run as root: install util-linux (${tools.missing.join(', ')})`)
  }
  try {
    return await raiseWalls(options, tools)
  } catch (error) {
    return createOpenWalls(`apps run as root: ${(error as Error).message}`)
  }
}

/** Returns walls for a runtime that only stops apps: no program starts in their cells. */
export function createGroupWalls(dataDir: string): Walls {
  const open = createOpenWalls('apps are only stopped')
  const cells = join(dataDir, 'cells')
  if (process.platform !== 'linux' || process.geteuid?.() !== 0 || !existsSync(cells)) return open
  return { ...open, ...groupMethods(openGroups(realpathSync(dataDir), groupsFile(cells))) }
}

function groupMethods(groups: Groups | null): Pick<Walls, 'groups' | 'members' | 'usage' | 'end'> {
  return {
    groups: () => groups?.names() ?? [],
    members: (group) => groups?.members(group),
    usage: (group) => groups?.usage(group),
    end: async (group) => groups?.end(group) ?? { outOfMemoryMb: null },
  }
}

/** Returns the file that keeps the places of the groups. */
function groupsFile(cells: string): string {
  return join(cells, 'groups.json')
}

async function raiseWalls({ store, uidRange, ...options }: WallsOptions, tools: Tools) {
  const dataDir = realpathSync(options.dataDir)
  const cells = join(dataDir, 'cells')
  prepareSharedFolders(dataDir)
  const nodeFolder = dirname(dirname(realpathSync(process.execPath)))
  const visible = [...sharedFolders.map((name) => join(dataDir, name)), nodeFolder]
  const covers = planCovers(dataDir, visible)
  const claims = openClaims(dataDir)
  const users = createProjectUsers({ store, range: uidRange, dataDir, claims })
  // A crash of the daemon must not write its memory, with secrets, to the disk. Apps inherit the limit.
  await runTool(tools.prlimit, ['--pid', String(process.pid), '--core=0:0'])

  async function openFor(name: string, uid: number) {
    const { home, mounts } = await prepareCellFolders(join(cells, name), uid, covers)
    const steps: MountStep[] = [...mounts, sharedMounts.memory, sharedMounts.processes]
    return { home, opened: await openNamespace(steps, tools) }
  }

  const probed = await openFor('probe', uidRange.from)
  await probe(probed.opened, uidRange.from, tools)
  probed.opened.namespace.close()
  await removeTree(join(cells, 'probe'))
  const groups = openGroups(dataDir, groupsFile(cells))
  const walls = describeWalls(groups, probed.opened.failed.get(sharedMounts.processes))
  return createRaisedWalls({ cells, users, claims, groups, walls, tools, openFor })
}

function createRaisedWalls(deps: {
  cells: string
  users: ProjectUsers
  claims: Claims
  groups: Groups | null
  walls: readonly Wall[]
  tools: Tools
  openFor(name: string, uid: number): Promise<{ home: string; opened: OpenedNamespace }>
}): Walls {
  const { cells, users, claims, groups, walls, tools, openFor } = deps
  const opened = new Map<number, Promise<{ cell: Cell; close: () => void }>>()
  const locks = createLocks()
  const shared = groupMethods(groups)

  async function open(projectId: number): Promise<{ cell: Cell; close: () => void }> {
    const uid = await users.uidOf(projectId)
    const { home, opened } = await openFor(String(projectId), uid)
    const context = { uid, namespace: opened.namespace, groups, tools }
    const cell: Cell = {
      user: { uid, gid: uid },
      home,
      own: (folder) => ownTree(folder, { uid, gid: uid }),
      // One start at a time: a failed start kills every process of the user outside the groups.
      spawn: (program, args, options) =>
        locks.run(uid, () => startProgram(program, args, options, context)),
      end: shared.end,
    }
    return { cell, close: opened.namespace.close }
  }

  return {
    status: () => walls,
    isProjectUser: claims.has,
    async cell(projectId) {
      // A program of the project is about to start.
      groups?.warm()
      const opening = opened.get(projectId) ?? open(projectId)
      opened.set(projectId, opening)
      opening.catch(() => opened.delete(projectId))
      return (await opening).cell
    },
    async remove(projectId) {
      const present = await opened.get(projectId)?.catch(() => undefined)
      opened.delete(projectId)
      present?.close()
      const uid = await users.find(projectId)
      if (uid !== undefined) await killUser(uid)
      await removeTree(join(cells, String(projectId)))
    },
    ...shared,
    close() {
      for (const each of opened.values()) each.then(({ close }) => close()).catch(() => {})
      opened.clear()
      groups?.close()
    },
  }
}

/** Checks that a project's user can run Node, and owns files of the data folder's file system. */
async function probe({ namespace }: OpenedNamespace, uid: number, tools: Tools): Promise<void> {
  const ids = [`--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', '--no-new-privs']
  const node = [process.execPath, '--version']
  const shown = await runTool(tools.nsenter, [...namespace.enter, tools.setpriv, ...ids, ...node])
  if (shown.trim() === process.version) return
  throw new Error(`${process.execPath} does not run as another user`)
}

function prepareSharedFolders(dataDir: string): void {
  for (const name of sharedFolders) {
    const folder = join(dataDir, name)
    mkdirSync(folder, { recursive: true, mode: 0o711 })
    chmodSync(folder, 0o711)
  }
}

/** Kills the processes of a user until none is left: each pass may miss children of the last moment. */
async function killUser(uid: number): Promise<void> {
  for (let passes = 0; passes < 100; passes += 1) {
    const pids = processesOf(uid)
    if (pids.length === 0) return
    for (const pid of pids) {
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // The process has ended.
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new DaemonError('internal', `processes of the user ${uid} survive SIGKILL`)
}
