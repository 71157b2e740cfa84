import { readdir, readFile } from 'node:fs/promises'

/**
 * Kills each process whose initial environment contains `mark` (`NAME=value`), and returns the number of killed
 * processes. Finds child processes that left their process group and orphans of a killed daemon. No-op on systems
 * without `/proc`.
 */
export async function killMarked(mark: string): Promise<number> {
  const entries = await readdir('/proc').catch(() => [])
  const pids = entries.filter((name) => /^\d+$/.test(name)).map(Number)
  const marked = await Promise.all(pids.map((pid) => isMarked(pid, mark)))
  const found = pids.filter((pid, index) => marked[index] && pid !== process.pid)
  for (const pid of found) kill(pid)
  return found.length
}

/** Skip unreadable processes: they belong to other users and are never child processes of the daemon. */
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
