import { join } from 'node:path'
import type { Launcher } from '../../apps/suite/process.ts'
import { bootApp, runToExit, type Settings } from './boot.ts'

export interface Program {
  readonly folder: string
  readonly argv: readonly string[]
  /** Settings of every start, for example the address of the store. */
  readonly env?: Settings
}

/**
 * Starts one program for the checks, any number of times. Its databases are files, each in a new
 * subfolder of the caller's folder.
 */
export function launcherOf(
  { folder, argv, env = {} }: Program,
  freshFolder: () => Promise<string>,
): Launcher {
  return {
    boot: (settings) => bootApp({ folder, argv, env: { ...env, ...settings } }),
    runToExit: (settings) => runToExit({ folder, argv, env: { ...env, ...settings } }),
    freshDatabase: async () => env.DATABASE_URL ?? `file:${join(await freshFolder(), 'app.db')}`,
  }
}
