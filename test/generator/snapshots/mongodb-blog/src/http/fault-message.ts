import type * as z from 'zod'

const names: Record<string, string> = {
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

/** Zod's issues in the words of this API. Undefined leaves zod's own, or the schema's. */
export function faultMessage(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'is required'
      return `must be ${names[issue.expected] ?? issue.expected}`
    case 'invalid_format':
      return names[issue.format] && `must be ${names[issue.format]}`
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
