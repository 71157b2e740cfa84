/**
 * Returns true if a glob matches a whole text: `*` and `?` stop at a slash, `**` does not; `[ab]`, `[a-z]`, `[!a]`,
 * `{a,b}`, and `\` to escape. Time is bounded by the product of both lengths: globs are untrusted input, for which
 * matchers based on regular expressions can take hours.
 */
export function isGlobMatch(glob: string, text: string): boolean {
  return expandBraces(glob).some((one) => isMatch(partsOf(one), text))
}

type CharTest = (char: string) => boolean
interface Part {
  readonly matches: CharTest
  readonly isRepeated: boolean
}

const maxAlternatives = 100

/** Expands `a{b,c}d` to `abd` and `acd`. Unclosed braces and braces beyond the limit stay literal. */
function expandBraces(glob: string): string[] {
  let found = [glob]
  for (let round = 0; round < 10; round += 1) {
    const next = found.flatMap(expandFirst)
    if (next.length > maxAlternatives || next.length === found.length) return found
    found = next
  }
  return found
}

function expandFirst(glob: string): string[] {
  const braces = /(?<!\\)\{([^{}]*,[^{}]*)\}/.exec(glob)
  if (!braces) return [glob]
  const [before, after] = [glob.slice(0, braces.index), glob.slice(braces.index + braces[0].length)]
  return (braces[1] ?? '').split(',').map((choice) => `${before}${choice}${after}`)
}

function partsOf(glob: string): Part[] {
  const parts: Part[] = []
  const pattern = /\\(.)|(\*{2,})|(\*)|(\?)|\[([!^]?)([^\]/]+)\]|(.)/gsu
  for (const [, escaped, deep, star, any, not, set, plain] of glob.matchAll(pattern)) {
    if (deep) parts.push({ matches: () => true, isRepeated: true })
    else if (star) parts.push({ matches: (char) => char !== '/', isRepeated: true })
    else if (any) parts.push({ matches: (char) => char !== '/', isRepeated: false })
    else if (set) parts.push({ matches: charSetTest(set, not !== ''), isRepeated: false })
    else parts.push({ matches: (char) => char === (escaped ?? plain), isRepeated: false })
  }
  return parts
}

function charSetTest(set: string, isNegated: boolean): CharTest {
  const ranges = [...set.matchAll(/(.)-(.)|(.)/gsu)].map(([, low, high, one]) => [
    low ?? one ?? '',
    high ?? one ?? '',
  ])
  return (char) => {
    const isIn = ranges.some(([low = '', high = '']) => char >= low && char <= high)
    return char !== '/' && isIn !== isNegated
  }
}

/** Simulates a nondeterministic automaton: tracks every reachable position in the glob, character by character. */
function isMatch(parts: readonly Part[], text: string): boolean {
  let positions = withSkipped(new Set([0]), parts)
  for (const char of text) {
    const next = new Set<number>()
    for (const position of positions) {
      const part = parts[position]
      if (part?.matches(char)) next.add(part.isRepeated ? position : position + 1)
    }
    if (next.size === 0) return false
    positions = withSkipped(next, parts)
  }
  return positions.has(parts.length)
}

/** Adds the positions reached by skipping repeated parts, which may match the empty text. */
function withSkipped(positions: Set<number>, parts: readonly Part[]): Set<number> {
  for (const position of positions) {
    if (parts[position]?.isRepeated) positions.add(position + 1)
  }
  return positions
}
