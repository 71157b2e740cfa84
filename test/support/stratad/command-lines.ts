import { readdirSync, readFileSync } from 'node:fs'

/** Returns the arguments of all processes of this host, each ended by NUL, those in containers included. */
export function commandLines(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => commandLineOf(pid))
}

/** Returns the arguments of a process, each ended by NUL; '' if it has ended. */
export function commandLineOf(pid: number | string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
