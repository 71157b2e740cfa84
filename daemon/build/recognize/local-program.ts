import { localProgram } from '../node-app.ts'
import type { AppFiles } from './app-files.ts'

/** Returns a command with the path of its program in `node_modules` if npm installs the program. */
export function withLocalProgram(argv: readonly string[], files: AppFiles): readonly string[] {
  // A workspace's programs may be in the parent folder, so their paths are unknown here.
  const lock = files.workspace === null ? files.lock : undefined
  return localProgram(argv, lock) ?? argv
}
