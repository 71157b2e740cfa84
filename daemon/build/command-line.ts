import { parse } from 'shell-quote'

export type CommandLine =
  | { readonly kind: 'words'; readonly argv: readonly [string, ...string[]] }
  /** `why` follows a name in a sentence: "uses …". */
  | { readonly kind: 'refused'; readonly why: string }

/** Splits one line into words as a shell would, and refuses what only a shell could carry out. */
export function splitCommandLine(line: string): CommandLine {
  const why = shellOnly(line)
  if (why !== undefined) return { kind: 'refused', why }
  const words = parse(line, (name) => ({ op: `$${name}` }))
  const [program, ...rest] = words.map((word) => (typeof word === 'string' ? word : undefined))
  if (words.length === 0 || program === '') return { kind: 'refused', why: 'is empty' }
  if (program === undefined || !rest.every((word) => word !== undefined)) {
    return { kind: 'refused', why: 'uses something that only a shell does' }
  }
  if (/^[A-Za-z_]\w*=/.test(program)) {
    return { kind: 'refused', why: 'sets a variable before the program: put it into deploy.env' }
  }
  return { kind: 'words', argv: [program, ...rest] }
}

function shellOnly(line: string): string | undefined {
  if (/\p{Cc}/u.test(line.replaceAll('\t', ' '))) return 'has a line break or a control character'
  const doubled = [...line.matchAll(quoted)]
    .map(([text]) => text)
    .filter((text) => text.startsWith('"'))
  if (doubled.some((text) => /[$`]/.test(text.replace(/\\./g, '')))) {
    return 'uses a variable or a command inside quotes'
  }
  const bare = line.replace(quoted, '_')
  if (/['"\\]/.test(bare)) return 'has a quote or a backslash that is not closed'
  if (/[$`]/.test(bare)) return 'uses a variable or a command in place of a text'
  if (/[;&|<>()]/.test(bare)) return 'uses a shell operator, and there is no shell'
  if (/[*?[]/.test(bare)) return 'uses a pattern for file names, and there is no shell'
  if (/#/.test(bare)) return 'has a # outside of quotes'
  if (/(^|\s)[~!]/.test(bare)) return 'has a word that begins with ~ or !'
  return undefined
}

/** What a shell takes as it is: single quotes, double quotes, and one character after a backslash. */
const quoted = /'[^']*'|"(?:[^"\\]|\\.)*"|\\./g
