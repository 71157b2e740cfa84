import { randomUUID } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { ClientError } from '../errors/client-error.ts'
import { codeOf } from '../errors/error-text.ts'

/** The address and the token of a daemon, stored under a name. */
export interface Context {
  readonly url: string
  /** API token; absent if the daemon needs none. */
  readonly token?: string
  /** Data folder of a daemon that `strata daemon start` started on this machine. */
  readonly data_dir?: string
}

export interface Contexts {
  readonly current: string | undefined
  readonly contexts: Readonly<Record<string, Context>>
}

type Env = Readonly<Record<string, string | undefined>>

/** Returns the path of the contexts file, by the XDG base directory specification. */
export function contextsPath(env: Env = process.env): string {
  return join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'strata', 'contexts.json')
}

/** Reads the contexts file. Returns no contexts if the file is missing. Throws ClientError if it is invalid. */
export function readContexts(path = contextsPath()): Contexts {
  const text = readIfExists(path)
  if (text === undefined) return { current: undefined, contexts: {} }
  const read = parseContexts(text)
  if (read) return read
  throw new ClientError(`${path} is not a valid contexts file`, {
    next: [`rm ${path}`, 'then log in again: strata login <url>'],
  })
}

/** Replaces the contexts file atomically, with mode 0600: it contains tokens. */
export function writeContexts(contexts: Contexts, path = contextsPath()): void {
  const folder = dirname(path)
  const part = `${path}.${randomUUID()}`
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(part, `${JSON.stringify(contexts, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
    chmodSync(part, 0o600)
    renameSync(part, path)
  } catch (cause) {
    rmSync(part, { force: true })
    throw new ClientError(`${path} can't be written (${codeOf(cause)})`, {
      next: ['make the folder writable, or set XDG_CONFIG_HOME to another folder'],
      cause,
    })
  }
}

export function withContext(all: Contexts, name: string, context: Context): Contexts {
  return { current: name, contexts: { ...all.contexts, [name]: context } }
}

/** Returns true for 1 to 63 letters, digits, dots, `_` and `-`. */
export function isContextName(name: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/.test(name)
}

export function parseContexts(text: string): Contexts | undefined {
  const read = asRecord(parseJson(text))
  const contexts = asRecord(read?.contexts)
  if (!read || !contexts) return undefined
  const { current } = read
  if (current !== undefined && typeof current !== 'string') return undefined
  const parsed = Object.entries(contexts).map(([name, value]) => [name, parseContext(value)])
  if (parsed.some(([, context]) => context === undefined)) return undefined
  return { current, contexts: Object.fromEntries(parsed) }
}

function parseContext(value: unknown): Context | undefined {
  const read = asRecord(value)
  if (!read || typeof read.url !== 'string' || !URL.canParse(read.url)) return undefined
  const { url, token, data_dir } = read
  return {
    url,
    ...(typeof token === 'string' && { token }),
    ...(typeof data_dir === 'string' && { data_dir }),
  }
}

function readIfExists(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return undefined
    throw new ClientError(`${path} can't be read (${codeOf(cause)})`, { cause })
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>) // The cast is safe: any object has string keys.
    : undefined
}
