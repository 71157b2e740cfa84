import type { Style } from './style.ts'

/** The code of a call, divided at the points where a formatter breaks lines. */
export interface CallCode {
  /** Start of the call: `createPostService({` */
  readonly open: string
  readonly items: readonly string[]
  /** End of the call: `})` */
  readonly close: string
  /** True if spaces separate the brackets from the items, as in an object. */
  readonly isPadded: boolean
}

/** Returns the code of a call with arguments: `name(first, second)` */
export function callCode(name: string, ...items: readonly string[]): CallCode {
  return { open: `${name}(`, items, close: ')', isPadded: false }
}

/** Returns the code of a call with an object: `name({ first, second })` */
export function callWithObject(name: string, ...items: readonly string[]): CallCode {
  return { open: `${name}({`, items, close: '})', isPadded: true }
}

export function callOnOneLine({ open, items, close, isPadded }: CallCode): string {
  const space = isPadded ? ' ' : ''
  return `${open}${space}${items.join(', ')}${space}${close}`
}

/** The line width of emitted code, in characters. */
export const lineWidth = 100

/**
 * Prints `before`, the call and `after` on one line, or with one line per item if the line would be wider
 * than `width`, like a formatter. `indent` is the indentation of the line.
 */
export function formatCall(
  before: string,
  call: CallCode,
  after: string,
  indent: string,
  { newline, indent: level, hasTrailingCommas }: Style,
  width = lineWidth,
): string {
  const flat = before + callOnOneLine(call) + after
  const isWide = indent.replaceAll('\t', '  ').length + flat.length > width
  if (!isWide || call.items.length === 0) return flat
  const inner = newline + indent + level
  const comma = hasTrailingCommas ? ',' : ''
  const items = inner + call.items.join(`,${inner}`) + comma
  return before + call.open + items + newline + indent + call.close + after
}
