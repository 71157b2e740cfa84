import type { Style } from './style.ts'

/** A named import of the emitted code. */
export interface NamedImport {
  readonly name: string
  /** Relative, ending in `.js`. */
  readonly from: string
  readonly isType: boolean
}

export function importStatement(
  { name, from, isType }: NamedImport,
  { quote, semicolon }: Pick<Style, 'quote' | 'semicolon'>,
): string {
  const keyword = isType ? 'import type' : 'import'
  return `${keyword} { ${name} } from ${quote}${from}${quote}${semicolon}`
}

/** Returns true if both sources name the same module. Ignores extensions. */
export function isSameModule(a: string, b: string): boolean {
  return withoutExtension(a) === withoutExtension(b)
}

/** Returns the source with the extension that the file uses. */
export function sourceFor({ extension }: Style, from: string): string {
  return withoutExtension(from) + extension
}

/** Returns true for a module of the project: relative, a subpath import or a common alias. */
export function isOwnModule(from: string): boolean {
  return /^(?:\.|#|@\/|~)/.test(from)
}

function withoutExtension(from: string): string {
  return from.replace(/\.[cm]?[jt]s$/, '')
}
