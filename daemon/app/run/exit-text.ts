import type { InstanceExit } from '../../ports.ts'

/**
 * Returns the end of a process as a clause, such as "the app ran out of memory: limit 256 MB". `subject` is its name for
 * users: `the app`, or `worker`.
 */
export function exitText(
  { code, signal, outOfMemoryMb, misuse }: InstanceExit,
  subject = 'the app',
): string {
  if (misuse !== undefined) return misuse
  if (outOfMemoryMb !== undefined) {
    return `${subject} ran out of memory: limit ${outOfMemoryMb} MB`
  }
  if (signal !== null) return `${subject} was ended by ${signal}`
  return code === null ? `${subject} ended` : `${subject} exited with code ${code}`
}
