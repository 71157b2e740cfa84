import { writeSync } from 'node:fs'

/** Says which step was reached, and kills this process at the one that `DIE_AT` names. */
export function reached(step: string): void {
  writeSync(1, `${step}\n`)
  if (process.env.DIE_AT === step) process.kill(process.pid, 'SIGKILL')
}
