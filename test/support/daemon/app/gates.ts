import { createDeferred, type Deferred } from '../../../../daemon/async/deferred.ts'

/** Named gates at which a test stalls a caller until it opens the gate again. */
export interface Gates {
  /** Names of all calls of `pass`, in order. */
  readonly passed: readonly string[]
  /** Makes the next `pass` of this name wait. */
  shut(name: string): void
  /** Releases the waiting callers. With an error, their calls throw it. */
  open(name: string, error?: Error): void
  /** Removes all gates. Waiting callers wait for ever, as in a killed process. */
  abandon(): void
  /** Resolves when a caller waits at the gate. */
  reached(name: string): Promise<void>
  pass(name: string, signal?: AbortSignal): Promise<void>
}

interface Gate {
  readonly arrival: Deferred<void>
  readonly opening: Deferred<void>
}

export function createGates(): Gates {
  const gates = new Map<string, Gate>()
  const passed: string[] = []
  return {
    passed,
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
      passed.push(name)
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
