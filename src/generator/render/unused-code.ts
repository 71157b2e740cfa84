import { posix } from 'node:path'
import { type Import, parseScript, type Script } from './script.ts'

/** Texts by path in the project. */
type Texts = ReadonlyMap<string, string>

/**
 * Returns the scripts of `shared` without the declarations that nothing uses. Files of `others` use all that they
 * import, and `used` lists more names, in the form of `importedNames`. A declaration that only its own file uses loses `export`, unless its comment has `@public`. A script without declarations is omitted.
 */
export function withoutUnused(
  shared: Texts,
  others: Texts,
  used: Iterable<string> = [],
): Map<string, string> {
  const scripts = new Map([...shared].map(([path, text]) => [path, parseScript(text)]))
  const usage = usageOf(scripts)
  for (const [path, text] of others) usage.addAll(path, parseScript(text))
  for (const each of used) usage.use(...splitName(each))
  return new Map(
    [...scripts].flatMap(([path, script]) => {
      const text = print(script, usage.live(path), usage.imported(path))
      return text === '' ? [] : [[path, text]]
    }),
  )
}

/** Returns the names that scripts import from other scripts of the project: `src/http/fields.ts#text`. */
export function importedNames(texts: Texts): Set<string> {
  const used = new Set<string>()
  for (const [path, text] of texts) {
    const { imports, blocks, reexports } = parseScript(text)
    const words = new Set(blocks.flatMap((block) => [...block.words]))
    for (const { source, names } of [...imports, ...reexports]) {
      const isReexport = reexports.some((each) => each.source === source)
      for (const { name, local } of names) {
        if (isReexport || words.has(local)) used.add(`${resolved(path, source)}#${name}`)
      }
    }
  }
  return used
}

/** Returns the names that scripts export, in the form of `importedNames`. */
export function exportedNames(texts: Texts): Set<string> {
  const exported = [...texts].flatMap(([path, text]) =>
    parseScript(text)
      .blocks.filter(({ code }) => code.startsWith('export '))
      .flatMap(({ names }) => names.map((name) => `${path}#${name}`)),
  )
  return new Set(exported)
}

function splitName(each: string): [path: string, name: string] {
  const at = each.lastIndexOf('#')
  return [each.slice(0, at), each.slice(at + 1)]
}

function resolved(from: string, source: string): string {
  return posix.join(posix.dirname(from), source).replace(/\.js$/, '.ts')
}

function usageOf(scripts: ReadonlyMap<string, Script>) {
  const live = new Map<string, Set<number>>()
  const imported = new Map<string, Set<string>>()

  /** Follows the imports of a file whose local names are `words`. */
  function follow(path: string, imports: readonly Import[], words: ReadonlySet<string>): void {
    for (const { source, names } of imports) {
      for (const { name, local } of names) if (words.has(local)) useFrom(path, source, name)
    }
  }

  /** Marks a name of the module `source`, `*` for all names, as used by the file `from`. */
  function useFrom(from: string, source: string, name: string): void {
    if (source.startsWith('.')) use(resolved(from, source), name)
  }

  function use(path: string, name: string): void {
    const script = scripts.get(path)
    script?.blocks.forEach((block, index) => {
      const isNamed = name === '*' ? block.code.startsWith('export ') : block.names.includes(name)
      if (isNamed) for (const each of block.names) at(imported, path).add(each)
      // Statements that declare nothing run when another file imports the script.
      if (isNamed || block.names.length === 0) add(path, script, index)
    })
  }

  function add(path: string, script: Script, index: number): void {
    const block = script.blocks[index]
    if (!block || at(live, path).has(index)) return
    at(live, path).add(index)
    script.blocks.forEach((other, otherIndex) => {
      if (other.names.some((name) => block.words.has(name))) add(path, script, otherIndex)
    })
    follow(path, script.imports, block.words)
    for (const source of block.loads) useFrom(path, source, '*')
  }

  return {
    use,
    addAll(path: string, { imports, blocks, reexports }: Script) {
      const words = new Set(blocks.flatMap((block) => [...block.words]))
      follow(path, imports, words)
      follow(
        path,
        reexports,
        new Set(reexports.flatMap(({ names }) => names.map(({ local }) => local))),
      )
    },
    live: (path: string) => at(live, path),
    imported: (path: string) => at(imported, path),
  }
}

function at<Item>(sets: Map<string, Set<Item>>, path: string): Set<Item> {
  const set = sets.get(path) ?? new Set<Item>()
  sets.set(path, set)
  return set
}

function print(
  { imports, blocks }: Script,
  live: ReadonlySet<number>,
  imported: ReadonlySet<string>,
): string {
  const kept = blocks.filter((_, index) => live.has(index))
  if (kept.length === 0) return ''
  const words = new Set(kept.flatMap((block) => [...block.words]))
  const head = imports.map((each) => printImport(each, words)).join('')
  const body = blocks.map((block, index) => {
    if (!live.has(index)) return ''
    const previous = blocks[index - 1]
    // Adjacent declarations share the comment of the first.
    const isOrphan = block.isAdjacent && previous && !live.has(index - 1)
    const comment = isOrphan ? `\n${previous.comment}` : block.lead + block.comment
    const isPublic = /@public/.test(block.comment) || block.names.some((name) => imported.has(name))
    return comment + (isPublic ? block.code : block.code.replace(/^export /, ''))
  })
  const text = body.join('')
  return head + (head === '' ? text.replace(/^\n+/, '') : text.replace(/^\n*/, '\n'))
}

function printImport({ text, names }: Import, words: ReadonlySet<string>): string {
  if (names.length === 0) return text
  const unused = names.filter(({ local }) => !words.has(local))
  if (unused.length === names.length) return ''
  return typesFirst(unused.reduce((rest, { local }) => withoutName(rest, local), text))
}

/** Prints `import { type A }` as `import type { A }`. */
function typesFirst(text: string): string {
  const isTypes = /^import \{ (?:type \w+(?: as \w+)?(?:, )?)+ \}/.test(text)
  return isTypes ? text.replaceAll('type ', '').replace('import ', 'import type ') : text
}

function withoutName(text: string, local: string): string {
  const list = /\{([^}]*)\}/
  const isOther = (code: string) =>
    code.trim() !== '' && !new RegExp(`(^| )${local}$`).test(code.trim())
  return text
    .replace(
      list,
      (_, names: string) =>
        `{ ${names
          .split(',')
          .filter(isOther)
          .map((name) => name.trim())
          .join(', ')} }`,
    )
    .replace(/, \{ {2}\}/, '')
    .replace(new RegExp(`^import ${local}, `), 'import ')
}
