import { cleanUp, endProcessesOf, processesOf } from '../../test/support/stratad/daemon.ts'

const rounds = 5

/**
 * Kills all processes of a folder and removes the folder. Repeats the kill, because a process may
 * start other processes meanwhile.
 */
export function clear(folder: string): void {
  for (let round = 0; round < rounds && processesOf(folder).length > 0; round += 1) {
    endProcessesOf(folder)
  }
  cleanUp(folder)
}
