/** A parsed JSON object that keeps the source text of each member. */
export interface JsonDocument {
  readonly value: unknown
  /** Returns the source text of a member's value, or `undefined` if the member is missing. */
  readonly textOf: (key: string) => string | undefined
}

/** A syntax error. `offset` counts UTF-16 units from the start of the text. */
export class JsonFault extends Error {
  readonly offset: number

  constructor(offset: number, message: string) {
    super(message)
    this.name = 'JsonFault'
    this.offset = offset
  }
}

/**
 * Reads JSON. Throws `JsonFault` for invalid syntax and for a duplicate key. `JSON.parse` reports
 * offsets only in newer versions of Node and accepts duplicate keys.
 */
export function readJsonDocument(text: string): JsonDocument {
  const members = new Map<string, string>()
  const end = skipValue({ text, depth: 0, members }, 0)
  const rest = skipSpace(text, end)
  if (rest < text.length) throw new JsonFault(rest, 'unexpected text after the last }')
  return { value: JSON.parse(text), textOf: (key) => members.get(key) }
}

interface Scan {
  readonly text: string
  readonly depth: number
  /** Collects the source of each member. Set for the outermost object only. */
  readonly members?: Map<string, string>
}

const maxDepth = 100

/** Returns the offset after the value that starts at or after `from`. */
function skipValue(scan: Scan, from: number): number {
  const at = skipSpace(scan.text, from)
  if (scan.depth > maxDepth) throw new JsonFault(at, `nested deeper than ${maxDepth} levels`)
  const unit = scan.text[at]
  if (unit === '{') return skipObject(scan, at)
  if (unit === '[') return skipItems(scan, at, ']', (item) => skipValue(inner(scan), item))
  if (unit === '"') return skipString(scan.text, at)
  const scalar = /true|false|null|-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y
  scalar.lastIndex = at
  if (!scalar.test(scan.text)) throw new JsonFault(at, 'expected a value')
  return scalar.lastIndex
}

function skipObject(scan: Scan, open: number): number {
  const { text } = scan
  const keys = new Set<string>()
  return skipItems(scan, open, '}', (from) => {
    const start = skipSpace(text, from)
    if (text[start] !== '"') throw new JsonFault(start, 'expected a key in double quotes')
    const end = skipString(text, start)
    const key = String(JSON.parse(text.slice(start, end)))
    if (keys.has(key)) throw new JsonFault(start, `duplicate key ${JSON.stringify(key)}`)
    if (key === '__proto__') throw new JsonFault(start, 'the key "__proto__" is not allowed')
    keys.add(key)
    const colon = expect(text, end, ':')
    const valueEnd = skipValue(inner(scan), colon)
    scan.members?.set(key, text.slice(skipSpace(text, colon), valueEnd))
    return valueEnd
  })
}

/** Skips `item, item … close`, starting at the opening bracket. */
function skipItems(
  { text }: Scan,
  open: number,
  close: ']' | '}',
  skipItem: (from: number) => number,
): number {
  let at = skipSpace(text, open + 1)
  if (text[at] === close) return at + 1
  for (;;) {
    at = skipSpace(text, skipItem(at))
    if (text[at] === close) return at + 1
    if (text[at] !== ',') throw new JsonFault(at, `expected , or ${close}`)
    at += 1
  }
}

function skipString(text: string, open: number): number {
  const string = /"(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/uy
  string.lastIndex = open
  string.test(text)
  const end = Math.max(string.lastIndex, open + 1)
  if (text[end] !== '"') throw new JsonFault(end, 'invalid or unclosed text in quotes')
  return end + 1
}

function expect(text: string, from: number, unit: string): number {
  const at = skipSpace(text, from)
  if (text[at] !== unit) throw new JsonFault(at, `expected ${unit}`)
  return at + 1
}

function skipSpace(text: string, from: number): number {
  const space = /[ \t\r\n]*/y
  space.lastIndex = from
  space.test(text)
  return space.lastIndex
}

function inner({ text, depth }: Scan): Scan {
  return { text, depth: depth + 1 }
}
