import type { Merged, Texts } from './merge.ts'
import { mergeLines } from './merge-lines.ts'
import { mergeSyntax } from './merge-syntax.ts'
import { scriptStyle } from './script-style.ts'

/**
 * Merges three versions of a script. A reformatted file is compared with the emitted texts in its own format. If
 * lines still conflict, declarations and their members are merged by name. Returns `undefined` if a version does not
 * parse.
 */
export async function mergeScript(path: string, texts: Texts): Promise<Merged | undefined> {
  const style = await scriptStyle(path, texts)
  const styled = {
    base: await style.format(texts.base),
    disk: texts.disk,
    next: await style.format(texts.next),
  }
  const byLines = mergeLines(styled)
  if (byLines.hunks.length === 0) return byLines
  const merged = mergeSyntax(path, styled)
  if (merged === undefined) return undefined
  const { hunks, mine, theirs } = merged
  return { hunks, mine: await style.tidy(mine), theirs: await style.tidy(theirs) }
}
