/**
 * The order that Biome's `organizeImports` gives paths and names: numbers by their value, letters without
 * regard to case, and where nothing else differs capitals first. For `sort`.
 */
export function byName(a: string, b: string): number {
  const left = parts(a)
  const right = parts(b)
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const order = comparePart(left[i] ?? '', right[i] ?? '')
    if (order !== 0) return order
  }
  return left.length - right.length || compare(a, b)
}

/** Runs of digits, and single other characters. */
function parts(text: string): readonly string[] {
  return text.match(/\d+|\D/g) ?? []
}

function comparePart(a: string, b: string): number {
  const isNumeric = /^\d/.test(a) && /^\d/.test(b)
  return isNumeric ? Number(a) - Number(b) : compare(folded(a), folded(b))
}

/** A slash ends a segment of a path, and what ends first stands first. */
function folded(character: string): string {
  return character === '/' ? '' : character.toLowerCase()
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
