import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'

/**
 * Runs an integrity check on a database; `location` is a path or a `file:` URL. Returns the fault, or undefined. Uses a
 * child process, because a gigabyte takes seconds and a malicious file could harm the daemon. A worker thread is
 * unsuitable: the library ends the whole process when the thread stops.
 */
export async function fullCheck(location: string): Promise<string | undefined> {
  const library = createRequire(import.meta.url).resolve('@photostructure/sqlite')
  try {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['-e', program, '--', library, location],
      { env: {}, timeout: tenMinutesMs, killSignal: 'SIGKILL' },
    )
    return stdout === 'ok' ? undefined : stdout
  } catch (error) {
    return `the integrity check failed: ${error}`
  }
}

const tenMinutesMs = 600_000

/** Source code of the child process. A string, so that the bundle needs no second file. */
const program = `
const [library, location] = process.argv.slice(1)
const { DatabaseSync } = require(library)
const database = new DatabaseSync(location, { readOnly: true })
const [row] = database.prepare('PRAGMA integrity_check(1)').all()
database.close()
process.stdout.write(row.integrity_check)
`
