import { byName, bySource } from './order.ts'

/** An import as the templates write it: one statement, its source last. */
const statement = /^import (?:type )?(?:[^;'"]*? from )?'([^']+)'\n/

interface Import {
  readonly text: string
  readonly source: string
}

/**
 * Sorts the imports a file begins with: by source as `organizeImports` of Biome does (Node, packages, then
 * relative from far to near), and the names within each. Imports that a comment or a blank line parts are
 * sorted apart. The rest of the text is left alone.
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

/** What this file calls it: `Row` of `Post as Row`. */
function localName(name: string): string {
  return name.replace(/^type /, '').replace(/^.* as /, '')
}
