/**
 * Splits a `CREATE TABLE` statement of `sqlite_schema` into the definitions between its outer parentheses: columns and
 * table constraints. Text in quotes and comments does not count as syntax.
 */
export function definitionsOf(createTable: string): readonly string[] {
  const definitions: string[] = []
  let depth = 0
  let start = 0
  // Quoted text, comments, and the characters that structure the statement.
  for (const { 0: token, index } of createTable.matchAll(
    /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?\*\/|[(),]/g,
  )) {
    if (token === '(') {
      depth += 1
      if (depth === 1) start = index + 1
    }
    if (token === ')') depth -= 1
    const isEnd = (token === ')' && depth === 0) || (token === ',' && depth === 1)
    if (!isEnd) continue
    definitions.push(withoutComments(createTable.slice(start, index)).trim())
    start = index + 1
    if (depth === 0) break
  }
  return definitions
}

// A comment at the end of a definition would hide the comma after it.
function withoutComments(definition: string): string {
  return definition.replace(
    /('(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\])|--[^\n]*|\/\*[\s\S]*?\*\//g,
    (_, quoted: string | undefined) => quoted ?? ' ',
  )
}

/** Returns the first word of a definition, without quotes: the name of a column, or a keyword such as `CONSTRAINT`. */
export function firstWord(definition: string): {
  readonly word: string
  readonly isQuoted: boolean
} {
  const [quoted] =
    /^(?:"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|'(?:[^']|'')*')/.exec(definition) ?? []
  if (quoted === undefined)
    return { word: /^[^\s(,]+/.exec(definition)?.[0] ?? '', isQuoted: false }
  const mark = quoted.at(-1) ?? ''
  return { word: quoted.slice(1, -1).replaceAll(mark + mark, mark), isQuoted: true }
}
