/** Coalesces tasks: one run serves all callers that joined before the run started. */
export interface Batches<Task> {
  /**
   * Resolves after a run with the same key that started after this call. Rejects if the run fails, or with the reason
   * of `signal`. A run is aborted when all its callers have left.
   */
  join(task: Task, signal: AbortSignal): Promise<void>
  /** Aborts running and waiting batches. Resolves when all have ended. */
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

/** Runs one batch at a time, in the order in which their first callers joined. */
export function createBatches<Task>(
  keyOf: (task: Task) => string,
  run: (task: Task, signal: AbortSignal) => Promise<void>,
): Batches<Task> {
  const queue: Batch<Task>[] = []
  let running: Batch<Task> | undefined
  let working: Promise<void> | undefined

  async function work(): Promise<void> {
    // Lets callers of the same turn of the event loop join this batch.
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
      let batch = queue.find((waiting) => waiting.key === key)
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
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(ended.reason)
    ended.addEventListener('abort', onAbort, { once: true })
  })
  try {
    await Promise.race([batch.done, aborted])
  } finally {
    ended.removeEventListener('abort', onAbort)
    batch.waiting -= 1
    if (batch.waiting === 0) batch.abort.abort()
  }
}
