import type * as z from 'zod'
import { DaemonError } from '../errors.ts'
import { jsonFault } from './json-faults.ts'

/**
 * Parses `value` by a schema. Throws DaemonError `bad-request` with every fault but without values, which may be
 * secret.
 */
export function parse<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const fault = jsonFault(value)
  if (fault) throw new DaemonError('bad-request', `the request ${fault}`)
  const result = schema.safeParse(value, { error: faultMessage })
  if (result.success) return result.data
  throw new DaemonError('bad-request', sentenceOf(result.error.issues))
}

/**
 * Returns the decoded parameters of the query of `url`. Throws DaemonError `bad-request` if a parameter is repeated or
 * cannot be decoded.
 */
export function queryTexts(url: string): Record<string, string> {
  const start = url.indexOf('?')
  const texts = new Map<string, string>()
  const pairs = start < 0 ? [] : url.slice(start + 1).split('&')
  for (const pair of pairs.filter((text) => text !== '')) {
    const [name = '', ...rest] = pair.split('=')
    const key = decode(name)
    if (texts.has(key)) {
      throw new DaemonError('bad-request', `query parameter ${shortened(key)} is repeated`)
    }
    texts.set(key, decode(rest.join('=')))
  }
  return Object.fromEntries(texts)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw new DaemonError('bad-request', 'the query is not valid percent-encoded UTF-8')
  }
}

const names: Readonly<Record<string, string>> = {
  int: 'a whole number',
  number: 'a number',
  string: 'a string',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}

/** Returns the message of a zod issue. Undefined selects the message of the schema. */
function faultMessage(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'is required'
      return `must be ${names[issue.expected] ?? issue.expected}`
    case 'invalid_value':
      return `must be one of ${issue.values.join(', ')}`
    case 'too_small':
      return `must be at least ${issue.minimum}${unit(issue.origin, issue.minimum)}`
    case 'too_big':
      return `must be at most ${issue.maximum}${unit(issue.origin, issue.maximum)}`
    default:
      return undefined
  }
}

function unit(origin: string, count: number | bigint): string {
  const plural = count === 1 ? '' : 's'
  if (origin === 'string') return ` character${plural} long`
  return origin === 'array' ? ` item${plural} long` : ''
}

const maxFaults = 8

function sentenceOf(issues: readonly z.core.$ZodIssue[]): string {
  const faults = issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map(
        (key) => `${shortened([...issue.path, key].join('.'))} is not a known field`,
      )
    }
    const path = shortened(issue.path.join('.'))
    if (path !== '') return [`${path} ${issue.message}`]
    return [issue.code === 'invalid_type' ? `the body ${issue.message}` : issue.message]
  })
  const more = faults.length > maxFaults ? [`${faults.length - maxFaults} more`] : []
  return [...faults.slice(0, maxFaults), ...more].join('; ')
}

function shortened(name: string): string {
  return name.length > 80 ? `${name.slice(0, 80)}…` : name
}
