import { constantWords } from '../../domain/start-command.ts'
import { splitCommandLine } from '../command-line.ts'

export type StartLine =
  | {
      readonly kind: 'words'
      readonly argv: readonly string[]
      /** True if the words contain variables and are written for `expandWords`. */
      readonly hasVariables: boolean
      /** Variables that the line sets before its program. */
      readonly env: Readonly<Record<string, string>>
    }
  /** Reason of a refusal: completes a sentence that starts with a name, such as "uses a shell operator". */
  | { readonly kind: 'refused'; readonly why: string }

/**
 * Splits a start command as a shell does, without a shell. The line may set variables before its program and may use
 * `$NAME`, `${NAME}`, `${NAME:-default}` and `${NAME-default}`. Refuses lines that need more of a shell.
 */
export function splitStartLine(line: string): StartLine {
  if (marks.test(line)) return { kind: 'refused', why: 'has a private-use character' }
  const variables: string[] = []
  const marked = line.replace(part, (text) => {
    if (text.startsWith("'") || text.startsWith('\\')) return text
    return text.replace(variable, (_, plain?: string, name?: string, sign = '', rest = '') => {
      variables.push(plain === undefined ? `\${${name}${sign}${rest}}` : `\${${plain}}`)
      return `\uE000${variables.length - 1}\uE001`
    })
  })
  const { env, rest } = assignments(marked)
  if ('faulty' in env) {
    return {
      kind: 'refused',
      why: `sets ${env.faulty} from another variable: set it in deploy.env`,
    }
  }
  const split = splitCommandLine(rest.replace(/^\s*exec\s+/, ''))
  if (split.kind === 'refused') return split
  if (variables.length === 0) {
    return { kind: 'words', argv: split.argv, hasVariables: false, env: env.values }
  }
  const argv = constantWords(split.argv).map((word) =>
    word.replace(/\uE000(\d+)\uE001/g, (_, at) => variables[Number(at)] ?? ''),
  )
  return { kind: 'words', argv, hasVariables: true, env: env.values }
}

/** Takes `NAME=value` from the start of a line. */
function assignments(line: string) {
  const values: Record<string, string> = {}
  let rest = line
  for (;;) {
    const [whole, name, value] =
      /^\s*([A-Za-z_]\w*)=([\w./:,@%+=\uE000\uE001-]*)\s+/.exec(rest) ?? []
    if (whole === undefined || name === undefined || value === undefined) break
    if (marks.test(value)) return { env: { faulty: name }, rest }
    values[name] = value
    rest = rest.slice(whole.length)
  }
  return { env: { values }, rest }
}

/** Text in single quotes, an escaped character, or text in which a shell replaces variables. */
const part = /'[^']*'|\\.|(?:[^'\\])+/g
const variable = /\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)(?:(:?-)([^{}$`"'\\\s]*))?\})/g
const marks = /[\uE000\uE001]/
