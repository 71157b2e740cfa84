import type { Logger, Wall } from '../ports.ts'

/** Logs the walls in one line: a warning names those that do not stand, and why. */
export function logWalls(
  walls: readonly Wall[],
  options: {
    /** True if projects have users of their own. */
    hasUsers: boolean
    trustsApps: boolean
    logger: Pick<Logger, 'info' | 'warn'>
  },
): void {
  const { hasUsers, trustsApps, logger } = options
  const standing = walls.filter(({ stands }) => stands).map(({ name }) => name)
  const missing = walls.filter(({ stands }) => !stands)
  if (missing.length === 0) {
    logger.info({ walls: standing }, 'all walls between projects stand')
    return
  }
  const reasons = byReason(missing).join('; ')
  const rule = trustsApps
    ? 'SERVICE_TRUST_APPS=1 allows several projects all the same'
    : 'a second project is refused'
  const effect = `; every app and build can read and change the data of the daemon and of all apps; ${rule}`
  const message = `not all walls between projects stand: ${reasons}${hasUsers ? '' : effect}`
  logger.warn({ walls: standing }, message)
}

/** Returns `<names>: <reason>` for each reason. Several walls often have the same one. */
export function byReason(walls: readonly Wall[]): string[] {
  const reasons = [...new Set(walls.map(({ detail }) => detail))]
  return reasons.map((reason) => {
    const names = walls.filter(({ detail }) => detail === reason).map(({ name }) => name)
    return `${names.join(', ')}: ${reason}`
  })
}
