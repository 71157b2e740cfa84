/**
 * Characters with a meaning in the patterns of some store, and what stands for each in a folded text: one of
 * Unicode's private use (U+E000 and on), which no keyboard has. With them gone, "contains" is literal in every
 * kind of store.
 */
export const foldedCharacters: readonly (readonly [character: string, folded: string])[] = [
  ...'%_\\[*?',
].map((character, i) => [character, String.fromCharCode(0xe000 + i)] as const)
