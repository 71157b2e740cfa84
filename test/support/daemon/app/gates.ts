import { createDeferred, type Deferred } from '../../../../daemon/async/deferred.ts'

/** Doors that a test shuts before something comes by, and opens when it has seen what happens meanwhile. */
export interface Gates {
  shut(name: string): void
  /** Lets through who waits; with an error, they fail. */
  open(name: string, error?: Error): void
  /** Takes the doors away; who stands before one stands there for ever. */
  abandon(): void
  /** Resolves when somebody stands before the door. */
  reached(name: string): Promise<void>
  pass(name: string, signal?: AbortSignal): Promise<void>
}

interface Gate {
  readonly arrival: Deferred<void>
  readonly opening: Deferred<void>
}

export function createGates(): Gates {
  const gates = new Map<string, Gate>()
  return {
    shut: (name) => void gates.set(name, { arrival: createDeferred(), opening: createDeferred() }),
    open(name, error) {
      const gate = gates.get(name)
      gates.delete(name)
      if (error) gate?.opening.reject(error)
      else gate?.opening.resolve()
    },
    abandon: () => gates.clear(),
    async reached(name) {
      const gate = gates.get(name)
      if (!gate) throw new Error(`the gate ${name} is not shut`)
      await gate.arrival.promise
    },
    async pass(name, signal) {
      const gate = gates.get(name)
      if (!gate) return
      gate.arrival.resolve()
      const aborted = createDeferred<void>()
      const abort = () => aborted.reject(signal?.reason)
      signal?.addEventListener('abort', abort, { once: true })
      if (signal?.aborted) abort()
      await Promise.race([gate.opening.promise, aborted.promise])
      signal?.removeEventListener('abort', abort)
    },
  }
}
