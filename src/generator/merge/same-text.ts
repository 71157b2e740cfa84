/** Returns true if two versions of a file are equal, or differ only in the layout of their code. */
export async function isSameText(path: string, one: string, other: string): Promise<boolean> {
  if (one === other) return true
  if (/\.(ts|mjs)$/.test(path)) return hasSameTokens(path, one, other)
  if (path.endsWith('.prisma')) return withoutSpaces(one) === withoutSpaces(other)
  return false
}

/** Formats both versions alike first: formatters add and remove parentheses. */
async function hasSameTokens(path: string, one: string, other: string): Promise<boolean> {
  const { emittedStyle, formatScript } = await import('../render/format.ts')
  const { isSameScript } = await import('./syntax-node.ts')
  const inOneStyle = async (text: string) => (await formatScript(path, text, emittedStyle)) ?? text
  return isSameScript(await inOneStyle(one), await inOneStyle(other))
}

function withoutSpaces(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
