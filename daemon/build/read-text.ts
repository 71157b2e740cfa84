import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { DaemonError } from '../errors.ts'

/** Maximum size of a file of a checkout that the daemon reads. The lock file of a large repository has 5 MiB. */
const maxMib = 64

/**
 * Reads a file of a checkout. Returns undefined if it is missing. Throws DaemonError `unprocessable` for anything but a
 * file of ordinary size: a FIFO, for example, would block the read.
 */
export async function readText(root: string, name: string): Promise<string | undefined> {
  try {
    const file = await open(join(root, name), constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      const status = await file.stat()
      if (!status.isFile()) throw new DaemonError('unprocessable', `${name} is not a file`)
      if (status.size > maxMib * 2 ** 20) {
        throw new DaemonError('unprocessable', `${name} is larger than ${maxMib} MiB`)
      }
      return await file.readFile('utf8')
    } finally {
      await file.close()
    }
  } catch (error) {
    if (error instanceof DaemonError) throw error
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    throw new DaemonError('unprocessable', `${name} cannot be read (${code})`, { cause: error })
  }
}
