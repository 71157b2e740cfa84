const maxDepth = 32

/**
 * Finds faults in the strings and keys of parsed JSON: NUL (databases truncate there), unpaired surrogates (not valid
 * UTF-8), the key `__proto__` and deep nesting. Returns the first fault as the end of a sentence, or undefined.
 */
export function jsonFault(value: unknown): string | undefined {
  const rest: { value: unknown; depth: number }[] = [{ value, depth: 0 }]
  for (let item = rest.pop(); item; item = rest.pop()) {
    if (typeof item.value === 'string') {
      const fault = textFault(item.value)
      if (fault) return fault
    } else if (typeof item.value === 'object' && item.value !== null) {
      if (item.depth >= maxDepth) return `is nested deeper than ${maxDepth} levels`
      for (const key of Object.keys(item.value)) {
        if (key === '__proto__') return 'has __proto__, which is not a known field'
        const fault = textFault(key)
        if (fault) return fault
      }
      for (const child of Object.values(item.value)) {
        rest.push({ value: child, depth: item.depth + 1 })
      }
    }
  }
  return undefined
}

function textFault(text: string): string | undefined {
  if (text.includes('\0')) return 'contains a NUL character'
  return text.isWellFormed() ? undefined : 'contains an unpaired surrogate'
}
