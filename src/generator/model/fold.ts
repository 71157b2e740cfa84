/**
 * Pattern characters of the stores, with their replacements in folded texts: private-use characters of Unicode
 * (from U+E000), which no keyboard types. Without pattern characters, "contains" is literal in every store kind.
 */
export const foldedCharacters: readonly (readonly [character: string, folded: string])[] = [
  ...'%_\\[*?',
].map((character, i) => [character, String.fromCharCode(0xe000 + i)] as const)
