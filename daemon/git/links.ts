/**
 * The first of the links that can lead out of the folder, directly or through other links, or goes in a circle; undefined
 * when none does. `links`: targets by path in the folder. What is no link is taken for a folder, there or not: a program may make it.
 */
export function escapingLink(links: ReadonlyMap<string, string>): string | undefined {
  for (const path of links.keys()) if (isEscaping(path, links)) return path
  return undefined
}

/** Far more than the 40 that Linux follows: a program may follow links on its own. */
const mostSteps = 1000

function isEscaping(path: string, links: ReadonlyMap<string, string>): boolean {
  const todo = path.split('/').reverse()
  const place: string[] = []
  let steps = 0
  for (let part = todo.pop(); part !== undefined; part = todo.pop()) {
    if (part === '' || part === '.') continue
    if (part === '..') {
      if (place.length === 0) return true
      place.pop()
      continue
    }
    const target = links.get([...place, part].join('/'))
    if (target === undefined) {
      place.push(part)
      continue
    }
    if (target.startsWith('/')) return true
    steps += 1
    if (steps > mostSteps) return true
    todo.push(...target.split('/').reverse())
  }
  return false
}
