/**
 * Converts a folded text to words of one character, so that a phrase query finds any part of the
 * text. The server splits words at white space and control characters, so words with their code
 * points replace these characters.
 */
export function toSearchText(folded: string): string {
  return Array.from(folded, (each) =>
    separators.test(each) ? `u${each.codePointAt(0)}` : each,
  ).join(' ')
}

const separators = /[\s\p{Cc}]/u
