import { watch } from 'node:fs'

/** Without events of the file system, looked at so often. */
const pollMs = 200

/** Calls `onChange` when something in a folder changes; returns what ends it. Holds no process back. */
export function watchFolder(folder: string, onChange: () => void): () => void {
  let timer: NodeJS.Timeout | undefined
  const poll = () => {
    timer ??= setInterval(onChange, pollMs).unref()
  }
  const watcher = tryWatch()

  function tryWatch() {
    try {
      return watch(folder, { persistent: false }, onChange).on('error', poll)
    } catch {
      // The limit of watches is reached (ENOSPC).
      poll()
      return undefined
    }
  }

  return () => {
    watcher?.close()
    clearInterval(timer)
  }
}
