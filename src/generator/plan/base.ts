/** The model's file in a project. */
export const projectPath = 'strata.json'

/** Where the text that was last emitted for a file is kept: the base of the next three-way merge. */
export function basePath(path: string): string {
  return `.strata/base/${path}`
}

export function isBasePath(path: string): boolean {
  return path.startsWith('.strata/base/')
}
