import { writeSync } from 'node:fs'

/** Prints the name of each failpoint and kills this process at the failpoint `DIE_AT`. */
export function dieAtFailpoint(name: string): void {
  writeSync(1, `${name}\n`)
  if (process.env.DIE_AT === name) process.kill(process.pid, 'SIGKILL')
}
