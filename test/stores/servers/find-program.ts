import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Returns the first folder that contains all programs: searches the PATH, then the given folders. */
export function findFolder(
  programs: readonly string[],
  others: readonly string[] = [],
): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...others]
  return folders.find((folder) => programs.every((program) => existsSync(join(folder, program))))
}

/** Returns the path of a program: searches the PATH, then the given folders. */
export function findProgram(program: string, others: readonly string[] = []): string | undefined {
  const folder = findFolder([program], others)
  return folder === undefined ? undefined : join(folder, program)
}
