import { distance } from 'fastest-levenshtein'

/** ` did you mean string?` for a word near enough to a valid one, else nothing. */
export function didYouMean(word: string, words: readonly string[]): string {
  const near = nearest(word, words)
  return near === undefined ? '' : ` did you mean ${near}?`
}

/** The valid word with the fewest edits to the given one, if no more than half of it is edited. */
export function nearest(word: string, words: readonly string[]): string | undefined {
  const [near] = words
    .map((candidate) => ({ candidate, edits: distance(word.toLowerCase(), candidate) }))
    .filter(({ candidate, edits }) => edits <= Math.max(word.length, candidate.length) / 2)
    .sort((a, b) => a.edits - b.edits)
  return near?.candidate
}
