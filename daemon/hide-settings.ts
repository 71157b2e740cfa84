import { closeSync, openSync, readFileSync, readSync, writeSync } from 'node:fs'

type Env = Record<string, string | undefined>

/** Matches a URL that contains a password, such as the address of a proxy. */
const urlWithPassword = /[a-z][a-z0-9+.-]*:\/\/[^/\s@]*:[^/\s@]+@/i

/**
 * Removes secrets from this process's environment, so that neither /proc nor a child process shows them. Deletes the
 * named variables. A variable with a password in a URL keeps its value in `env`: child programs may need it. Returns a
 * warning if the initial environment, which /proc shows, can't be overwritten.
 */
export function hideSettings(env: Env, names: readonly string[]): string | undefined {
  const kept = Object.entries(env).filter(
    ([name, value]) => !names.includes(name) && value !== undefined && urlWithPassword.test(value),
  )
  const hidden = [...names.filter((name) => env[name]), ...kept.map(([name]) => name)]
  if (hidden.length === 0) return undefined
  const fault = overwrite(hidden)
  // The values share memory with the overwritten ones: assign copies.
  for (const [name, value] of kept) env[name] = value
  for (const name of names) delete env[name]
  if (fault === undefined) return undefined
  return `can't hide ${hidden.join(', ')} from /proc/${process.pid}/environ (${fault}): processes of the daemon's own user can read them; use the files of the data folder instead`
}

/** Overwrites values in the initial environment with NUL. Returns the reason if that fails. */
function overwrite(names: readonly string[]): string | undefined {
  try {
    const memory = openSync('/proc/self/mem', 'r+')
    try {
      overwriteIn(memory, names)
    } finally {
      closeSync(memory)
    }
    const left = namesWithValue(readFileSync('/proc/self/environ', 'latin1'))
    return names.some((name) => left.has(name)) ? 'the values are still there' : undefined
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error)
  }
}

function overwriteIn(memory: number, names: readonly string[]): void {
  const stat = readFileSync('/proc/self/stat', 'latin1')
  // proc(5): fields 50 and 51, env_start and env_end. Field 3 is the first after the program's name.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [start, end] = [Number(fields[47]), Number(fields[48])]
  const block = Buffer.alloc(end - start)
  readSync(memory, block, 0, block.length, start)
  for (let at = 0; at < block.length; ) {
    const next = block.indexOf(0, at) === -1 ? block.length : block.indexOf(0, at)
    const equals = block.indexOf('=', at)
    if (equals > at && equals < next && names.includes(block.toString('latin1', at, equals))) {
      const zeros = Buffer.alloc(next - equals - 1)
      writeSync(memory, zeros, 0, zeros.length, start + equals + 1)
    }
    at = next + 1
  }
}

function namesWithValue(environ: string): Set<string> {
  return new Set([...environ.matchAll(/(?:^|\0)([^=\0]+)=[^\0]/g)].map(([, name = '']) => name))
}
