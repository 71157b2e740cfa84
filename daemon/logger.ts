import { type Logger, pino } from 'pino'

/** The daemon's own log, on standard output: a JSON object a line, or for a person's eyes. */
export async function createLogger(format: 'json' | 'pretty'): Promise<Logger> {
  const options = { base: null, timestamp: pino.stdTimeFunctions.isoTime }
  if (format === 'json') return pino(options)
  const { default: pretty } = await import('pino-pretty')
  return pino(options, pretty({ sync: true }))
}
