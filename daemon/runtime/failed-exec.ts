/** The message of a container's init process (tini) for a program that it could not start. */
const pattern = /\[FATAL tini \(\d+\)\] exec (.+) failed: (.+)/

/** Returns the reason if `line` says that a container could not start its program; undefined for another line. */
export function failedExec(line: string): string | undefined {
  const [, program, why = ''] = pattern.exec(line) ?? []
  if (program === undefined) return undefined
  return cannotExec(program, /no such file/i.test(why) ? undefined : why.toLowerCase())
}

/** Returns the reason for a program that can't be started. `why` undefined: the image does not have the program. */
export function cannotExec(program: string, why?: string): string {
  const reason = why ?? 'no such program in the image; check CMD, or deploy.start'
  return `can't start "${program}": ${reason}`
}
