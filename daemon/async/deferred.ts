/** A promise and what settles it (`Promise.withResolvers`, which Node 20 lacks). */
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
  // The executor of a promise has run when its constructor returns.
  return { promise, ...(settle as unknown as Pick<Deferred<T>, 'resolve' | 'reject'>) }
}
