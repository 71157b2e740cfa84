/** Environments whose app is stopped while its data moves. Nothing starts them meanwhile. */
export interface MovingApps {
  has(environmentId: number): boolean
  /** Resolves when the environment does not move (any more). Rejects with the signal's reason. */
  ended(environmentId: number, signal: AbortSignal): Promise<void>
  begin(environmentId: number): () => void
}

export function createMovingApps(): MovingApps {
  const moving = new Map<number, Promise<void>>()
  return {
    has: (id) => moving.has(id),
    async ended(id, signal) {
      const end = moving.get(id)
      if (!end) return
      signal.throwIfAborted()
      const aborted = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      })
      await Promise.race([end, aborted])
    },
    begin(id) {
      let resolveEnd = () => {}
      moving.set(
        id,
        new Promise((resolve) => {
          resolveEnd = resolve
        }),
      )
      return () => {
        moving.delete(id)
        resolveEnd()
      }
    },
  }
}
