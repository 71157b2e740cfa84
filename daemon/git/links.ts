/**
 * Returns the first symlink that leaves the folder, also through other links, or that is circular. `links` maps paths in
 * the folder to targets. Every other path counts as a folder, because the app may create it.
 */
export function escapingLink(links: ReadonlyMap<string, string>): string | undefined {
  for (const path of links.keys()) if (isEscaping(path, links)) return path
  return undefined
}

/** Maximum number of links to follow, far more than Linux's 40: an app may resolve links itself. */
const maxSteps = 1000

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
    if (steps > maxSteps) return true
    todo.push(...target.split('/').reverse())
  }
  return false
}
