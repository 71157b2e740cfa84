import type { Style } from './style.ts'

/** A call as code, taken apart where the formatter would break it. */
export interface Call {
  /** `createPostService({` */
  readonly open: string
  readonly items: readonly string[]
  /** `})` */
  readonly close: string
  /** Whether a space stands within the brackets, as in an object. */
  readonly isPadded: boolean
}

/** `name(first, second)` */
export function call(name: string, ...items: readonly string[]): Call {
  return { open: `${name}(`, items, close: ')', isPadded: false }
}

/** `name({ first, second })` */
export function callWithObject(name: string, ...items: readonly string[]): Call {
  return { open: `${name}({`, items, close: '})', isPadded: true }
}

/** `name([first, second])` */
export function callWithArray(name: string, ...items: readonly string[]): Call {
  return { open: `${name}([`, items, close: '])', isPadded: false }
}

export function onOneLine({ open, items, close, isPadded }: Call): string {
  const space = isPadded ? ' ' : ''
  return `${open}${space}${items.join(', ')}${space}${close}`
}

/** The width of emitted code. */
export const columns = 100

/**
 * The call between what stands before and behind it in a line of that indentation, or one line an
 * item where it would be too wide: code that a formatter laid out stays as the formatter wants it.
 */
export function layOut(
  before: string,
  call: Call,
  behind: string,
  indent: string,
  { newline, indent: level, hasTrailingCommas }: Style,
  width = columns,
): string {
  const flat = before + onOneLine(call) + behind
  const isWide = indent.replaceAll('\t', '  ').length + flat.length > width
  if (!isWide || call.items.length === 0) return flat
  const inner = newline + indent + level
  const comma = hasTrailingCommas ? ',' : ''
  const items = inner + call.items.join(`,${inner}`) + comma
  return before + call.open + items + newline + indent + call.close + behind
}
