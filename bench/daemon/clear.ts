import { cleanUp, endProcessesOf, processesOf } from '../../test/support/stratad/daemon.ts'

const rounds = 5

/** Ends what runs from a folder, and what that has started in the meantime, and removes the folder. */
export function clear(folder: string): void {
  for (let round = 0; round < rounds && processesOf(folder).length > 0; round += 1) {
    endProcessesOf(folder)
  }
  cleanUp(folder)
}
