/** Something that the palette finds by its words. */
export interface Findable {
  readonly text: string
  /** More words, such as the project of a branch. */
  readonly note: string
}

/**
 * Returns the items that contain every word of `query`, the best first: a text that begins with the query, then one with a
 * word that begins with it, then the others, each in the given order. Letters match in any case.
 */
export function findItems<Item extends Findable>(
  items: readonly Item[],
  query: string,
  limit: number,
): Item[] {
  const words = fold(query)
    .split(/\s+/)
    .filter((word) => word !== '')
  if (words.length === 0) return items.slice(0, limit)
  return items
    .flatMap((item, at) => {
      const rank = rankOf(item, words)
      return rank === undefined ? [] : [{ item, at, rank }]
    })
    .sort((one, other) => one.rank - other.rank || one.at - other.at)
    .slice(0, limit)
    .map(({ item }) => item)
}

function rankOf({ text, note }: Findable, words: readonly string[]): number | undefined {
  const name = fold(text)
  const all = `${name} ${fold(note)}`
  if (!words.every((word) => all.includes(word))) return undefined
  const [first = ''] = words
  if (name.startsWith(first)) return 0
  if (name.split(/[^\p{L}\p{N}]+/u).some((part) => part.startsWith(first))) return 1
  return name.includes(first) ? 2 : 3
}

function fold(text: string): string {
  return text.normalize('NFKC').toLocaleLowerCase('en')
}
