import { isAlive, type ProcessIdentity } from './proc.ts'

/** Notices the end of processes that are no children of this one: Node can wait for its children only. */
export interface ExitWatch {
  add(process: ProcessIdentity, onEnd: () => void): void
  /** Looks now. */
  check(): void
  close(): void
}

/** One timer for all, and none when there is nobody to watch. */
export function createExitWatch(everyMs: number): ExitWatch {
  const watched = new Map<ProcessIdentity, () => void>()
  let timer: NodeJS.Timeout | undefined

  function check(): void {
    for (const [process, onEnd] of [...watched]) {
      if (isAlive(process)) continue
      watched.delete(process)
      onEnd()
    }
    if (watched.size === 0) close()
  }

  function close(): void {
    clearInterval(timer)
    timer = undefined
  }

  return {
    add(process, onEnd) {
      watched.set(process, onEnd)
      timer ??= setInterval(check, everyMs).unref()
    },
    check,
    close,
  }
}
