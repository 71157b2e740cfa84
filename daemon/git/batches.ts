/** Work of one kind that one run does for all who asked before it began. */
export interface Batches<Task> {
  /**
   * Resolves after a run for a task of the same key that began after this call; rejects as that run does, or with the reason of `signal`.
   * A run that nobody waits for any more is aborted.
   */
  join(task: Task, signal: AbortSignal): Promise<void>
  /** Aborts what runs and what waits, and resolves when nothing does any more. */
  stop(reason: Error): Promise<void>
}

interface Batch<Task> {
  readonly task: Task
  readonly key: string
  readonly abort: AbortController
  readonly done: Promise<void>
  settle(run: Promise<void>): void
  waiting: number
}

/** Runs of all keys go one after the other, in the order in which each was first asked for. */
export function createBatches<Task>(
  keyOf: (task: Task) => string,
  run: (task: Task, signal: AbortSignal) => Promise<void>,
): Batches<Task> {
  const queue: Batch<Task>[] = []
  let running: Batch<Task> | undefined
  let working: Promise<void> | undefined

  async function work(): Promise<void> {
    // Those who ask within one turn of the event loop go together.
    await new Promise(setImmediate)
    for (let batch = queue.shift(); batch; batch = queue.shift()) {
      if (batch.waiting === 0) continue
      running = batch
      batch.settle(run(batch.task, batch.abort.signal))
      await batch.done.catch(() => {})
      running = undefined
    }
    working = undefined
  }

  return {
    async join(task, signal) {
      signal.throwIfAborted()
      const key = keyOf(task)
      let batch = queue.find((one) => one.key === key)
      if (!batch) {
        batch = createBatch(task, key)
        queue.push(batch)
      }
      working ??= work()
      await waitFor(batch, signal)
    },
    async stop(reason) {
      for (const batch of [...queue.splice(0), running]) batch?.abort.abort(reason)
      while (working) await working
    },
  }
}

function createBatch<Task>(task: Task, key: string): Batch<Task> {
  let settle: (run: Promise<void>) => void = () => {}
  const done = new Promise<void>((resolve) => {
    settle = resolve
  })
  done.catch(() => {})
  return { task, key, abort: new AbortController(), done, settle, waiting: 0 }
}

async function waitFor(batch: Batch<unknown>, signal: AbortSignal): Promise<void> {
  batch.waiting += 1
  let onAbort = () => {}
  const ended = AbortSignal.any([signal, batch.abort.signal])
  const given = new Promise<never>((_, reject) => {
    onAbort = () => reject(ended.reason)
    ended.addEventListener('abort', onAbort, { once: true })
  })
  try {
    await Promise.race([batch.done, given])
  } finally {
    ended.removeEventListener('abort', onAbort)
    batch.waiting -= 1
    if (batch.waiting === 0) batch.abort.abort()
  }
}
