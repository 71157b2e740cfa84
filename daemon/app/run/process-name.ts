/** Returns the process name of an environment. Every daemon run derives the same name, so orphans are found by it. */
export function processName(environmentId: number): string {
  return `strata-${environmentId}`
}
