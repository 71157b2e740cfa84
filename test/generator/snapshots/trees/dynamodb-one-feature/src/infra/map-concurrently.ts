/** Returns the results of `work` in the order of the items. At most `limit` calls run at the same time. */
export async function mapConcurrently<T, Result>(
  limit: number,
  items: readonly T[],
  work: (item: T) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const left = items.entries()
  const worker = async () => {
    for (const [at, item] of left) results[at] = await work(item)
  }
  await Promise.all(Array.from({ length: limit }, worker))
  return results
}
