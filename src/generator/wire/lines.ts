import { ts } from 'ts-morph'

/** What stands before the offset on its line. */
export function leadOf(text: string, at: number): string {
  return text.slice(text.lastIndexOf('\n', at - 1) + 1, at)
}

/** The white space that the offset's line begins with. */
export function indentAt(text: string, at: number): string {
  return /^[ \t]*/.exec(leadOf(text, at))?.[0] ?? ''
}

/** Whether only white space stands before the offset on its line. */
export function startsLine(text: string, at: number): boolean {
  return leadOf(text, at).trim() === ''
}

/** Whether only white space stands behind the offset on its line. */
export function endsLine(text: string, at: number): boolean {
  return /^[ \t]*(?:\r?\n|$)/.test(text.slice(at))
}

/**
 * The offset behind the comments that follow on the same line, and whether what is put there needs
 * a new line because the last of them runs to the line's end.
 */
export function behindComments(text: string, at: number): { at: number; needsLine: boolean } {
  const last = ts.getTrailingCommentRanges(text, at)?.at(-1)
  if (last === undefined) return { at, needsLine: false }
  return { at: last.end, needsLine: last.kind === ts.SyntaxKind.SingleLineCommentTrivia }
}
