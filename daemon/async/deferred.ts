/** A promise with its resolve and reject functions. Node 20 lacks `Promise.withResolvers`. */
export interface Deferred<T> {
  readonly promise: Promise<T>
  resolve(value: T): void
  reject(error: unknown): void
}

export function createDeferred<T>(): Deferred<T> {
  let settle: Pick<Deferred<T>, 'resolve' | 'reject'> | undefined
  const promise = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject }
  })
  // `new Promise` calls its executor synchronously, so `settle` is set.
  return { promise, ...(settle as unknown as Pick<Deferred<T>, 'resolve' | 'reject'>) }
}
