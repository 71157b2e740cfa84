/** Name of the file that contains a project's model. */
export const projectPath = 'strata.json'

/** The folder of base copies. */
export const baseFolder = '.strata/base'

/** Returns the path of a file's base copy: the text emitted last, the base of the next three-way merge. */
export function basePath(path: string): string {
  return `${baseFolder}/${path}`
}

export function isBasePath(path: string): boolean {
  return path.startsWith(`${baseFolder}/`)
}
