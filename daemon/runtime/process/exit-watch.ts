import { isAlive, type ProcessIdentity } from './proc.ts'

/** Detects the end of processes that are not child processes of the daemon: Node can wait only for child processes. */
export interface ExitWatch {
  add(process: ProcessIdentity, onEnd: () => void): void
  /** Checks all watched processes now. */
  check(): void
  close(): void
}

/** Polls all processes with one timer, and sets no timer if there are no processes. */
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
