/** Characters with a special meaning in the search patterns of some store. */
const wildcards = '%_\\[*?'

/** First code point of Unicode's private use area: users do not type these characters. */
const firstPlaceholder = 0xe000

/**
 * Returns the form of a text that searches compare: lower case, with wildcards replaced by placeholders.
 * Stores compare case and wildcards differently; this form gives the same results in all of them.
 */
export function foldText(text: string): string {
  const folded = text.normalize('NFC').toLowerCase().replaceAll('ς', 'σ')
  return folded.replace(/[%_\\[*?]/g, (each) =>
    String.fromCharCode(firstPlaceholder + wildcards.indexOf(each)),
  )
}
