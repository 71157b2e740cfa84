import type { Sent } from './stand-in/stand-in.ts'

/** Texts that stand for others: a migration by its name. */
export type Names = ReadonlyMap<string, string>

/** Whether it opens a connection, which the pool does when it will: a log-in, and settings. */
export function isOpening(sent: Sent): boolean {
  if (isStatement(sent)) return sent.sql.startsWith('set ')
  return sent.kind === 'prelogin' || sent.kind === 'login'
}

/** What was sent as a line, without what differs from one time to another: values, the lengths of texts and lists. */
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

/** Whether it is SQL. */
export function isStatement(sent: Sent): sent is Extract<Sent, { readonly sql: string }> {
  return sent.kind === 'call' || sent.kind === 'batch'
}

/** Each statement once, sorted. */
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
  // What stands behind a list is numbered by its length.
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
  // The applications' own tests name their databases at random.
  return sql
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/ test_[0-9a-f]{32}\b/, ' test_…')
}
