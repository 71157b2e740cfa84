import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Cell, Wall, Walls } from '../ports.ts'

/** Names of the walls, in the order of their status. */
export const wallNames = [
  'users',
  'files',
  'temporary folders',
  'processes',
  'process groups',
  'memory',
  'cpu',
  'pids',
] as const

export type WallName = (typeof wallNames)[number]

/** Returns walls of which none stands: all programs run as the daemon's user. `reason` is a clause. */
export function createOpenWalls(reason: string): Walls {
  const status = wallNames.map((name): Wall => ({ name, stands: false, detail: reason }))
  const cell: Cell = {
    user: null,
    home: null,
    own: async () => {},
    async spawn(program, args, { cwd, env, stdio }) {
      const child = spawn(program, [...args], { cwd, env: { ...env }, detached: true, stdio })
      if (child.pid === undefined) {
        const [error] = await once(child, 'error')
        throw error
      }
      child.on('error', () => {})
      return child
    },
    end: async () => ({ outOfMemoryMb: null }),
  }
  return {
    status: () => status,
    isProjectUser: () => false,
    cell: async () => cell,
    remove: async () => {},
    groups: () => [],
    members: () => undefined,
    usage: () => undefined,
    end: cell.end,
    close: () => {},
  }
}
