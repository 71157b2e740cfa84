import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The first folder that holds all the programs: of the PATH, then of those given. */
export function findFolder(
  programs: readonly string[],
  others: readonly string[] = [],
): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...others]
  return folders.find((folder) => programs.every((program) => existsSync(join(folder, program))))
}

/** The path of a program: on the PATH, then in the folders given. */
export function findProgram(program: string, others: readonly string[] = []): string | undefined {
  const folder = findFolder([program], others)
  return folder === undefined ? undefined : join(folder, program)
}
