/**
 * Replaces the variables in the words of a start command: `${NAME}`, `${NAME:-default}` and `${NAME-default}`; `$$` is a
 * dollar sign. Returns the missing variable if one has neither a value nor a default.
 */
export function expandWords(
  words: readonly string[],
  variables: Readonly<Record<string, string | undefined>>,
): { readonly words: readonly string[] } | { readonly missing: string } {
  let missing: string | undefined
  const expanded = words.map((word) =>
    word.replace(reference, (text, name?: string, sign?: string, fallback?: string) => {
      if (name === undefined) return text === '$$' ? '$' : text
      const value = variables[name]
      if (value !== undefined && !(value === '' && sign === ':-')) return value
      if (sign === undefined) missing ??= name
      return fallback ?? ''
    }),
  )
  return missing === undefined ? { words: expanded } : { missing }
}

/** Returns the words as constants: `expandWords` returns them unchanged. */
export function constantWords(words: readonly string[]): string[] {
  return words.map((word) => word.replaceAll('$', '$$$$'))
}

const reference = /\$\$|\$\{([A-Za-z_]\w*)(?:(:?-)([^{}]*))?\}/g
