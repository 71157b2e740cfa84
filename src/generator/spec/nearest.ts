import { distance } from 'fastest-levenshtein'

/** Returns ` did you mean string?` if a valid word is near, else an empty text. */
export function didYouMean(word: string, words: readonly string[]): string {
  const near = nearest(word, words)
  return near === undefined ? '' : ` did you mean ${near}?`
}

/**
 * Returns the valid word at the smallest edit distance, if that is at most half of the longer word. Case does not count,
 * and two swapped letters are one edit.
 */
export function nearest(word: string, words: readonly string[]): string | undefined {
  const [near] = words
    .map((candidate) => ({
      candidate,
      edits: editsBetween(word.toLowerCase(), candidate.toLowerCase()),
    }))
    .filter(({ candidate, edits }) => edits <= Math.max(word.length, candidate.length) / 2)
    .sort((a, b) => a.edits - b.edits)
  return near?.candidate
}

function editsBetween(word: string, other: string): number {
  return isSwapped(word, other) ? 1 : distance(word, other)
}

/** Returns true if two neighbouring letters are the only difference: `itn` and `int`. */
function isSwapped(word: string, other: string): boolean {
  const at = [...word].findIndex((letter, i) => letter !== other[i])
  const swapped = `${word.slice(0, at)}${word[at + 1] ?? ''}${word[at] ?? ''}${word.slice(at + 2)}`
  return at !== -1 && swapped === other
}
