import { ts } from 'ts-morph'

/** Returns the text of the line before the offset. */
export function linePrefix(text: string, at: number): string {
  return text.slice(text.lastIndexOf('\n', at - 1) + 1, at)
}

/** Returns the indentation of the offset's line. */
export function indentAt(text: string, at: number): string {
  return /^[ \t]*/.exec(linePrefix(text, at))?.[0] ?? ''
}

/** Returns true if only white space precedes the offset on its line. */
export function startsLine(text: string, at: number): boolean {
  return linePrefix(text, at).trim() === ''
}

/** Returns true if only white space follows the offset on its line. */
export function endsLine(text: string, at: number): boolean {
  return /^[ \t]*(?:\r?\n|$)/.test(text.slice(at))
}

/**
 * Returns the offset after the comments that follow on the same line. `needsLine` is true if the last
 * comment is a `//` comment: an insertion must start a new line.
 */
export function afterComments(text: string, at: number): { at: number; needsLine: boolean } {
  const last = ts.getTrailingCommentRanges(text, at)?.at(-1)
  if (last === undefined) return { at, needsLine: false }
  return { at: last.end, needsLine: last.kind === ts.SyntaxKind.SingleLineCommentTrivia }
}
