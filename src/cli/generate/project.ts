import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { StrataError } from '../../generator/errors.ts'
import { nodeDisk } from '../../generator/write/disk.ts'
import { createLocator } from '../../generator/write/safe-path.ts'

/** Returns the nearest folder at or above `cwd` with a `strata.json`. Throws StrataError 'not-in-project'. */
export function findProject(cwd: string): string {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'strata.json'))) return folder
    if (folder === dirname(folder)) break
  }
  throw new StrataError(
    'not-in-project',
    'there is no strata.json here or in a folder above: change to a project folder, or create one with strata init <name>',
  )
}

export type Project = ReturnType<typeof openProject>

/**
 * Opens a project for the plan stage. Its methods throw StrataError 'conflict' for a path that is not a regular file. A file is
 * read once, so that all parts of a plan start from the same text; the writer compares that text with the disk.
 */
export function openProject(root: string) {
  const locate = createLocator(nodeDisk, root)
  const texts = new Map<string, string | undefined>()
  const read = (path: string): string | undefined => {
    const { full, entry } = locate(path)
    if (entry === undefined) return undefined
    if (entry.kind === 'file') return Buffer.from(nodeDisk.read(full)).toString('utf8')
    throw new StrataError('conflict', `${path} is not a file: move it away and run again`)
  }
  return {
    readFile(path: string): string | undefined {
      if (!texts.has(path)) texts.set(path, read(path))
      return texts.get(path)
    },
    /** Lists all files below a folder, unsorted, as paths relative to the project. */
    listFiles(path: string): string[] {
      const { full, entry } = locate(path)
      if (entry?.kind !== 'folder') return []
      const entries = readdirSync(full, { recursive: true, withFileTypes: true })
      return entries
        .filter((each) => each.isFile())
        .map((each) => relative(root, join(each.parentPath, each.name)).replaceAll(sep, '/'))
    },
    /** Lists the person's and the emitted texts, unsorted: no packages, builds, data, hidden folders or large files. */
    listTexts(): string[] {
      return textsIn(root, '')
    },
    listFolders(path: string): string[] {
      const { full, entry } = locate(path)
      if (entry?.kind !== 'folder') return []
      const entries = readdirSync(full, { withFileTypes: true })
      return entries.filter((each) => each.isDirectory()).map(({ name }) => name)
    },
  }
}

const skippedFolders = /^(?:\..*|node_modules|dist|data|coverage|generated)$/
const textFile = /\.(?:[cm]?[jt]sx?|jsonc?|sql|md|ya?ml|html|sh|txt|http|graphql|csv|toml|prisma)$/
const largestText = 1_000_000

function textsIn(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (entry.isDirectory()) return skippedFolders.test(entry.name) ? [] : textsIn(root, path)
    const isText = entry.isFile() && textFile.test(entry.name) && entry.name !== 'package-lock.json'
    return isText && statSync(join(root, path)).size <= largestText ? [path] : []
  })
}
