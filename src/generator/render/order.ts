/**
 * The order that Biome's `organizeImports` gives paths and names: punctuation, then numbers by their value,
 * then letters, of which each capital stands right before its small one. For `sort`.
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

/** Measured: Biome 2.6 has no document of it. */
const punctuation = '/._-$'

/** Letters rank from here on; no number in a name is as great. */
const letters = 2 ** 40

/** Runs of digits, and single other characters. */
function parts(text: string): readonly string[] {
  return text.match(/\d+|\D/g) ?? []
}

function rank(part: string): number {
  if (/^\d/.test(part)) return punctuation.length + Number(part)
  const place = punctuation.indexOf(part)
  if (place >= 0) return place
  const isSmall = part !== part.toUpperCase()
  return letters + 2 * part.toUpperCase().charCodeAt(0) + (isSmall ? 1 : 0)
}

/**
 * The order of import sources in emitted code, for `sort`: Node's modules, packages, then relative ones from
 * far to near; by name within each.
 */
export function bySource(a: string, b: string): number {
  return distance(a) - distance(b) || byName(a, b)
}

/** Sources of a lower distance stand first. */
function distance(source: string): number {
  if (source.startsWith('node:')) return 0
  if (!source.startsWith('.')) return 1
  return 1000 - (source.match(/\.\.\//g)?.length ?? 0)
}
