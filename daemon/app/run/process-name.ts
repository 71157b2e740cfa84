/**
 * Returns the process name of an environment. The name is the same in every daemon run, so that the daemon can find
 * orphaned processes.
 */
export function processName(environmentId: number): string {
  return `strata-${environmentId}`
}
