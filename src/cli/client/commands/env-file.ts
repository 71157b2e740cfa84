import { readFileSync, statSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { ClientError } from '../errors/client-error.ts'
import { codeOf } from '../errors/error-text.ts'
import { findOrRegisterProject } from '../projects/register.ts'
import { runWithDaemon } from '../run/run-command.ts'
import { readStdin } from '../terminal/read-stdin.ts'
import {
  chooseScope,
  type EnvOptions,
  readVariables,
  requireNames,
  type SetEnvOptions,
  scopeText,
  setVariable,
} from './env.ts'

const maxBytes = 2 ** 20

/** `strata env import`: sets the variables of a .env file. Sets none if the file can't be read as a whole. */
export function importEnv(file: string, options: SetEnvOptions): Promise<void> {
  return runWithDaemon(options, async (session, { signal }) => {
    const { output } = session
    const variables = parseEnvFile(file === '-' ? await readStdin('', signal) : readText(file))
    const names = Object.keys(variables).sort()
    if (names.length === 0) throw new ClientError(`${nameOf(file)} has no line NAME=value`)
    requireNames(names)
    const scope = await chooseScope(session, options, findOrRegisterProject)
    const isReadable = options.readable === true
    const set: string[] = []
    try {
      for (const name of names) {
        await setVariable(session, scope, { name, value: variables[name] ?? '', isReadable })
        set.push(name)
      }
    } catch (error) {
      if (set.length > 0) output.note(`set ${set.join(', ')} before the failure`)
      throw error
    }
    output.result({ set, scope: scope.kind }, () => [`set ${set.join(', ')} ${scopeText(scope)}`])
    output.note('  running apps get the variables at their next start: strata up')
  })
}

/** `strata env export`: prints a .env file. A secret has no value: its line is a comment. */
export function exportEnv(options: EnvOptions): Promise<void> {
  return runWithDaemon(options, async (session) => {
    const scope = await chooseScope(session, options)
    const variables = await readVariables(session, scope)
    const lines = variables.map(({ name, value }) => lineOf(name, value))
    session.output.result({ variables }, () => lines)
  })
}

/** Returns a line of a .env file. `parseEnv` reads back what this returns. */
export function lineOf(name: string, value: string | null): string {
  if (value === null) return `# ${name} is a secret`
  if (/^[A-Za-z0-9_./:@%+,-]*$/.test(value)) return `${name}=${value}`
  const quote = ["'", '"', '`'].find((each) => {
    const isRead = parseEnv(`${name}=${each}${value}${each}`)[name] === value
    return !value.includes(each) && isRead
  })
  if (quote !== undefined) return `${name}=${quote}${value}${quote}`
  return `# ${name} has a value that a .env file can't hold`
}

/** Parses a .env file. Throws ClientError with the number of the first line that is no assignment. */
export function parseEnvFile(text: string): Record<string, string> {
  const variables: Record<string, string> = {}
  // Node 20 takes a comment in the last line for a variable, unless the line ends.
  for (const [name, value] of Object.entries(parseEnv(`${text}\n`))) {
    if (value !== undefined) variables[name] = value
  }
  const plain = text.split(/\r?\n/)
  const isMultiline = /=\s*(["'`])[^"'`]*\n/.test(text)
  const wrong = plain.findIndex((line) => !/^\s*(#.*|(export\s+)?[^\s=]+\s*=.*)?$/.test(line))
  if (wrong < 0 || isMultiline) return variables
  throw new ClientError(`line ${wrong + 1} is no assignment: expected NAME=value or a # comment`)
}

/** The message of an error never contains a part of the file. */
function readText(file: string): string {
  try {
    if (statSync(file).size > maxBytes) throw new ClientError(`${file} is larger than 1 MiB`)
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof ClientError) throw error
    throw new ClientError(`${file} can't be read (${codeOf(error)})`, { exitCode: 2 })
  }
}

function nameOf(file: string): string {
  return file === '-' ? 'standard input' : file
}
