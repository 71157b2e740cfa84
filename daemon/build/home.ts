import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Cell } from '../ports.ts'
import { removeTree } from '../trees.ts'
import { type BaseEnvironment, baseEnvironment } from './command-variables.ts'
import { shareHostSettings } from './host-settings.ts'

/** The private home folder of one build or install. */
export interface Home {
  readonly path: string
  readonly base: BaseEnvironment
  remove(): Promise<void>
}

export type OpenHome = (name: string) => Promise<Home>

/** Returns the function that creates a home folder with the operator's settings and gives it to the project's user. */
export function createHomes(options: {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly sharesNpmAuth: boolean
  readonly path: string
  readonly cacheFolder: string
  readonly npmCache: string
  readonly scratchFolder: string
  readonly cell: Cell
}): OpenHome {
  const { env, sharesNpmAuth, path, cacheFolder, npmCache, cell } = options
  return async (name) => {
    const home = join(options.scratchFolder, name)
    await mkdir(home, { mode: 0o700 })
    const isOtherUser = cell.user !== null
    const host = await shareHostSettings({ env, home, isOtherUser, sharesNpmAuth })
    await cell.own(home)
    return {
      path: home,
      base: baseEnvironment({ host, path, cacheFolder, npmCache }),
      remove: () => removeTree(home),
    }
  }
}
