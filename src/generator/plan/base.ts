/** Name of the file that contains a project's model. */
export const projectPath = 'strata.json'

/** Returns the path of a file's base copy: the text emitted last, the base of the next three-way merge. */
export function basePath(path: string): string {
  return `.strata/base/${path}`
}

export function isBasePath(path: string): boolean {
  return path.startsWith('.strata/base/')
}
