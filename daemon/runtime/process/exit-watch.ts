import { isAlive, type ProcessIdentity } from './proc.ts'

/** Detects the end of processes that are not children of this process: Node can wait only for children. */
export interface ExitWatch {
  add(process: ProcessIdentity, onEnd: () => void): void
  /** Checks all processes now. */
  check(): void
  close(): void
}

/** Polls with one timer for all processes, and no timer if there are none. */
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
