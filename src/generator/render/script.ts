/** A script of a template, in statements at the start of a line. */
export interface Script {
  readonly imports: readonly Import[]
  /** `export { a } from './b.js'` */
  readonly reexports: readonly Import[]
  readonly blocks: readonly Block[]
}

export interface Import {
  readonly text: string
  readonly source: string
  readonly names: readonly ImportedName[]
}

export interface ImportedName {
  readonly name: string
  readonly local: string
}

/** A declaration, or another statement at the start of a line. */
export interface Block {
  /** Blank lines before the block. */
  readonly lead: string
  readonly comment: string
  readonly code: string
  /** The declared names, empty for a statement that declares nothing. */
  readonly names: readonly string[]
  /** Identifiers of the code that are not members of another value. */
  readonly words: ReadonlySet<string>
  /** Modules that the code imports when it runs. */
  readonly loads: readonly string[]
  /** True if neither a blank line nor a comment separates the block from its predecessor. */
  readonly isAdjacent: boolean
}

/** Matches an import or a re-export as templates write it. */
const importStatement = /^(import|export) (?:type )?(?:([^;'"]*?) from )?'([^']+)'\n/

const declaration =
  /^(?:export )?(?:default )?(?:async )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/

/** A run parses the same text several times: for the models before and after, and for each question about its names. */
const parsed = new Map<string, Script>()

/** Statements of templates start at the start of a line; their other lines are indented, or start with a bracket. */
export function parseScript(text: string): Script {
  const script = parsed.get(text) ?? parse(text)
  parsed.set(text, script)
  return script
}

function parse(text: string): Script {
  const imports: Import[] = []
  const reexports: Import[] = []
  const blocks: Block[] = []
  let lead = ''
  let comment = ''
  let rest = text
  while (rest !== '') {
    const [whole, keyword, clause = '', source = ''] = importStatement.exec(rest) ?? []
    if (whole !== undefined) {
      const list = keyword === 'import' ? imports : reexports
      list.push({ text: whole, source, names: namesOf(clause) })
      ;[lead, comment, rest] = ['', '', rest.slice(whole.length)]
      continue
    }
    // Not `.`: a text in the code can contain other line separators, such as U+2028.
    const part =
      /^\n+|^\/\*\*[\s\S]*?\*\/\n|^(?:\/\/[^\n]*\n)+|^[^\n]*\n?(?:[ \t})\]>`][^\n]*\n|\n(?=[ \t]))*/.exec(
        rest,
      )
    const [found = rest] = part ?? []
    rest = rest.slice(found.length)
    if (/^\n/.test(found)) lead += found
    else if (/^\/[/*]/.test(found)) comment += found
    else {
      const name = declaration.exec(found)?.[1]
      const isAdjacent = lead === '' && comment === ''
      const loads = [...found.matchAll(/\bimport\('([^']+)'\)/g)].map(([, source = '']) => source)
      blocks.push({
        lead,
        comment,
        code: found,
        names: name ? [name] : [],
        words: wordsOf(found),
        loads,
        isAdjacent,
      })
      ;[lead, comment] = ['', '']
    }
  }
  return { imports, reexports, blocks }
}

/** `a, { b as c, type D }`, `* as e` */
function namesOf(clause: string): ImportedName[] {
  const [, list = ''] = /\{([^}]*)\}/.exec(clause) ?? []
  const outside = clause.replace(/\{[^}]*\}/, '')
  return [...outside.split(','), ...list.split(',')]
    .map((code) => code.trim().replace(/^type /, ''))
    .filter(Boolean)
    .map((code) => {
      const [name = '', local = name] = code.split(' as ')
      return { name, local }
    })
}

/** Leaves out comments, members of other values, keys, and local variables. */
function wordsOf(code: string): ReadonlySet<string> {
  const bare = code
    .replace(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*/g, '')
    .replace(/\bcase (\w+):/g, 'case $1 :')
  const words = new Set(bare.match(/(?<![\w$]|(?<!\.\.)\.)[A-Za-z_$][\w$]*(?![\w$]|\??:)/g))
  for (const [, local = ''] of bare.matchAll(/(?<!^(?:export )?)\b(?:const|let) (\w+)/gm))
    words.delete(local)
  return words
}
