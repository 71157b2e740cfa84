import { type Logger, pino } from 'pino'

/** Creates the daemon's own log on standard output: JSON lines, or text for people (`pretty`). */
export async function createLogger(format: 'json' | 'pretty'): Promise<Logger> {
  const options = { base: null, timestamp: pino.stdTimeFunctions.isoTime }
  if (format === 'json') return pino(options)
  const { default: pretty } = await import('pino-pretty')
  return pino(options, pretty({ sync: true }))
}
