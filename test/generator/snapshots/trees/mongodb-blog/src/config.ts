import { createSecretKey, type KeyObject } from 'node:crypto'
import * as z from 'zod'

const settings = z.object({
  PORT: z
    .string()
    .regex(/^\d{1,5}$/, 'must be a port number')
    .transform(Number)
    .refine((port) => port <= 65535, 'must be at most 65535')
    .default(8080),
  HOST: z.string().min(1, 'must not be empty').default('0.0.0.0'),
  DATABASE_URL: z
    .string('is required')
    .regex(
      /^mongodb(\+srv)?:\/\/([^/@]*@)?[^/@:][^/@]*\/[^/?]+/,
      'must be a mongodb:// URL with a database',
    ),
  JWT_SECRET: z
    .string('is required')
    .refine((secret) => Buffer.byteLength(secret) >= 32, 'must be at least 32 bytes long')
    .transform((secret) => createSecretKey(Buffer.from(secret))),
  UPLOAD_DIR: z.string().min(1, 'must not be empty').default('./data/uploads'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'must be a log level')
    .default('info'),
})

export interface Config {
  port: number
  host: string
  databaseUrl: string
  /** A KeyObject, because logs and JSON do not show its content. */
  jwtKey: KeyObject
  uploadDir: string
  logLevel: z.infer<typeof settings>['LOG_LEVEL']
}

/** Parses environment variables. Throws ConfigError, which names every bad setting and none of their values. */
export function loadConfig(env: Record<string, string | undefined>): Config {
  const result = settings.safeParse(env)
  if (!result.success) {
    throw new ConfigError(
      result.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`),
    )
  }
  const { PORT, HOST, DATABASE_URL, JWT_SECRET, UPLOAD_DIR, LOG_LEVEL } = result.data
  return {
    port: PORT,
    host: HOST,
    databaseUrl: DATABASE_URL,
    jwtKey: JWT_SECRET,
    uploadDir: UPLOAD_DIR,
    logLevel: LOG_LEVEL,
  }
}

export class ConfigError extends Error {
  constructor(faults: readonly string[]) {
    super(`bad settings: ${faults.join('; ')}`)
    this.name = 'ConfigError'
  }
}
