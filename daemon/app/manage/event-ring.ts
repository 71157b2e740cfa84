/** The newest events of this daemon, numbered from 1 without gaps. */
export interface EventRing<Event> {
  append(event: Event): void
  /** Returns the number of the newest event; 0 if there is none. */
  head(): number
  /** Returns the event with this number; undefined if it is not in the ring. */
  at(number: number): Event | undefined
  /** Returns true if the ring has every event after this number. */
  isComplete(after: number): boolean
  /** Resolves when an event follows this number, or when `signal` is aborted. */
  awaitAfter(number: number, signal: AbortSignal): Promise<void>
}

/** Creates a ring that keeps the newest `capacity` events. */
export function createEventRing<Event>(capacity: number): EventRing<Event> {
  const slots: Event[] = []
  const waiting = new Set<() => void>()
  let head = 0

  const isKept = (number: number) => number > 0 && number <= head && number > head - capacity

  return {
    append(event) {
      slots[head % capacity] = event
      head += 1
      for (const wake of [...waiting]) wake()
    },
    head: () => head,
    at: (number) => (isKept(number) ? slots[(number - 1) % capacity] : undefined),
    isComplete: (after) => after >= 0 && after <= head && after >= head - capacity,
    awaitAfter: (number, signal) =>
      new Promise((resolve) => {
        if (head > number || signal.aborted) return resolve()
        const wake = () => {
          waiting.delete(wake)
          signal.removeEventListener('abort', wake)
          resolve()
        }
        waiting.add(wake)
        signal.addEventListener('abort', wake, { once: true })
      }),
  }
}
