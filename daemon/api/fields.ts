import * as z from 'zod'
import { durationMs } from '../domain/duration.ts'
import { auditKinds } from '../domain/records.ts'
import { isValidBranchName } from '../git/branch-name.ts'

/** Schema of a positive safe integer. */
export const id = z.int().positive()

/** Schema of an id in a path or a query. */
export const idText = z
  .string()
  .regex(/^[1-9]\d{0,15}$/, 'must be a positive whole number')
  .transform(Number)
  .refine(Number.isSafeInteger, 'must be a positive whole number')
  .meta({ wire: { type: 'integer', minimum: 1 } })

export const idParams = z.strictObject({ id: idText })

/** Schema of a non-empty string of one line without control characters. */
export function line(maxLength: number) {
  return z
    .string()
    .min(1)
    .max(maxLength)
    .regex(/^[^\p{Cc}\u2028\u2029]*$/u, 'must be one line without control characters')
}

/** Schema of a branch name that git accepts. */
export const branch = z
  .string()
  .min(1)
  .max(255)
  .refine(isValidBranchName, 'must be a valid git branch name')

/** Schema of a duration such as `30s`, `30m`, `2h` or `7d`. */
export const duration = z
  .string()
  .max(12)
  .refine((text) => durationMs(text) !== undefined, 'must be a duration such as 30s, 30m, 2h or 7d')
  .meta({ wire: { type: 'string', pattern: '^[1-9][0-9]*[smhd]$', examples: ['30m'] } })

/** Schema of an RFC 3339 time, parsed to milliseconds since 1970. */
export const timeText = z.iso
  .datetime({ offset: true, error: 'must be a time such as 2026-01-31T12:00:00Z' })
  .transform((text) => Date.parse(text))

export const limitText = countText(1000, 50)
export const linesText = countText(10_000, 200)
/** Schema of the number of lines with which a log stream starts. */
export const followedLinesText = countText(10_000, 50)

/** Schema of a count from 1 to `maximum` in a query. */
function countText(maximum: number, defaultCount: number) {
  const message = `must be a whole number from 1 to ${maximum}`
  return z
    .string()
    .regex(/^[1-9]\d{0,8}$/, message)
    .transform(Number)
    .refine((count) => count <= maximum, message)
    .default(defaultCount)
    .meta({ wire: { type: 'integer', minimum: 1, maximum, default: defaultCount } })
}

export const flagText = z
  .enum(['true', 'false', '1', '0'], 'must be true or false')
  .transform((text) => text === 'true' || text === '1')
  .meta({ wire: { type: 'boolean' } })

export const auditKind = z.enum(auditKinds)

/** Schema of a time in a response: RFC 3339, UTC. */
export const time = z.iso.datetime()

/** Schema of the name of a process or a schedule in a query. */
export const processText = z
  .string()
  .max(40)
  .regex(/^[a-z][a-z0-9_-]*$/, 'must be the name of a process, such as worker')
