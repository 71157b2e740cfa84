/** A JSON object as text: its value, and each member's value as it was written. */
export interface JsonDocument {
  readonly value: unknown
  /** The source of a member's value; undefined for a member that is not there. */
  readonly textOf: (key: string) => string | undefined
}

/** Where a text stops being JSON, in UTF-16 units, and what is wrong there. */
export class JsonFault extends Error {
  readonly offset: number

  constructor(offset: number, message: string) {
    super(message)
    this.name = 'JsonFault'
    this.offset = offset
  }
}

/**
 * Reads JSON. `JSON.parse` says where a fault is only in newer versions of Node and keeps the last of
 * two equal keys; this one throws a `JsonFault` for both.
 */
export function readJsonDocument(text: string): JsonDocument {
  const members = new Map<string, string>()
  const end = skipValue({ text, depth: 0, members }, 0)
  const rest = skipSpace(text, end)
  if (rest < text.length) throw new JsonFault(rest, 'nothing may follow the last }')
  return { value: JSON.parse(text), textOf: (key) => members.get(key) }
}

interface Scan {
  readonly text: string
  readonly depth: number
  /** Takes the members of the outermost object. */
  readonly members?: Map<string, string>
}

const maxDepth = 100

/** The offset behind the value that starts at or after `from`, white space skipped. */
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
    if (keys.has(key)) throw new JsonFault(start, `the key ${JSON.stringify(key)} is here twice`)
    if (key === '__proto__') throw new JsonFault(start, 'the key "__proto__" is not allowed')
    keys.add(key)
    const colon = expect(text, end, ':')
    const valueEnd = skipValue(inner(scan), colon)
    scan.members?.set(key, text.slice(skipSpace(text, colon), valueEnd))
    return valueEnd
  })
}

/** Skips `item, item … close` from the opening bracket on. */
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
  if (text[end] !== '"') throw new JsonFault(end, 'the text in quotes is broken or not closed here')
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
