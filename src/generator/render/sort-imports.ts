import { byName, bySource } from './order.ts'

/** Matches one import statement as templates write it. */
const statement = /^import (?:type )?(?:[^;'"]*? from )?'([^']+)'\n/

interface Import {
  readonly text: string
  readonly source: string
}

/**
 * Sorts the imports at the start of a file like Biome's `organizeImports`: sources by `bySource`, names by `byName`.
 * Everything from the first comment, blank line or other statement stays unchanged.
 */
export function sortImports(text: string): string {
  const imports: Import[] = []
  let rest = text
  for (let match = statement.exec(rest); match; match = statement.exec(rest)) {
    imports.push({ text: sortNames(match[0]), source: match[1] ?? '' })
    rest = rest.slice(match[0].length)
  }
  const sorted = imports.toSorted((a, b) => bySource(a.source, b.source))
  return sorted.map((each) => each.text).join('') + rest
}

function sortNames(text: string): string {
  return text.replace(/\{([^}]*)\}/, (_, names: string) => {
    const list = names.split(',').map((name) => name.trim())
    return `{ ${list.filter(Boolean).toSorted(byLocalName).join(', ')} }`
  })
}

function byLocalName(a: string, b: string): number {
  return byName(localName(a), localName(b))
}

/** Returns the local name of an import: `Row` for `Post as Row`. */
function localName(name: string): string {
  return name.replace(/^type /, '').replace(/^.* as /, '')
}
