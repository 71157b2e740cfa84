/** Characters with a meaning in the patterns of some store. */
const wildcards = '%_\\[*?'

/** The first of Unicode's private use: no keyboard has them. */
const standIns = 0xe000

/**
 * The form in which texts are searched, and searched for: blind to case, and without wildcards, so that every
 * store finds the same.
 */
export function foldText(text: string): string {
  const folded = text.normalize('NFC').toLowerCase().replaceAll('ς', 'σ')
  return folded.replace(/[%_\\[*?]/g, (each) =>
    String.fromCharCode(standIns + wildcards.indexOf(each)),
  )
}
