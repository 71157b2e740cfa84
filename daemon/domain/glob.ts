/**
 * Whether a glob matches the whole of a text: `*` and `?` stop at a slash, `**` does not, `[ab]`, `[a-z]`, `[!a]`,
 * `{a,b}`, `\` before what is meant as it is. The work is bounded by the product of the two lengths; matchers that go by
 * regular expressions take hours for some globs, and globs come from people who may deploy, not from us.
 */
export function isGlobMatch(glob: string, text: string): boolean {
  return alternatives(glob).some((one) => isMatch(tokensOf(one), text))
}

type Token = (char: string) => boolean
interface Part {
  readonly takes: Token
  readonly isRepeated: boolean
}

const mostAlternatives = 100

/** `a{b,c}d` as `abd` and `acd`; braces that are not closed, and too many, are meant as they are. */
function alternatives(glob: string): string[] {
  let found = [glob]
  for (let round = 0; round < 10; round += 1) {
    const next = found.flatMap(expandFirst)
    if (next.length > mostAlternatives || next.length === found.length) return found
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

function tokensOf(glob: string): Part[] {
  const parts: Part[] = []
  const pattern = /\\(.)|(\*{2,})|(\*)|(\?)|\[([!^]?)([^\]/]+)\]|(.)/gsu
  for (const [, escaped, deep, star, any, not, set, plain] of glob.matchAll(pattern)) {
    if (deep) parts.push({ takes: () => true, isRepeated: true })
    else if (star) parts.push({ takes: (char) => char !== '/', isRepeated: true })
    else if (any) parts.push({ takes: (char) => char !== '/', isRepeated: false })
    else if (set) parts.push({ takes: setOf(set, not !== ''), isRepeated: false })
    else parts.push({ takes: (char) => char === (escaped ?? plain), isRepeated: false })
  }
  return parts
}

function setOf(set: string, isNegated: boolean): Token {
  const ranges = [...set.matchAll(/(.)-(.)|(.)/gsu)].map(([, low, high, one]) => [
    low ?? one ?? '',
    high ?? one ?? '',
  ])
  return (char) => {
    const isIn = ranges.some(([low = '', high = '']) => char >= low && char <= high)
    return char !== '/' && isIn !== isNegated
  }
}

/** All the places in the glob where one may be, after each character of the text. */
function isMatch(parts: readonly Part[], text: string): boolean {
  let places = withSkipped(new Set([0]), parts)
  for (const char of text) {
    const next = new Set<number>()
    for (const place of places) {
      const part = parts[place]
      if (part?.takes(char)) next.add(part.isRepeated ? place : place + 1)
    }
    if (next.size === 0) return false
    places = withSkipped(next, parts)
  }
  return places.has(parts.length)
}

/** What repeats may also not be there at all. */
function withSkipped(places: Set<number>, parts: readonly Part[]): Set<number> {
  for (const place of places) {
    if (parts[place]?.isRepeated) places.add(place + 1)
  }
  return places
}
