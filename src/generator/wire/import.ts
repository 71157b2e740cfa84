import type { Style } from './style.ts'

/** A named import, as emitted code writes it. */
export interface Import {
  readonly name: string
  /** Relative, ending in `.js`. */
  readonly from: string
  readonly isType: boolean
}

export function importStatement(
  { name, from, isType }: Import,
  { quote, semicolon }: Pick<Style, 'quote' | 'semicolon'>,
): string {
  const keyword = isType ? 'import type' : 'import'
  return `${keyword} { ${name} } from ${quote}${from}${quote}${semicolon}`
}

/** Whether two sources name one module, with whatever extension. */
export function isSameModule(a: string, b: string): boolean {
  return withoutExtension(a) === withoutExtension(b)
}

/** The emitted source with the ending that the file uses. */
export function sourceIn({ extension }: Style, from: string): string {
  return withoutExtension(from) + extension
}

/** Whether a source is the project's own: relative, a subpath import or a usual alias. */
export function isOwnModule(from: string): boolean {
  return /^(?:\.|#|@\/|~)/.test(from)
}

function withoutExtension(from: string): string {
  return from.replace(/\.[cm]?[jt]s$/, '')
}
