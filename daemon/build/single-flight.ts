/** Runs work once for all concurrent callers with the same key. */
export interface SingleFlight<Value> {
  /** Joins the current run of `key` or starts one. The run is aborted when all its callers have aborted. */
  share(
    key: string,
    signal: AbortSignal,
    run: (signal: AbortSignal) => Promise<Value>,
  ): { readonly isFirst: boolean; readonly value: Promise<Value> }
}

interface Flight<Value> {
  readonly value: Promise<Value>
  readonly abort: AbortController
  waiting: number
}

export function createSingleFlight<Value>(): SingleFlight<Value> {
  const flights = new Map<string, Flight<Value>>()
  return {
    share(key, signal, run) {
      const known = flights.get(key)
      if (known && !known.abort.signal.aborted) {
        return { isFirst: false, value: wait(known, signal) }
      }
      const abort = new AbortController()
      // Wait for the end of an aborted run.
      const before = known?.value.then(ignore, ignore) ?? Promise.resolve()
      const flight: Flight<Value> = {
        abort,
        waiting: 0,
        value: before.then(() => run(abort.signal)),
      }
      flights.set(key, flight)
      const leave = () => {
        if (flights.get(key) === flight) flights.delete(key)
      }
      flight.value.then(leave, leave)
      return { isFirst: true, value: wait(flight, signal) }
    },
  }
}

async function wait<Value>(flight: Flight<Value>, signal: AbortSignal): Promise<Value> {
  flight.waiting += 1
  let onAbort = ignore
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason)
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
  })
  try {
    return await Promise.race([flight.value, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
    flight.waiting -= 1
    if (flight.waiting === 0) flight.abort.abort()
  }
}

function ignore(): void {}
