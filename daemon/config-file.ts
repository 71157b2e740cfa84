import { randomUUID } from 'node:crypto'
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { isAbsent, renameDurably } from './durable-files.ts'
import { DaemonError } from './errors.ts'

/** Settings of the daemon by name, for example `SERVICE_ADDR`. */
export type SettingValues = Readonly<Record<string, string>>
type Env = Readonly<Record<string, string | undefined>>

/** The settings file of a data folder. Each line is empty, a comment or an assignment. */
export interface ConfigFile {
  readonly path: string
  readonly values: SettingValues
  readonly lines: readonly string[]
}

const maxBytes = 65_536

/** Returns the path of the file that keeps the settings of a data folder. */
export function configPath(dataDir: string): string {
  return join(dataDir, 'config.env')
}

/** Returns SERVICE_DATA_DIR, otherwise the state folder of the XDG base directory specification. */
export function dataDirOf(env: Env): string {
  const state = env.XDG_STATE_HOME || join(homedir(), '.local/state')
  return resolve(env.SERVICE_DATA_DIR || join(state, 'strata'))
}

/**
 * Returns the variables of `env`, completed by the settings file of its data folder. A variable of `env` wins, unless
 * it is empty. Throws DaemonError if the file can't be used.
 */
export function withConfigFile(env: Env, warn: (message: string) => void): Env {
  const { values } = readConfigFile(dataDirOf(env), warn)
  const given = Object.entries(env).filter(([, value]) => value !== undefined && value !== '')
  return { ...values, ...Object.fromEntries(given) }
}

/**
 * Reads the settings file. A missing file has no lines. Closes an open file to other users, and calls `warn`. Throws
 * DaemonError for a file of another user, and for a malformed line: the message has its number, never its text.
 */
export function readConfigFile(
  dataDir: string,
  warn: (message: string) => void = () => {},
): ConfigFile {
  const path = configPath(dataDir)
  const text = readText(path, warn)
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n')
  const values: Record<string, string> = {}
  for (const [at, line] of lines.entries()) {
    if (/^\s*(#|$)/.test(line)) continue
    const place = `${path}, line ${at + 1}`
    const name = nameIn(line)
    if (name === undefined) {
      throw new DaemonError(
        'internal',
        `${place}: expected SERVICE_<NAME>=value or a # comment, on one line`,
      )
    }
    refuseDataDir(name, place)
    values[name] = parseEnv(line)[name] ?? ''
  }
  return { path, values, lines }
}

/**
 * Changes settings in the file durably: a value of undefined removes the line. Other lines stay. Readers see the old
 * or the new file. The file gets the owner of the data folder. Throws DaemonError for a value that no line can hold.
 */
export async function changeConfigFile(
  dataDir: string,
  changes: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const { path, lines } = readConfigFile(dataDir)
  const missing = new Map(Object.entries(changes).filter(([, value]) => value !== undefined))
  const kept = lines.flatMap((line) => {
    const name = nameIn(line)
    if (name === undefined || !(name in changes)) return [line]
    // The first line of a name takes the new value; repetitions go.
    const value = missing.get(name)
    return missing.delete(name) && value !== undefined ? [assignment(name, value)] : []
  })
  const added = [...missing].map(([name, value = '']) => assignment(name, value))
  const text = [...kept, ...added].map((line) => `${line}\n`).join('')
  const part = `${path}.${randomUUID()}`
  try {
    writePart(part, text, statSync(dataDir))
    await renameDurably(part, path)
  } catch (cause) {
    rmSync(part, { force: true })
    throw new DaemonError('internal', `${path} can't be written (${codeOf(cause)})`, { cause })
  }
}

function writePart(part: string, text: string, { uid, gid }: Stats): void {
  const file = openSync(part, 'wx', 0o600)
  try {
    if (process.geteuid?.() === 0) fchownSync(file, uid, gid)
    writeFileSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

function readText(path: string, warn: (message: string) => void): string {
  let file: number | undefined
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const stats = fstatSync(file)
    if (!stats.isFile() || stats.size > maxBytes) {
      throw new DaemonError(
        'internal',
        `${path} must be a file of at most ${maxBytes / 1024} KiB: remove it`,
      )
    }
    checkOwner(path, stats)
    closeToOthers(path, file, stats, warn)
    return readFileSync(file, 'utf8')
  } catch (cause) {
    if (cause instanceof DaemonError) throw cause
    if (isAbsent(cause) || codeOf(cause) === 'ENOTDIR') return ''
    const isLink = codeOf(cause) === 'ELOOP'
    const reason = isLink ? 'it is a symbolic link: replace it by a file' : codeOf(cause)
    throw new DaemonError('internal', `${path} can't be read (${reason})`, { cause })
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

/** A file of another user would let that user change the daemon's settings. */
function checkOwner(path: string, { uid }: Stats): void {
  const own = process.geteuid?.()
  if (own === undefined || uid === own || uid === 0) return
  // Root may read the file of a daemon that runs as the owner of the data folder.
  if (own === 0 && uid === statSync(join(path, '..')).uid) return
  throw new DaemonError(
    'internal',
    `${path} belongs to user ${uid}, and the daemon runs as user ${own}: chown the file to the daemon's user`,
  )
}

function closeToOthers(
  path: string,
  file: number,
  { mode }: Stats,
  warn: (message: string) => void,
): void {
  if ((mode & 0o077) === 0) return
  const shown = (mode & 0o777).toString(8).padStart(4, '0')
  try {
    fchmodSync(file, 0o600)
    warn(`${path} was open to other users (mode ${shown}): its mode is now 0600`)
  } catch (cause) {
    const advice = `run chmod 600 ${path} as its owner`
    const isWritable = (mode & 0o022) !== 0
    if (isWritable) {
      throw new DaemonError('internal', `other users can write ${path}: ${advice}`, { cause })
    }
    warn(`${path} is open to other users: ${advice}`)
  }
}

/** Returns the setting that a line assigns: with an unquoted value, or one in quotes that close on the same line. */
function nameIn(line: string): string | undefined {
  const [, name, value = ''] = /^\s*(?:export\s+)?(SERVICE_[A-Z0-9_]+)\s*=\s*(.*)$/.exec(line) ?? []
  const isQuoted = /^(["'`])(?:(?!\1).)*\1\s*(#.*)?$/.test(value)
  return isQuoted || !/^["'`]/.test(value) ? name : undefined
}

/** Returns the line of a setting, in quotes if the value needs them. */
function assignment(name: string, value: string): string {
  if (/^[\w./:@,%+=[\]-]*$/.test(value)) return `${name}=${value}`
  const quote = ["'", '`', '"'].find(
    (mark) => !value.includes(mark) && (mark !== '"' || !value.includes('\\')),
  )
  if (quote !== undefined && !/\p{Cc}/u.test(value)) return `${name}=${quote}${value}${quote}`
  throw new DaemonError(
    'bad-request',
    `${name} can't be kept: use a value of one line without quotes`,
  )
}

function refuseDataDir(name: string, place: string): void {
  if (name !== 'SERVICE_DATA_DIR') return
  throw new DaemonError(
    'internal',
    `${place}: SERVICE_DATA_DIR has no effect in the data folder: set it in the environment or with --data-dir`,
  )
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}
