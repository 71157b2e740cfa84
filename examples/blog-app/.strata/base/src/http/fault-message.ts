import type * as z from 'zod'

const typeNames: Record<string, string> = {
  int: 'a whole number',
  number: 'a number',
  string: 'a string',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  email: 'an e-mail address',
  uuid: 'a UUID',
  date: 'a date (YYYY-MM-DD)',
  datetime: 'a date and time with an offset (ISO 8601)',
}

/** Returns this API's message for a zod issue. Undefined keeps the message of the schema or of zod. */
export function faultMessage(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'is required'
      return `must be ${typeNames[issue.expected] ?? issue.expected}`
    case 'invalid_format':
      return typeNames[issue.format] && `must be ${typeNames[issue.format]}`
    case 'invalid_value':
      return `must be one of ${issue.values.join(', ')}`
    case 'too_small':
      return `must be at least ${issue.minimum}${unit(issue.origin, issue.minimum)}`
    case 'too_big':
      return `must be at most ${issue.maximum}${unit(issue.origin, issue.maximum)}`
    case 'unrecognized_keys':
      return 'is not a field'
    default:
      return undefined
  }
}

function unit(origin: string, count: number | bigint): string {
  const plural = count === 1 ? '' : 's'
  if (origin === 'string') return ` character${plural} long`
  return origin === 'array' ? ` item${plural} long` : ''
}
