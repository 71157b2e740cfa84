/**
 * Compares names and paths like Biome's `organizeImports`: punctuation, numbers by value, then letters, each
 * upper-case letter just before its lower-case letter. For `sort`.
 */
export function byName(a: string, b: string): number {
  const left = parts(a)
  const right = parts(b)
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const order = rank(left[i] ?? '') - rank(right[i] ?? '')
    if (order !== 0) return order
  }
  return left.length - right.length
}

/** Order of punctuation, measured: Biome 2.6 does not document it. */
const punctuation = '/._-$'

/** Minimum rank of letters; numbers in names rank lower. */
const letters = 2 ** 40

/** Splits a text into runs of digits and single other characters. */
function parts(text: string): readonly string[] {
  return text.match(/\d+|\D/g) ?? []
}

function rank(part: string): number {
  if (/^\d/.test(part)) return punctuation.length + Number(part)
  const place = punctuation.indexOf(part)
  if (place >= 0) return place
  const isLowerCase = part !== part.toUpperCase()
  return letters + 2 * part.toUpperCase().charCodeAt(0) + (isLowerCase ? 1 : 0)
}

/**
 * Compares import sources in emitted code, for `sort`: Node modules, packages, then relative paths from the
 * farthest folder to the nearest. Sorts by name within each group.
 */
export function bySource(a: string, b: string): number {
  return groupOf(a) - groupOf(b) || byName(a, b)
}

/** Sort key of a source's group; lower groups come first. */
function groupOf(source: string): number {
  if (source.startsWith('node:')) return 0
  if (!source.startsWith('.')) return 1
  return 1000 - (source.match(/\.\.\//g)?.length ?? 0)
}
