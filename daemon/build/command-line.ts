import { parse } from 'shell-quote'

export type CommandLine =
  | { readonly kind: 'words'; readonly argv: readonly [string, ...string[]] }
  /** Reason of a refusal: completes a sentence that starts with a name, such as "uses a shell operator". */
  | { readonly kind: 'refused'; readonly why: string }

/** Splits a line into words as a shell does. Refuses lines that need a shell. */
export function splitCommandLine(line: string): CommandLine {
  const why = shellOnly(line)
  if (why !== undefined) return { kind: 'refused', why }
  const words = parse(line, (name) => ({ op: `$${name}` }))
  const [program, ...rest] = words.map((word) => (typeof word === 'string' ? word : undefined))
  if (words.length === 0 || program === '') return { kind: 'refused', why: 'is empty' }
  if (program === undefined || !rest.every((word) => word !== undefined)) {
    return { kind: 'refused', why: 'needs a shell, and there is no shell' }
  }
  if (/^[A-Za-z_]\w*=/.test(program)) {
    return { kind: 'refused', why: 'sets a variable before the program: set it in deploy.env' }
  }
  return { kind: 'words', argv: [program, ...rest] }
}

function shellOnly(line: string): string | undefined {
  if (/\p{Cc}/u.test(line.replaceAll('\t', ' '))) return 'has a line break or a control character'
  const doubleQuoted = [...line.matchAll(quoted)]
    .map(([text]) => text)
    .filter((text) => text.startsWith('"'))
  if (doubleQuoted.some((text) => /[$`]/.test(text.replace(/\\./g, '')))) {
    return 'uses a variable or a command substitution inside quotes'
  }
  const bare = line.replace(quoted, '_')
  if (/['"\\]/.test(bare)) return 'has a quote that is not closed or a trailing backslash'
  if (/[$`]/.test(bare)) return 'uses a variable or a command substitution'
  if (/[;&|<>()]/.test(bare)) return 'uses a shell operator, and there is no shell'
  if (/[*?[]/.test(bare)) return 'uses a pattern for file names, and there is no shell'
  if (/#/.test(bare)) return 'has a # outside of quotes'
  if (/(^|\s)[~!]/.test(bare)) return 'has a word that starts with ~ or !'
  return undefined
}

/** Quoted text: in single quotes, in double quotes, or one character after a backslash. */
const quoted = /'[^']*'|"(?:[^"\\]|\\.)*"|\\./g
