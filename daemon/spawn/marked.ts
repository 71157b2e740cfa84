import { readdir, readFile } from 'node:fs/promises'

/**
 * Kills what carries `mark` (`NAME=value`) in the environment it was started with, and gives how many there were: children
 * that left their process group, or whose daemon died. Where the system has no `/proc` it finds none.
 */
export async function killMarked(mark: string): Promise<number> {
  const entries = await readdir('/proc').catch(() => [])
  const pids = entries.filter((name) => /^\d+$/.test(name)).map(Number)
  const marked = await Promise.all(pids.map((pid) => isMarked(pid, mark)))
  const found = pids.filter((pid, index) => marked[index] && pid !== process.pid)
  for (const pid of found) kill(pid)
  return found.length
}

/** Processes of other users are not readable, and not ours. */
async function isMarked(pid: number, mark: string): Promise<boolean> {
  const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')
  return environment.split('\0').includes(mark)
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
