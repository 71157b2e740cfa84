import { distance } from 'fastest-levenshtein'

/** Returns ` did you mean string?` if a valid word is near, else an empty text. */
export function didYouMean(word: string, words: readonly string[]): string {
  const near = nearest(word, words)
  return near === undefined ? '' : ` did you mean ${near}?`
}

/** Returns the valid word at the smallest edit distance, if that is at most half of the longer word. */
export function nearest(word: string, words: readonly string[]): string | undefined {
  const [near] = words
    .map((candidate) => ({ candidate, edits: distance(word.toLowerCase(), candidate) }))
    .filter(({ candidate, edits }) => edits <= Math.max(word.length, candidate.length) / 2)
    .sort((a, b) => a.edits - b.edits)
  return near?.candidate
}
