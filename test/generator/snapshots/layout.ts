import type { Tree } from '../../support/generator/memory-project.ts'

/** The stored files: path below `trees/` → text. */
export type Stored = ReadonlyMap<string, string>
/** The emitted files of each case, by the name of the case. */
export type Trees = ReadonlyMap<string, Tree>
/** Returns the text of a file below `examples/`, or `undefined` if it is missing. */
export type ReadExample = (path: string) => string | undefined

/** Lists the files that are not stored because an example has the same text at the same path. */
export const references = 'from-examples.txt'

/** Returns what `trees/` contains: each text of a path once, in the folder of its cases. */
export function store(trees: Trees, readExample: ReadExample): Stored {
  const names = [...trees.keys()]
  const stored = new Map<string, string>()
  const lines: string[] = []
  for (const { path, text, cases } of filesOf(trees)) {
    const storedPath = `${folderOf(cases, names)}/${path}`
    const example = ['user-app', 'blog-app'].find((app) => readExample(`${app}/${path}`) === text)
    if (example === undefined) stored.set(storedPath, text)
    else lines.push(`${storedPath} = examples/${example}/${path}\n`)
  }
  return stored.set(references, lines.toSorted().join(''))
}

/** Returns the tree of each case. Omits references to files that an example lacks. */
export function restore(stored: Stored, names: readonly string[], readExample: ReadExample): Trees {
  const trees = new Map(names.map((name): [string, Tree] => [name, new Map()]))
  const texts = new Map(stored)
  texts.delete(references)
  for (const line of (stored.get(references) ?? '').split('\n').filter(Boolean)) {
    const [storedPath = '', examplePath = ''] = line.split(' = examples/')
    const text = readExample(examplePath)
    if (text !== undefined) texts.set(storedPath, text)
  }
  for (const [storedPath, text] of texts) {
    const slash = storedPath.indexOf('/')
    for (const name of casesOf(storedPath.slice(0, slash), names))
      trees.get(name)?.set(storedPath.slice(slash + 1), text)
  }
  return trees
}

interface SharedFile {
  readonly path: string
  readonly text: string
  readonly cases: readonly string[]
}

/** Returns each distinct text of each path, with the cases that emit it. */
function filesOf(trees: Trees): SharedFile[] {
  const files = new Map<string, SharedFile>()
  for (const [name, tree] of trees) {
    for (const [path, text] of tree) {
      const key = `${path}\n${text}`
      files.set(key, { path, text, cases: [...(files.get(key)?.cases ?? []), name] })
    }
  }
  return [...files.values()]
}

const every = 'all'
const except = 'all-except-'

/** Names the folder after the shorter list: these cases, or all other cases. */
function folderOf(cases: readonly string[], names: readonly string[]): string {
  const others = names.filter((name) => !cases.includes(name))
  if (others.length === 0) return every
  return others.length < cases.length ? `${except}${others.join('+')}` : cases.join('+')
}

function casesOf(folder: string, names: readonly string[]): readonly string[] {
  if (folder === every) return names
  const isExcept = folder.startsWith(except)
  const listed = folder.slice(isExcept ? except.length : 0).split('+')
  const unknown = listed.find((name) => !names.includes(name))
  if (unknown !== undefined) throw new Error(`trees/${folder}: unknown case "${unknown}"`)
  return isExcept ? names.filter((name) => !listed.includes(name)) : listed
}
