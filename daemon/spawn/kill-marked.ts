import { readdir, readFile } from 'node:fs/promises'

/**
 * Kills each process whose initial environment contains `mark` (`NAME=value`), and returns their number. This finds
 * children that left their process group and orphans of a killed daemon. On a system without `/proc` it finds none.
 */
export async function killMarked(mark: string): Promise<number> {
  const entries = await readdir('/proc').catch(() => [])
  const pids = entries.filter((name) => /^\d+$/.test(name)).map(Number)
  const marked = await Promise.all(pids.map((pid) => isMarked(pid, mark)))
  const found = pids.filter((pid, index) => marked[index] && pid !== process.pid)
  for (const pid of found) kill(pid)
  return found.length
}

/** The environment of another user's process is unreadable; such a process is never one of the daemon's children. */
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
