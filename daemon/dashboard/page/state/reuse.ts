/**
 * Returns `next` with each part that equals the same part of `previous` replaced by it, and `previous` itself if both are
 * equal. Lists match their records by `id`. The view then skips all that did not change.
 */
export function reuse<T>(previous: unknown, next: T): T {
  // The casts hold: a reused part equals the part that it replaces.
  if (Array.isArray(next) && Array.isArray(previous)) {
    const byId = new Map(previous.map((item) => [idOf(item), item]))
    const items = next.map((item, at) => {
      const id = idOf(item)
      return reuse(id === undefined ? previous[at] : byId.get(id), item)
    })
    const isSame =
      items.length === previous.length && items.every((item, at) => item === previous[at])
    return (isSame ? previous : items) as T
  }
  if (isRecord(next) && isRecord(previous)) {
    const keys = Object.keys(next)
    const entries = keys.map((key) => [key, reuse(previous[key], next[key])] as const)
    const isSame =
      keys.length === Object.keys(previous).length &&
      entries.every(([key, value]) => value === previous[key])
    return (isSame ? previous : Object.fromEntries(entries)) as T
  }
  return next
}

function idOf(item: unknown): unknown {
  return isRecord(item) ? item.id : undefined
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
