import type { Sent } from './stand-in/stand-in.ts'

/** Replacements for long texts: a migration is shown by its name. */
export type Names = ReadonlyMap<string, string>

/** Returns whether a message opens a connection (log-in and settings). The pool opens connections at any time. */
export function isOpening(sent: Sent): boolean {
  if (isStatement(sent)) return sent.sql.startsWith('set ')
  return sent.kind === 'prelogin' || sent.kind === 'login'
}

/** Formats a message as one line, without values and lengths that differ between runs. */
export function lineOf(sent: Sent, names: Names): string {
  switch (sent.kind) {
    case 'login':
      return `log in as ${sent.user} to ${sent.database}`
    case 'begin':
      return `begin, ${sent.isolation}`
    case 'batch':
      return `batch: ${names.get(sent.sql) ?? onOneLine(sent.sql)}`
    case 'call':
      return `call: ${normalized(sent.sql, sent.types)}`
    default:
      return sent.kind
  }
}

/** Returns whether the message is SQL. */
export function isStatement(sent: Sent): sent is Extract<Sent, { readonly sql: string }> {
  return sent.kind === 'call' || sent.kind === 'batch'
}

/** Returns the distinct statements, sorted. */
export function distinctLines(all: readonly Sent[], names: Names): readonly string[] {
  return [...new Set(all.filter(isStatement).map((sent) => lineOf(sent, names)))].toSorted()
}

function normalized(sql: string, types: string): string {
  const short = onOneLine(sql)
    .replace(/IN \((@\w+)(,@\w+)*\)/g, 'IN ($1, …)')
    .replace(/(SELECT @\w+,@\w+)( UNION ALL SELECT @\w+,@\w+)*\) AS \[dual\]/, '$1 …) AS [dual]')
    .replace(/\((\([^()]*@\w+[^()]*\))( OR \([^()]*@\w+[^()]*\))+\)/g, '$1')
  const declared = new Map(types.split(', ').map((type) => type.split(' ') as [string, string]))
  const named = [...new Set(short.match(/@\w+/g) ?? [])].filter((name) => declared.has(name))
  // Parameter numbers after a list depend on the length of the list.
  const renamed = new Map(
    named.map((name, at) => [name, /^@P\d+$/.test(name) ? `@${at + 1}` : name]),
  )
  const parameters = named.map((name) => `${renamed.get(name)} ${lengthless(declared.get(name))}`)
  const text = short.replace(/@\w+/g, (name) => renamed.get(name) ?? name)
  return parameters.length === 0 ? text : `${text} -- ${parameters.join(', ')}`
}

function lengthless(type = ''): string {
  return type.replace(/\(.*\)$/, '')
}

function onOneLine(sql: string): string {
  // The applications' own tests use random database names.
  return sql
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/ test_[0-9a-f]{32}\b/, ' test_…')
}
