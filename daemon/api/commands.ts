import * as z from 'zod'
import { durationMs } from '../domain/duration.ts'
import { duration } from './fields.ts'

const maxTimeoutMs = 86_400_000

const word = z
  .string()
  .max(65_536)
  .refine((text) => !text.includes('\0'), 'must not contain a NUL character')

/** The first line of a request that runs a command. The rest of the body is the standard input of the command. */
export const commandBody = z.strictObject({
  /** The program and its arguments. No shell reads them. */
  command: z
    .array(word)
    .min(1)
    .max(1000)
    .refine((words) => words[0] !== '', 'must name a program'),
  timeout: duration
    .refine((text) => (durationMs(text) ?? 0) <= maxTimeoutMs, 'must be at most 24h')
    .default('1h'),
})
