import { chmod } from 'node:fs/promises'
import { sep } from 'node:path'
import type { EngineInfo } from '../engine/version.ts'
import type { Wall, Walls } from '../ports.ts'
import { ownTree } from '../trees.ts'
import { createOpenWalls, type WallName } from './open-walls.ts'

/**
 * Returns the walls of containers. The engine separates the apps, so that projects need no system users. `volumes` is the
 * folder of the data of all branches; the data folder around it is closed to other users of the host.
 */
export function createContainerWalls({
  volumes,
  limits,
  user,
  removeProject,
}: {
  volumes: string
  limits: EngineInfo['limits']
  /** User of containers whose image names none. */
  user: { readonly uid: number; readonly gid: number }
  removeProject: (projectId: number) => Promise<void>
}): Walls {
  const open = createOpenWalls('apps run in containers')
  const status: readonly Wall[] = [
    up('users', 'each app runs in a container of its own, as a user without privileges'),
    up('files', 'a container has the files of its image and the data of its branch'),
    up('temporary folders', 'each container has its own /tmp'),
    up('processes', 'containers do not see the processes of others'),
    up('process groups', 'everything that an app started ends with its container'),
    limit('memory', limits.memory, 'deploy.memory_mb'),
    limit('cpu', limits.cpu, 'deploy.cpus'),
    limit('pids', limits.pids, 'deploy.pids'),
  ]
  return {
    ...open,
    status: () => status,
    async cell(projectId) {
      return {
        ...(await open.cell(projectId)),
        // The user of an image is known only to the image: any user of the container may write its data.
        async own(folder) {
          if (!folder.startsWith(volumes + sep)) return
          // Files of root are those of a restore or of a copied database: no container runs as root.
          if (process.geteuid?.() === 0) await ownTree(folder, user, { from: 0 })
          await chmod(folder, 0o777)
        },
      }
    },
    remove: removeProject,
  }
}

function up(name: WallName, detail: string): Wall {
  return { name, stands: true, detail }
}

function limit(name: WallName, stands: boolean, setting: string): Wall {
  const detail = stands
    ? `the engine enforces ${setting}`
    : `${setting} is not enforced: the kernel of the engine's host has no such control group`
  return { name, stands, detail }
}
