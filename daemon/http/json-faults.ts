const maxDepth = 32

/**
 * What is wrong with the texts and keys of parsed JSON, as a sentence, or undefined: NUL (databases cut there), halves
 * of surrogate pairs (no UTF-8 has them), keys that reach prototypes, nesting that no body of ours needs.
 */
export function jsonFault(value: unknown): string | undefined {
  const rest: { value: unknown; depth: number }[] = [{ value, depth: 0 }]
  for (let item = rest.pop(); item; item = rest.pop()) {
    if (typeof item.value === 'string') {
      const fault = oddText(item.value)
      if (fault) return fault
    } else if (typeof item.value === 'object' && item.value !== null) {
      if (item.depth >= maxDepth) return `is nested deeper than ${maxDepth} levels`
      for (const key of Object.keys(item.value)) {
        if (key === '__proto__') return 'has __proto__, which is not a known field'
        const fault = oddText(key)
        if (fault) return fault
      }
      for (const child of Object.values(item.value)) {
        rest.push({ value: child, depth: item.depth + 1 })
      }
    }
  }
  return undefined
}

function oddText(text: string): string | undefined {
  if (text.includes('\0')) return 'holds a NUL character'
  return text.isWellFormed() ? undefined : 'holds half a surrogate pair'
}
