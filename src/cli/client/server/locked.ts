import { acquireStartLock } from '../daemon/start-lock.ts'
import { ClientError } from '../errors/client-error.ts'
import { layout } from './layout.ts'
import { readRecord, type ServerRecord } from './record.ts'
import { isSystemdRunning } from './service.ts'

/** Runs work that changes the versions of the server, one process at a time. Throws ClientError without systemd. */
export async function withServerLock<T>(work: (record: ServerRecord) => Promise<T>): Promise<T> {
  readRecord()
  if (!isSystemdRunning()) {
    throw new ClientError('systemd does not run on this machine: it starts and stops the daemon')
  }
  const release = acquireStartLock(layout.programs)
  if (!release) throw new ClientError('another strata server command is running: wait for its end')
  try {
    // Read again: another command may have ended since.
    return await work(readRecord())
  } finally {
    release()
  }
}
