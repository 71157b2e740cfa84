/** Runs work for the same name one after the other, for different names side by side. */
export function createLanes(): <T>(name: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>()

  return async (name, work) => {
    const before = last.get(name) ?? Promise.resolve()
    const result = before.then(work, work)
    last.set(name, result)
    try {
      return await result
    } finally {
      if (last.get(name) === result) last.delete(name)
    }
  }
}
