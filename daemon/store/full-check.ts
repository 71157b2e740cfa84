import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'

/**
 * Looks through a whole database file; `location` is a path or a `file:` URL. In a process of its own: a gigabyte takes
 * seconds, and a file made to do harm does it there. (In a thread the library ends the whole process when it stops.)
 * Returns what is wrong, undefined when the file is sound.
 */
export async function findDamage(location: string): Promise<string | undefined> {
  const library = createRequire(import.meta.url).resolve('@photostructure/sqlite')
  try {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['-e', program, '--', library, location],
      { env: {}, timeout: tenMinutesMs, killSignal: 'SIGKILL' },
    )
    return stdout === 'ok' ? undefined : stdout
  } catch (error) {
    return `it could not be looked through: ${error}`
  }
}

const tenMinutesMs = 600_000

/** A text, so that a bundle needs no second file for it. */
const program = `
const [library, location] = process.argv.slice(1)
const { DatabaseSync } = require(library)
const database = new DatabaseSync(location, { readOnly: true })
const [row] = database.prepare('PRAGMA integrity_check(1)').all()
database.close()
process.stdout.write(row.integrity_check)
`
