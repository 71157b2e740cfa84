import { StrataError } from '../errors.ts'
import type { ProjectStyle } from '../merge/project-style.ts'
import type { ReadFile } from './actions.ts'
import { basePath } from './base.ts'

/** The emitted settings of the formatter. */
const emittedSettings = 'biome.json'

/** The start of the names of Prettier's settings, and their ends. */
const prettierFiles = ['.prettierrc', 'prettier.config'].flatMap((name) =>
  [
    '',
    '.json',
    '.json5',
    '.yaml',
    '.yml',
    '.toml',
    '.js',
    '.ts',
    '.mjs',
    '.mts',
    '.cjs',
    '.cts',
  ].map((end) => `${name}${end}`),
)

const nothing: ProjectStyle = { styleOf: () => undefined }

/** Reads the settings of the project's formatter, if they are not the emitted ones. Parsers take long to load. */
export async function ownStyle(read: ReadFile): Promise<ProjectStyle> {
  const readFile = orNothing(read)
  const isAsEmitted =
    readFile(emittedSettings) === readFile(basePath(emittedSettings)) &&
    !prettierFiles.some((path) => readFile(path) !== undefined) &&
    readFile('package.json')?.includes('"prettier":') !== true
  if (isAsEmitted) return nothing
  const { projectStyle } = await import('../merge/project-style.ts')
  return projectStyle(readFile)
}

/** Passes over settings that are not regular files, for example a link to the settings of a monorepo. */
function orNothing(readFile: ReadFile): ReadFile {
  return (path) => {
    try {
      return readFile(path)
    } catch (error) {
      if (error instanceof StrataError) return undefined
      throw error
    }
  }
}

/** Returns the style of a script. Other files have none. */
export function scriptStyleOf(project: ProjectStyle, path: string) {
  return /\.(ts|mjs)$/.test(path) ? project.styleOf(path) : undefined
}

/** Returns a warning if new scripts do not have the style that the project's settings describe. */
export function styleWarnings(
  { ignored }: ProjectStyle,
  createsScripts: boolean,
): readonly string[] {
  if (ignored === undefined || !createsScripts) return []
  return [
    `${ignored} is code or not plain data, so strata does not read it: run your formatter on the new files`,
  ]
}
