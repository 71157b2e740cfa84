import express from 'express'
import * as z from 'zod'

const flag = z.enum(['0', '1'], 'must be 0 or 1').transform((value) => value === '1')

/** As browsers send it: in lower case, without a path. */
const origin = /^(\*|[a-z][a-z\d+.-]*:\/\/[^/\sA-Z]+)$/

const settings = z.object({
  PORT: z
    .string()
    .regex(/^\d{1,5}$/, 'must be a port number')
    .transform(Number)
    .refine((port) => port <= 65535, 'must be at most 65535')
    .default(8080),
  HOST: z.string().min(1, 'must not be empty').default('0.0.0.0'),
  DATABASE_URL: z.string('is required').regex(/^postgres(ql)?:\/\/./, 'must be a postgres:// URL'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'must be a log level')
    .default('info'),
  /** Origins whose pages may call the API from a browser. */
  CORS_ORIGINS: z
    .string()
    .transform((list) => list.split(/[\s,]+/).filter(Boolean))
    .refine(
      (list) => list.every((each) => origin.test(each)),
      'must be * or origins like https://example.com',
    )
    .default([]),
  /** Proxies whose X-Forwarded-For counts: their number, or their addresses. */
  TRUST_PROXY: z
    .string()
    .transform((value) => (/^\d*$/.test(value) ? Number(value) : value))
    .refine(isTrustable, 'must be a number of proxies, or their addresses')
    .default(0),
  DOCS: flag,
  METRICS: flag.default(false),
})

export type Config = z.infer<typeof settings>

/** Parses environment variables. Throws ConfigError, which names every bad setting and none of their values. */
export function loadConfig(env: Record<string, string | undefined>): Config {
  const result = settings.safeParse({ DOCS: env.NODE_ENV === 'production' ? '0' : '1', ...env })
  if (result.success) return result.data
  throw new ConfigError(
    result.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`),
  )
}

export class ConfigError extends Error {
  constructor(faults: readonly string[]) {
    super(`bad settings: ${faults.join('; ')}`)
    this.name = 'ConfigError'
  }
}

/** Express throws on addresses that it cannot parse. */
function isTrustable(proxies: string | number): boolean {
  try {
    express().set('trust proxy', proxies)
    return true
  } catch {
    return false
  }
}
