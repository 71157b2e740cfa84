import { watch } from 'node:fs'

/** Polling interval if file system events are unavailable. */
const pollMs = 200

/** Calls `onChange` at each change in a folder. Returns the function that stops it. Does not keep the process alive. */
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
      // The system's limit of file watchers is reached (ENOSPC): fall back to polling.
      poll()
      return undefined
    }
  }

  return () => {
    watcher?.close()
    clearInterval(timer)
  }
}
