import type { NamePair } from './spellings.ts'

/** A place that contains a previous name, and that a person has to decide. */
export interface Leftover {
  readonly path: string
  /** Number of the line, from 1. */
  readonly line: number
  /** The line without its indentation. */
  readonly text: string
}

/** Finds the lines of a text that contain a previous name as a word. */
export function leftoversInText(
  path: string,
  text: string,
  words: readonly NamePair[],
): readonly Leftover[] {
  const pattern = patternOf(words)
  return text
    .split('\n')
    .flatMap((line, i) => (pattern.test(line) ? [{ path, line: i + 1, text: line.trim() }] : []))
}

/** Returns the pattern of the previous names as words. */
export function patternOf(words: readonly NamePair[]): RegExp {
  const names = words.map(({ from }) => from)
  return new RegExp(`(?<![A-Za-z0-9_])(?:${names.join('|')})(?![A-Za-z0-9_])`)
}
