import type { Logger, Wall } from '../ports.ts'

/** Logs the walls in one line: a warning names those that do not stand, and why. */
export function logWalls(walls: readonly Wall[], logger: Pick<Logger, 'info' | 'warn'>): void {
  const missing = walls.filter(({ stands }) => !stands)
  const standing = walls.filter(({ stands }) => stands).map(({ name }) => name)
  if (missing.length === 0) {
    logger.info({ walls: standing }, 'all walls between projects stand')
    return
  }
  const reasons = missing.map(({ name, detail }) => `${name}: ${detail}`).join('; ')
  logger.warn({ walls: standing }, `not all walls between projects stand: ${reasons}`)
}
